import { groupKindText } from '@iot/shared/contract/device/deviceGroup'
import {
  DeviceGroupFileRow,
  type DeviceGroupChange,
} from '@iot/shared/contract/device/deviceGroup.schema'
import { assertNoRepeatedEntry } from '../../core/http/repeatedEntries'
import { createRefusal } from '../../core/refusal'
import {
  semicolonDivision,
  createListConversion,
  createChoiceConversion,
  type CellConversion,
} from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'
import {
  formatUnknownPlace,
  createPlaceResolver,
  resolveProduct,
} from '../device/policy/management'
import type { deviceGroupQueries } from './queries'

/** Values are separated by semicolons, because names of places may contain commas. */
const listCell = (example = ''): CellConversion => ({
  ...createListConversion({}, semicolonDivision),
  example,
})
export const sheet = createSheetColumns(DeviceGroupFileRow, {
  name: '走廊组',
  kind: { ...createChoiceConversion(groupKindText), example: groupKindText.rule },
  products: listCell('安全照明灯'),
  places: listCell('科创大厦 A 座 / 1 层；科创大厦 A 座 / 2 层'),
  tags: listCell('回路：L1'),
  deviceNames: listCell(),
  description: '',
})

type GroupQueries = ReturnType<typeof deviceGroupQueries>

/** Reads the rows that names in a file can refer to in a project. */
export const readFileContext = async (projectId: number, queries: GroupQueries) => ({
  knownProducts: await queries.productNames(),
  findPlace: createPlaceResolver(await queries.spaces(projectId)),
})

/**
 * Resolves the names of a row to ids of the project.
 * @throws if a name does not exist there
 */
export async function resolveDraft(
  { products, places, tags, deviceNames, ...line }: DeviceGroupFileRow,
  projectId: number,
  { knownProducts, findPlace }: Awaited<ReturnType<typeof readFileContext>>,
  queries: GroupQueries,
): Promise<DeviceGroupChange> {
  const devices = await queries.findByDeviceNames(projectId, deviceNames)
  const draft = {
    ...line,
    productIds: products.map((name) => {
      const { product, why } = resolveProduct(knownProducts, name)
      if (!product) throw createRefusal(why)
      return product.id
    }),
    spaceIds: places.map((name) => {
      const place = findPlace(name)
      if (!place?.spaceId) throw createRefusal(formatUnknownPlace(name))
      return place.spaceId
    }),
    tags: tags.map((text) => {
      const [, key, value] = /^([^:：]+)[:：](.*)$/.exec(text) ?? []
      if (key === undefined) throw createRefusal(`标签“${text}”请按“名称：值”填写`)
      return { key: key.trim(), value: value!.trim() }
    }),
    deviceIds: deviceNames.map((name) => {
      const matchingDevices = devices.filter(({ deviceName }) => deviceName === name)
      if (matchingDevices.length === 0)
        throw createRefusal(`当前项目没有 DeviceName 为“${name}”的设备`)
      if (matchingDevices.length > 1)
        throw createRefusal(`有 ${matchingDevices.length} 台设备的 DeviceName 是“${name}”`)
      return matchingDevices[0]!.id
    }),
  }
  assertNoRepeatedEntry('products', draft.productIds)
  assertNoRepeatedEntry('places', draft.spaceIds)
  assertNoRepeatedEntry('tags', draft.tags)
  return draft
}
