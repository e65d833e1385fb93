import type { Tree, TreeRow } from '../tree'

/** The order is from outside to inside. */
export const spaceTypeText = { building: '楼栋', floor: '楼层', area: '区域', room: '房间' }
export type SpaceType = keyof typeof spaceTypeText

/** The space search covers these fields. */
export const spaceSearchFields = ['name'] as const

/** Allowed direct parents of a space; null is the project itself. */
const allowedParents: Record<SpaceType, (SpaceType | null)[]> = {
  building: [null],
  floor: ['building'],
  area: ['floor'],
  room: ['floor', 'area'],
}
type Row = TreeRow & { type: SpaceType }

/** Returns the types that can stand directly below a space, the usual one first. */
export const listChildTypes = (type: SpaceType | null) =>
  (Object.keys(allowedParents) as SpaceType[]).filter((spaceType) =>
    allowedParents[spaceType].includes(type),
  )

/** Returns in Chinese why a space cannot have this parent; undefined if it can. */
export function validateSpaceParent<T extends Row>(
  tree: Tree<T>,
  { type, id }: { type: SpaceType; id?: string },
  parentId: string | null,
): string | undefined {
  const parent = tree.get(parentId)
  if (parentId !== null && !parent) return '上级不存在或已被删除'
  if (tree.path(parentId).some((row) => row.id === id)) return '不能移到自己的下级'
  if (allowedParents[type].includes(parent?.type ?? null)) return undefined
  const parentNames = allowedParents[type].map((parentType) =>
    parentType ? spaceTypeText[parentType] : '最上一级',
  )
  return `${spaceTypeText[type]}只能放在${parentNames.join('或')}${type === 'building' ? '' : '下面'}`
}
