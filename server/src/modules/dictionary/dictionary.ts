import type { DictionaryConfig } from '@iot/shared/contract/platform/dictionary.schema'
import { netText } from '@iot/shared/contract/product/product'
import { units } from '@iot/shared/contract/thingModel/units'

const toOptions = (pairs: Record<string, string>) =>
  Object.entries(pairs).map(([code, description]) => ({ code, description }))

/**
 * Vocabulary of the thing model that no managed list contains; the codes are those of Alibaba's TSL. `symbol` uses the
 * unit sign as code and the Chinese name as text.
 */
export const dictionary: DictionaryConfig[] = [
  {
    type: 'symbol',
    configLists: toOptions(units),
  },
  {
    type: 'node',
    configLists: toOptions({ direct: '直连设备', gateway: '网关设备', subDevice: '网关子设备' }),
  },
  { type: 'event_type', configLists: toOptions({ info: '信息', alert: '告警', error: '故障' }) },
  {
    type: 'data_type',
    configLists: toOptions({
      int: '整数',
      float: '单精度浮点',
      double: '双精度浮点',
      enum: '枚举',
      bool: '布尔',
      text: '字符串',
      date: '时间',
      struct: '结构体',
      array: '数组',
      bitmap: '位图',
    }),
  },
  {
    type: 'function_type',
    configLists: toOptions({ property: '属性', service: '服务', event: '事件' }),
  },
  { type: 'rw_type', configLists: toOptions({ r: '只读', rw: '读写', w: '只写' }) },
  {
    type: 'net',
    configLists: toOptions(netText),
  },
]
