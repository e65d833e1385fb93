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
/** One row of a file, with the example of the template. */
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
/** What a file of hosts says beside; secrets are in no file but the one a registration hands out. */
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

/** What the names in a file can mean in a project. */
export const knownIn = async (projectId: number, rows: Queries) => ({
  products: await rows.products(),
  placeOf: placesOf(await rows.spaces(projectId)),
})
export type Known = Awaited<ReturnType<typeof knownIn>>

/** What the names of a row mean. */
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

/** Whether any of these rows is new: of a product that is there, with a serial nobody has. */
export async function bringsNew(lines: EdgeHostLine[], { products }: Known, rows: Queries) {
  const identities = lines.flatMap(({ productName, deviceName }) => {
    const { product } = productNamed(products, productName)
    return product ? [{ productKey: product.productKey, deviceName }] : []
  })
  const taken = await rows.namesOf(identities)
  return identities.some(({ productKey, deviceName }) => !taken.has(`${productKey}&${deviceName}`))
}
