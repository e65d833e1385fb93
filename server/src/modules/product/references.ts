import { nodeText } from '@iot/shared/contract/product/product'
import type { ProductDraft } from '@iot/shared/contract/product/product.schema'
import { createFieldRefusal } from '../../core/refusal'
import { describeMissingFunctions } from './policy'
import type { productQueries, ProductRow } from './queries'

type Queries = ReturnType<typeof productQueries>

/** Asserts that the rows exist to which the product refers, and that they may be chosen. */
export async function assertReferencesValid(
  rows: Queries,
  draft: ProductDraft,
  previousProduct?: ProductRow,
) {
  if (draft.manufacturerId !== previousProduct?.manufacturerId) {
    const manufacturer = await rows.findManufacturer(draft.manufacturerId)
    if (!manufacturer) throw createFieldRefusal('manufacturerId', '所选厂商不存在或已被删除')
    if (manufacturer.status === 'disabled')
      throw createFieldRefusal('manufacturerId', `厂商“${manufacturer.name}”已禁用，请选择其他厂商`)
  }
  if (draft.productType !== previousProduct?.productType) {
    const [type] = await rows.findTypes([draft.productType])
    if (!type) throw createFieldRefusal('productType', '所选产品类型不存在或已被删除')
    if (type.status === 'disabled')
      throw createFieldRefusal('productType', `产品类型“${type.name}”已禁用，请选择其他类型`)
  }
  if (draft.brandId) {
    const brand = await rows.findBrand(draft.brandId)
    if (!brand) throw createFieldRefusal('brandId', '所选品牌不存在或已被删除')
    if (brand.manufacturerId !== draft.manufacturerId)
      throw createFieldRefusal('brandId', `品牌“${brand.name}”不属于所选厂商`)
    if (brand.status === 'disabled' && draft.brandId !== previousProduct?.brandId)
      throw createFieldRefusal('brandId', `品牌“${brand.name}”已禁用，请选择其他品牌`)
  }
  if (draft.categoryId && draft.categoryId !== previousProduct?.categoryId)
    if (!(await rows.findCategory(draft.categoryId)))
      throw createFieldRefusal('categoryId', '所选品类不存在或已被删除')
  await assertProtocolAllowed(rows, draft, previousProduct)
  await assertControlTypesAllowed(rows, draft, previousProduct)
}

/** Asserts that the product keeps its product secret, because a registration rule needs it. */
export async function assertKeepsProductSecret(
  rows: Queries,
  { authType }: ProductDraft,
  previousProduct: ProductRow,
) {
  if (authType === previousProduct.authType || authType === 'productSecret') return
  if (previousProduct.node !== 'sub' && (await rows.hasRegistrationRule(previousProduct.id)))
    throw createFieldRefusal('authType', '产品有自注册规则，删除规则后才能改为一机一密')
}

/** A protocol that was chosen before may stay even if it is disabled now. */
async function assertProtocolAllowed(
  rows: Queries,
  { protocol: code, node }: ProductDraft,
  previousProduct?: ProductRow,
) {
  if (!code || (code === previousProduct?.protocol && node === previousProduct.node)) return
  const protocol = await rows.findProtocol(code)
  if (!protocol) throw createFieldRefusal('protocol', `没有通信协议“${code}”`)
  if (protocol.status === 'disabled' && code !== previousProduct?.protocol)
    throw createFieldRefusal('protocol', `通信协议“${protocol.name}”已禁用，请选择其他协议`)
  if (!protocol.nodes.includes(node))
    throw createFieldRefusal('protocol', `通信协议“${protocol.name}”不用于${nodeText[node]}`)
}
async function assertControlTypesAllowed(
  rows: Queries,
  { controlTypes }: ProductDraft,
  previousProduct?: ProductRow,
) {
  const newCodes = controlTypes.filter((code) => !previousProduct?.controlTypes.includes(code))
  const controls = await rows.findControls(newCodes)
  const unknownCode = newCodes.find((code) => !controls.some((control) => control.code === code))
  if (unknownCode) throw createFieldRefusal('controlTypes', `没有控制类型“${unknownCode}”`)
  const disabledControl = controls.find(({ status }) => status === 'disabled')
  if (disabledControl)
    throw createFieldRefusal(
      'controlTypes',
      `控制类型“${disabledControl.name}”已禁用，请选择其他类型`,
    )
  // A product in development may still gain functions, so only a published one must support its control types.
  const missingReason =
    previousProduct?.status === 'published' &&
    describeMissingFunctions(previousProduct.model, controls)
  if (missingReason) throw createFieldRefusal('controlTypes', `${missingReason}，请先添加`)
}
