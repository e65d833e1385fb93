import type { Tree, TreeRow } from './tree'

/** The order is from outside to inside. */
export const spaceTypeText = { building: '楼栋', floor: '楼层', area: '区域', room: '房间' }
export type SpaceType = keyof typeof spaceTypeText

/** The space search covers these fields. */
export const spaceSearched = ['name'] as const

/** Allowed direct parents of a space; null is the project itself. */
const above: Record<SpaceType, (SpaceType | null)[]> = {
  building: [null],
  floor: ['building'],
  area: ['floor'],
  room: ['floor', 'area'],
}
type Row = TreeRow & { type: SpaceType }

/** Returns the types that can stand directly below a space, the usual one first. */
export const typesBelow = (type: SpaceType | null) =>
  (Object.keys(above) as SpaceType[]).filter((one) => above[one].includes(type))

/** Returns in Chinese why a space cannot have this parent; undefined if it can. */
export function refuseSpacePlace<T extends Row>(
  tree: Tree<T>,
  { type, id }: { type: SpaceType; id?: string },
  parentId: string | null,
): string | undefined {
  const parent = tree.get(parentId)
  if (parentId !== null && !parent) return '上级不存在或已被删除'
  if (tree.path(parentId).some((row) => row.id === id)) return '不能移到自己的下级'
  if (above[type].includes(parent?.type ?? null)) return undefined
  const places = above[type].map((one) => (one ? spaceTypeText[one] : '最上一级'))
  return `${spaceTypeText[type]}只能放在${places.join('或')}${type === 'building' ? '' : '下面'}`
}
