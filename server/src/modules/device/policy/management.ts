import type { Values } from '@iot/shared/contract/device/device.schema'
import type { DevicePlace } from '@iot/shared/contract/device/managedDevice.schema'
import type { Space } from '@iot/shared/contract/project/project.schema'
import type { Service } from '@iot/shared/contract/thingModel/thingModel.schema'
import { findValueFault, isComposite, parseJson } from '@iot/shared/contract/thingModel/thingValue'
import { findRowsByPath, createTree } from '@iot/shared/contract/tree'
import { createRefusal, createFieldRefusal } from '../../../core/refusal'
import type { product } from '../../../tables/device'

/** Asserts that devices can be registered for a product. Existing devices of a disabled product keep working. */
export function assertProductAcceptsDevices(productRow: typeof product.$inferSelect | undefined) {
  if (!productRow) throw createFieldRefusal('productId', '所选产品不存在或已被删除')
  if (productRow.status === 'disabled') throw createRefusal('产品已停用，不能登记设备')
  return productRow
}

/**
 * Checks the parameters of a service call against its model. Structures and arrays arrive as JSON text.
 * @throws if a parameter is missing, unknown or invalid
 */
export function parseServiceParams({ inputData }: Service, params: Values) {
  const parameterNames = new Set(inputData.map(({ identifier }) => identifier))
  for (const name of Object.keys(params))
    if (!parameterNames.has(name))
      throw createFieldRefusal(`params.${name}`, `服务没有输入参数 ${name}`)
  return Object.fromEntries(
    inputData.map(({ identifier, name, dataType }) => {
      const field = `params.${identifier}`
      const rawValue = params[identifier]
      if (rawValue === undefined) throw createFieldRefusal(field, `请填写${name}`)
      const value = isComposite(dataType) ? parseJson(rawValue) : rawValue
      const fault = findValueFault(dataType, value)
      if (fault)
        throw createFieldRefusal([field, ...fault.path].join('.'), name + fault.before + fault.why)
      return [identifier, value]
    }),
  )
}

type PlacedDevice = {
  projectId: number
  spaceId: string | null
  floorId: string | null
} & Pick<DevicePlace, 'x' | 'y'>
export const movedByOthersReason = '刚被别人移动过'

/**
 * Returns why a device cannot be placed on a floor plan. `above` holds the floor and its ancestors, `inside` its
 * descendants.
 */
export function getPlacementRefusal(
  row: PlacedDevice,
  { x, y, was: previousPosition, spaceId, wasSpaceId }: Omit<DevicePlace, 'id'>,
  floor: { id: string; projectId: number; above: string[]; inside: ReadonlySet<string> },
) {
  if ((x === null) !== (y === null)) return '距左边和距上边要一起填'
  if (row.projectId !== floor.projectId) return '不在这个项目，请先把它移到这个项目'
  const isOnFloor = row.floorId === floor.id
  const canBeAssigned = row.floorId === null && (!row.spaceId || floor.above.includes(row.spaceId))
  if (!isOnFloor && !(canBeAssigned && x !== null)) return '不在这一层，请先把它移到这一层'
  if (spaceId && !floor.inside.has(spaceId)) return '所选房间不在这一层'
  if (previousPosition && (row.x !== previousPosition.x || row.y !== previousPosition.y))
    return movedByOthersReason
  if (spaceId && wasSpaceId !== undefined && row.spaceId !== wasSpaceId) return movedByOthersReason
}

export const toRecord = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)
    ? (data as Record<string, unknown>)
    : {}

type NamedProduct = { id: string; name: string; productKey: string }

/** Finds a product by its key, or by its name if only one product has that name. */
export function resolveProduct<P extends NamedProduct>(
  products: P[],
  text: string,
): { product: P; why?: undefined } | { product?: undefined; why: string } {
  const matchingProducts = products.filter(
    ({ name, productKey }) => productKey === text || name === text,
  )
  const [product] = matchingProducts
  if (!product) return { why: `产品“${text}”不存在` }
  if (matchingProducts.length > 1)
    return { why: `有 ${matchingProducts.length} 个产品叫“${text}”，请填 ProductKey` }
  return { product }
}

type SpaceNode = Pick<Space, 'id' | 'parentId' | 'name'> & { type?: Space['type'] }

export const formatUnknownPlace = (text: string) =>
  `位置“${text}”不存在，请按“楼栋 / 楼层 / 区域”填写`

/** Resolves places of a project from paths of names such as `A 座 / 1 层`, as lists show them. */
export function createPlaceResolver(spaces: SpaceNode[]) {
  const tree = createTree(spaces)
  type ResolvedPlace = { spaceId: string | null; floorId: string | null }
  const noPlacement: ResolvedPlace = { spaceId: null, floorId: null }
  // A file names the same place in many rows, so results are cached.
  const placesByText = new Map<string, ResolvedPlace | undefined>([['', noPlacement]])
  return (text: string): ResolvedPlace | undefined => {
    if (!placesByText.has(text)) {
      const [row, ...duplicates] = findRowsByPath(tree, text)
      const floorId = tree.path(row?.id).find(({ type }) => type === 'floor')?.id ?? null
      placesByText.set(
        text,
        row && duplicates.length === 0 ? { spaceId: row.id, floorId } : undefined,
      )
    }
    return placesByText.get(text)
  }
}
