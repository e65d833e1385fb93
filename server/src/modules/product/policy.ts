import { missingOf } from '@iot/shared/contract/conformance'
import { functionsOf } from '@iot/shared/contract/modelDifference'
import type { ProductDraft } from '@iot/shared/contract/product'
import type { DataType, ThingModel } from '@iot/shared/contract/thingModel'
import { typeText } from '@iot/shared/contract/thingText'
import { refused, wrongField } from '../../core/refusal'
import type { ProductRow } from './queries'

/** What is out of use stands as it is. */
export function mustBeInUse({ status }: ProductRow) {
  if (status === 'disabled') throw refused('产品已停用，重新发布后才能修改')
}

const fixed = { node: '节点类型', authType: '认证方式' } as const

/** Devices in the field rely on these. */
export function mustKeep(before: ProductRow, draft: ProductDraft) {
  if (before.status === 'developing') return
  for (const [field, title] of Object.entries(fixed))
    if (draft[field as keyof typeof fixed] !== before[field as keyof typeof fixed])
      throw wrongField(field, `产品已发布，${title}不能修改`)
}

/** Once published every function stays, with its identifier and type: devices speak it. More may be added. */
export function mustSpeakOn(before: ProductRow, model: ThingModel) {
  if (before.status === 'developing') return
  const now = new Map(functionsOf(model).map((one) => [one.identifier, one]))
  for (const was of functionsOf(before.model)) {
    const is = now.get(was.identifier)
    if (!is || is.kind !== was.kind)
      throw refused(`产品已发布，不能去掉“${was.name}”（${was.identifier}）`)
    if (was.kind !== 'properties' || is.kind !== 'properties') continue
    const why = refuseType(was.dataType, is.dataType)
    if (why) throw refused(`产品已发布，“${was.name}”的${why}`)
  }
}

/** Reads on after the name: 类型不能由整数改为文本. */
function refuseType(was: DataType, is: DataType): string | undefined {
  if (was.type !== is.type) return `类型不能由${typeText[was.type]}改为${typeText[is.type]}`
  if (was.type === 'array' && is.type === 'array') {
    const why = refuseType(was.specs.item, is.specs.item)
    return why && `元素${why}`
  }
  if (was.type !== 'struct' || is.type !== 'struct') return undefined
  for (const member of was.specs) {
    const now = is.specs.find(({ identifier }) => identifier === member.identifier)
    if (!now) return `成员“${member.name}”（${member.identifier}）不能去掉`
    const why = refuseType(member.dataType, now.dataType)
    if (why) return `成员“${member.name}”的${why}`
  }
}

type Control = { name: string; functions: string[] }
/** Why a product may not be obeyed as its control types say. */
export const lacksFor = (model: ThingModel, controls: Control[]) =>
  controls
    .map(({ name, functions }) => ({ name, missing: missingOf(model, functions) }))
    .filter(({ missing }) => missing.length > 0)
    .map(({ name, missing }) => `产品缺少控制类型“${name}”的必备功能 ${missing.join('、')}`)
    .at(0)

export function mustBeWhole({ node, protocol }: ProductDraft) {
  if (node === 'sub' && !protocol) throw wrongField('protocol', '网关子设备须选择通信协议')
}
