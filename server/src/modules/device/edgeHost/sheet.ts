import { edgeStateText } from '@iot/shared/contract/device/edgeHost'
import {
  EdgeHost,
  EdgeHostFileRow,
  type EdgeHostDraft,
} from '@iot/shared/contract/device/edgeHost.schema'
import { createFieldRefusal } from '../../../core/refusal'
import { createChoiceConversion, type CellConversion } from '../../../core/tasks/cellConversion'
import { createSheetColumns } from '../../../core/tasks/sheet'
import { formatUnknownPlace, createPlaceResolver, resolveProduct } from '../policy/management'
import type { edgeHostQueries } from './queries'

const defaultHeartbeatSeconds = 60
/** Columns of an import file, with the example row of the template. */
export const sheet = createSheetColumns(EdgeHostFileRow, {
  name: 'A 座边缘主机',
  deviceName: 'host-a-001',
  productName: '边缘主机 E1',
  place: '科创大厦 A 座 / 1 层',
  heartbeatInterval: {
    value: (text) => (text === '' ? defaultHeartbeatSeconds : Number(text)),
    example: String(defaultHeartbeatSeconds),
    optional: true,
  },
})
const percent: CellConversion = {
  text: (share: number | null) => (share === null ? '' : `${share}%`),
}
/** Additional columns of an export. Secrets are only in the file that a registration hands out. */
export const exportColumns = [
  ...sheet,
  ...createSheetColumns(EdgeHost, {
    productKey: '',
    state: createChoiceConversion(edgeStateText),
    heartbeatTime: '',
    cpu: percent,
    memory: percent,
    disk: percent,
    childCount: '',
    childOnline: '',
    configVersion: '',
    configApplied: '',
    address: '',
    os: '',
    firmware: '',
    replacedBy: '',
    createTime: '',
  }),
]
export const secretColumns = ['主机名称', 'ProductKey', 'DeviceName', 'DeviceSecret']

type Queries = ReturnType<typeof edgeHostQueries>

/** Reads the products and places that names in a file can refer to. */
export const loadImportLookups = async (projectId: number, rows: Queries) => ({
  products: await rows.listProducts(),
  resolvePlace: createPlaceResolver(await rows.spaces(projectId)),
})
export type ImportLookups = Awaited<ReturnType<typeof loadImportLookups>>

/**
 * Resolves the names of a row to ids.
 * @throws if the product or place does not exist
 */
export function resolveDraft(
  { productName, place, ...line }: EdgeHostFileRow,
  { products, resolvePlace }: ImportLookups,
): EdgeHostDraft {
  const { product, why } = resolveProduct(products, productName)
  if (!product) throw createFieldRefusal('productName', why)
  const resolvedPlace = resolvePlace(place)
  if (!resolvedPlace) throw createFieldRefusal('place', formatUnknownPlace(place))
  return { ...line, productId: product.id, spaceId: resolvedPlace.spaceId }
}

/** Returns whether any row registers a new host, with a known product and an unused serial. */
export async function hasNewHosts(
  lines: EdgeHostFileRow[],
  { products }: ImportLookups,
  rows: Queries,
) {
  const identities = lines.flatMap(({ productName, deviceName }) => {
    const { product } = resolveProduct(products, productName)
    return product ? [{ productKey: product.productKey, deviceName }] : []
  })
  const existingHosts = await rows.findByIdentities(identities)
  return identities.some(
    ({ productKey, deviceName }) => !existingHosts.has(`${productKey}&${deviceName}`),
  )
}
