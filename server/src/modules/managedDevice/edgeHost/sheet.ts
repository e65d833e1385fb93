import {
  EdgeHost,
  EdgeHostLine,
  edgeStateText,
  type EdgeHostDraft,
} from '@iot/shared/contract/edgeHost'
import { wrongField } from '../../../core/refusal'
import { sheetOf, wordsOf, type Words } from '../../../core/tasks/sheet'
import { noPlace, placesOf, productNamed } from '../policy'
import type { edgeHostQueries } from './queries'

const usual = 60
/** Columns of an import file, with the example row of the template. */
export const sheet = sheetOf(EdgeHostLine, {
  name: 'A 座边缘主机',
  deviceName: 'host-a-001',
  productName: '边缘主机 E1',
  place: '科创大厦 A 座 / 1 层',
  heartbeatInterval: {
    value: (text) => (text === '' ? usual : Number(text)),
    example: String(usual),
    optional: true,
  },
})
const percent: Words = { text: (share: number | null) => (share === null ? '' : `${share}%`) }
/** Additional columns of an export. Secrets are only in the file that a registration hands out. */
export const exported = [
  ...sheet,
  ...sheetOf(EdgeHost, {
    productKey: '',
    state: wordsOf(edgeStateText),
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
export const secretHead = ['主机名称', 'ProductKey', 'DeviceName', 'DeviceSecret']

type Queries = ReturnType<typeof edgeHostQueries>

/** Reads the products and places that names in a file can refer to. */
export const knownIn = async (projectId: number, rows: Queries) => ({
  products: await rows.products(),
  placeOf: placesOf(await rows.spaces(projectId)),
})
export type Known = Awaited<ReturnType<typeof knownIn>>

/**
 * Resolves the names of a row to ids.
 * @throws if the product or place does not exist
 */
export function draftOf(
  { productName, place, ...line }: EdgeHostLine,
  { products, placeOf }: Known,
): EdgeHostDraft {
  const { product, why } = productNamed(products, productName)
  if (!product) throw wrongField('productName', why)
  const at = placeOf(place)
  if (!at) throw wrongField('place', noPlace(place))
  return { ...line, productId: product.id, spaceId: at.spaceId }
}

/** Returns whether any row registers a new host, with a known product and an unused serial. */
export async function bringsNew(lines: EdgeHostLine[], { products }: Known, rows: Queries) {
  const identities = lines.flatMap(({ productName, deviceName }) => {
    const { product } = productNamed(products, productName)
    return product ? [{ productKey: product.productKey, deviceName }] : []
  })
  const taken = await rows.namesOf(identities)
  return identities.some(({ productKey, deviceName }) => !taken.has(`${productKey}&${deviceName}`))
}
