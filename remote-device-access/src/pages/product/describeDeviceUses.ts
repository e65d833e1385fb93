import type { productApi } from '@iot/shared/contract/product/product.api'
import type { Output } from '@iot/shared/contract/endpoint'
import { formatValue } from '@iot/shared/ui/field'

export type FunctionUsage = Awaited<Output<typeof productApi.functionUsage>>

/** Says which devices have used a function and when the last one did. */
export const describeDeviceUses = ({ lastTime, deviceCount, devices }: FunctionUsage) =>
  lastTime
    ? `用过它的设备 ${deviceCount} 台（${devices.join('、')}${deviceCount > devices.length ? ' 等' : ''}），最近一次 ${formatValue(lastTime)}`
    : '没有设备用过它'
