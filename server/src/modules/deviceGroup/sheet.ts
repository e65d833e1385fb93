import {
  DeviceGroupLine,
  groupKindText,
  type DeviceGroupChange,
} from '@iot/shared/contract/deviceGroup'
import { refused } from '../../core/refusal'
import { semicolons, severalOf, sheetOf, wordsOf, type Words } from '../../core/tasks/sheet'
import { noPlace, placesOf, productNamed } from '../managedDevice/policy'
import type { deviceGroupQueries } from './queries'

/** Values are separated by semicolons, because names of places may contain commas. */
const several = (example = ''): Words => ({ ...severalOf({}, semicolons), example })
export const sheet = sheetOf(DeviceGroupLine, {
  name: '走廊组',
  kind: { ...wordsOf(groupKindText), example: groupKindText.rule },
  products: several('安全照明灯'),
  places: several('科创大厦 A 座 / 1 层；科创大厦 A 座 / 2 层'),
  tags: several('回路：L1'),
  deviceNames: several(),
  description: '',
})

type Queries = ReturnType<typeof deviceGroupQueries>

/** Reads the rows that names in a file can refer to in a project. */
export const knownIn = async (projectId: number, rows: Queries) => ({
  known: await rows.productNames(),
  placeOf: placesOf(await rows.spaces(projectId)),
})

/**
 * Resolves the names of a row to ids of the project.
 * @throws if a name does not exist there
 */
export async function draftOf(
  { products, places, tags, deviceNames, ...line }: DeviceGroupLine,
  projectId: number,
  { known, placeOf }: Awaited<ReturnType<typeof knownIn>>,
  rows: Queries,
): Promise<DeviceGroupChange> {
  const devices = await rows.named(projectId, deviceNames)
  return {
    ...line,
    productIds: products.map((name) => {
      const { product, why } = productNamed(known, name)
      if (!product) throw refused(why)
      return product.id
    }),
    spaceIds: places.map((name) => {
      const place = placeOf(name)
      if (!place?.spaceId) throw refused(noPlace(name))
      return place.spaceId
    }),
    tags: tags.map((text) => {
      const [, key, value] = /^([^:：]+)[:：](.*)$/.exec(text) ?? []
      if (key === undefined) throw refused(`标签“${text}”请按“名称：值”填写`)
      return { key: key.trim(), value: value!.trim() }
    }),
    deviceIds: deviceNames.map((name) => {
      const found = devices.filter(({ deviceName }) => deviceName === name)
      if (found.length === 0) throw refused(`当前项目没有 DeviceName 为“${name}”的设备`)
      if (found.length > 1) throw refused(`有 ${found.length} 台设备的 DeviceName 是“${name}”`)
      return found[0]!.id
    }),
  }
}
