import type { Values } from '@iot/shared/contract/device'
import type { Space } from '@iot/shared/contract/project'
import type { Service } from '@iot/shared/contract/thingModel'
import { faultOf, isWhole, parsed } from '@iot/shared/contract/thingValue'
import { rowsAt, treeOf } from '@iot/shared/contract/tree'
import { refused, wrongField } from '../../core/refusal'
import type { product } from '../../tables/device'

/** Asserts that devices can be registered for a product. Existing devices of a disabled product keep working. */
export function mustTakeDevices(of: typeof product.$inferSelect | undefined) {
  if (!of) throw wrongField('productId', '所选产品不存在或已被删除')
  if (of.status === 'disabled') throw refused('产品已停用，不能登记设备')
  return of
}

/**
 * Checks the parameters of a service call against its model. Structures and arrays arrive as JSON text.
 * @throws if a parameter is missing, unknown or invalid
 */
export function readParams({ inputData }: Service, params: Values) {
  const known = new Set(inputData.map(({ identifier }) => identifier))
  for (const name of Object.keys(params))
    if (!known.has(name)) throw wrongField(`params.${name}`, `服务没有输入参数 ${name}`)
  return Object.fromEntries(
    inputData.map(({ identifier, name, dataType }) => {
      const field = `params.${identifier}`
      const given = params[identifier]
      if (given === undefined) throw wrongField(field, `请填写${name}`)
      const value = isWhole(dataType) ? parsed(given) : given
      const fault = faultOf(dataType, value)
      if (fault) throw wrongField([field, ...fault.path].join('.'), name + fault.before + fault.why)
      return [identifier, value]
    }),
  )
}

type Hung = { projectId: number; spaceId: string | null; floorId: string | null } & OnPlan
type OnPlan = { x: number | null; y: number | null }
export const hangsElsewhere = '刚被别人移动过'

/**
 * Returns why a device cannot be placed on a floor plan. `above` holds the floor and its ancestors, `inside` its
 * descendants.
 */
export function refusePlace(
  row: Hung,
  { x, y, was, spaceId }: OnPlan & { was?: OnPlan; spaceId?: string },
  floor: { id: string; projectId: number; above: string[]; inside: ReadonlySet<string> },
) {
  if ((x === null) !== (y === null)) return '距左边和距上边要一起填'
  if (row.projectId !== floor.projectId) return '不在这个项目，请先把它移到这个项目'
  const isHere = row.floorId === floor.id
  const couldBeHere = row.floorId === null && (!row.spaceId || floor.above.includes(row.spaceId))
  if (!isHere && !(couldBeHere && x !== null)) return '不在这一层，请先把它移到这一层'
  if (spaceId && !floor.inside.has(spaceId)) return '所选房间不在这一层'
  if (was && (row.x !== was.x || row.y !== was.y)) return hangsElsewhere
}

export const asRecord = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)
    ? (data as Record<string, unknown>)
    : {}

type Known = { id: string; name: string; productKey: string }

/** Finds a product by its key, or by its name if only one product has that name. */
export function productNamed<P extends Known>(
  products: P[],
  text: string,
): { product: P; why?: undefined } | { product?: undefined; why: string } {
  const found = products.filter(({ name, productKey }) => productKey === text || name === text)
  const [product] = found
  if (!product) return { why: `产品“${text}”不存在` }
  if (found.length > 1) return { why: `有 ${found.length} 个产品叫“${text}”，请填 ProductKey` }
  return { product }
}

type Place = Pick<Space, 'id' | 'parentId' | 'name'> & { type?: Space['type'] }

export const noPlace = (text: string) => `位置“${text}”不存在，请按“楼栋 / 楼层 / 区域”填写`

/** Resolves places of a project from paths of names such as `A 座 / 1 层`, as lists show them. */
export function placesOf(spaces: Place[]) {
  const tree = treeOf(spaces)
  type Known = { spaceId: string | null; floorId: string | null }
  const nowhere: Known = { spaceId: null, floorId: null }
  // A file names the same place in many rows, so results are cached.
  const places = new Map<string, Known | undefined>([['', nowhere]])
  return (text: string): Known | undefined => {
    if (!places.has(text)) {
      const [row, ...others] = rowsAt(tree, text)
      const floorId = tree.path(row?.id).find(({ type }) => type === 'floor')?.id ?? null
      places.set(text, row && others.length === 0 ? { spaceId: row.id, floorId } : undefined)
    }
    return places.get(text)
  }
}
