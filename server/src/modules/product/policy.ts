import { listMissingFunctions } from '@iot/shared/contract/product/conformance'
import { validateModelChange } from '@iot/shared/contract/product/publishedModel'
import { netText } from '@iot/shared/contract/product/product'
import type { ProductDraft } from '@iot/shared/contract/product/product.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { createRefusal, createFieldRefusal } from '../../core/refusal'
import type { ProductRow } from './queries'

/** Asserts that the product is not disabled, because a disabled product cannot be edited. */
export function assertNotDisabled({ status }: ProductRow) {
  if (status === 'disabled') throw createRefusal('产品已停用，重新发布后才能修改')
}

type RequiredControls = Parameters<typeof describeMissingFunctions>[1]

/** Returns why a product cannot change to this status, or undefined if it can. */
export function getStatusRefusal(
  { status: currentStatus, model }: ProductRow,
  status: 'published' | 'disabled',
  controls: RequiredControls,
) {
  if (status === 'disabled')
    return currentStatus === 'developing' ? '开发中的产品不用停用，可以删除' : undefined
  if (model.properties.length === 0) return '产品还没有属性，不能发布'
  const missingReason = describeMissingFunctions(model, controls)
  return missingReason ? `${missingReason}，不能发布` : undefined
}

const lockedFieldTitles = { node: '节点类型', authType: '认证方式' } as const

/** Asserts that fields on which registered devices rely are unchanged. */
export function assertLockedFieldsUnchanged(previousProduct: ProductRow, draft: ProductDraft) {
  if (previousProduct.status === 'developing') return
  for (const [field, title] of Object.entries(lockedFieldTitles))
    if (
      draft[field as keyof typeof lockedFieldTitles] !==
      previousProduct[field as keyof typeof lockedFieldTitles]
    )
      throw createFieldRefusal(field, `产品已发布，${title}不能修改`)
}

export function assertModelCompatible(previousProduct: ProductRow, model: ThingModel) {
  if (previousProduct.status === 'developing') return
  const refusal = validateModelChange(previousProduct.model, model)
  if (refusal) throw createRefusal(refusal)
}

type Control = { name: string; functions: string[] }
/** Returns why a model does not support its control types: the first reason. */
export const describeMissingFunctions = (model: ThingModel, controls: Control[]) =>
  listMissingReasons(model, controls).at(0)
export const listMissingReasons = (model: ThingModel, controls: Control[]) =>
  controls
    .map(({ name, functions }) => ({ name, missing: listMissingFunctions(model, functions) }))
    .filter(({ missing: missingFunctions }) => missingFunctions.length > 0)
    .map(
      ({ name, missing: missingFunctions }) =>
        `产品缺少控制类型“${name}”的必备功能 ${missingFunctions.join('、')}`,
    )

export function assertConnectionFieldsValid({ node, net, protocol }: ProductDraft) {
  if (!Object.hasOwn(netText, net)) throw createFieldRefusal('net', '请选择联网方式')
  if (net === 'gateway' && node !== 'sub')
    throw createFieldRefusal('net', '只有网关子设备是经网关联网的')
  if (node === 'sub' && !protocol) throw createFieldRefusal('protocol', '网关子设备须选择通信协议')
}
