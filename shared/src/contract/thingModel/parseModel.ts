import type { ThingModel } from './thingModel.schema'
import { kindText } from './thingText'

/** An error in a file with its place, field and reason. */
export type ModelError = { place: string; field: string; reason: string }
export type ModelReadResult = { model: ThingModel; errors?: undefined } | { errors: ModelError[] }
export type ModelPath = readonly PropertyKey[]
const unitSpellings: Record<string, string> = {
  '℃': '°C',
  '℉': '°F',
  Lux: 'lux',
  KΩ: 'kΩ',
  'r/min': 'rpm',
}
/** Maps spelling variants of a unit to the sign in the dictionary. */
export const normalizeUnit = (unitSign: string) => unitSpellings[unitSign] ?? unitSign

const fieldText: Record<string, string> = {
  ...kindText,
  identifier: '标识符',
  name: '名称',
  required: '必选',
  isDeprecated: '弃用',
  desc: '说明',
  accessMode: '读写类型',
  callType: '调用方式',
  inputData: '输入参数',
  outputData: '输出参数',
  extra: '其他',
  isHistory: '保存历史',
  isMonitor: '实时监控',
  dataType: '数据类型',
  type: '数据类型',
  specs: '取值',
  min: '最小值',
  max: '最大值',
  step: '步长',
  unit: '单位',
  scale: '小数位',
  length: '长度',
  size: '元素个数',
  item: '元素类型',
}
/** Returns the title of the last named part of a path; an item of an enum counts as its list. */
export function getPathTitle(path: ModelPath): string {
  const lastName = path.findLast<string>((part) => typeof part === 'string')
  if (lastName === 'type' && path[0] === 'events' && path.length === 3) return '事件类型'
  if (lastName === 'type' && path.at(-2) === 'item') return fieldText.item!
  return fieldText[lastName ?? ''] ?? fieldText.specs!
}
