import { refused, wrongField } from '../../core/refusal'
import type { product } from '../../tables/device'

/** Devices in the field go on; no new ones are made of what is out of use. */
export function mustTakeDevices(of: typeof product.$inferSelect | undefined) {
  if (!of) throw wrongField('productId', '所选产品不存在或已被删除')
  if (of.status === 'disabled') throw refused('产品已停用，不能登记设备')
  return of
}
