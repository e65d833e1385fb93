import { sentence } from './sentence'
import { repeatedValue, ThingModel } from './thingModel'
import { kindText } from './thingText'

/** An error in a file with its place, field and reason. */
export type ModelError = { place: string; field: string; reason: string }
export type ReadModel = { model: ThingModel; errors?: undefined } | { errors: ModelError[] }
export type Path = readonly PropertyKey[]

const errorsShown = 200
const unitSigns: Record<string, string> = {
  '℃': '°C',
  '℉': '°F',
  Lux: 'lux',
  KΩ: 'kΩ',
  'r/min': 'rpm',
}
/** Maps spelling variants of a unit to the sign in the dictionary. */
export const unitOf = (sign: string) => unitSigns[sign] ?? sign

const fieldText: Record<string, string> = {
  ...kindText,
  identifier: '标识符',
  name: '名称',
  required: '必选',
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
export function fieldOf(path: Path): string {
  const last = path.findLast((part) => typeof part === 'string') as string | undefined
  if (last === 'type' && path[0] === 'events' && path.length === 3) return '事件类型'
  if (last === 'type' && path.at(-2) === 'item') return fieldText.item!
  return fieldText[last ?? ''] ?? fieldText.specs!
}

/** Finds repeated values of a list: a switch type would drop the unknown entry silently. */
function repeatedIn(raw: unknown, path: Path = []): { path: Path; message: string }[] {
  if (typeof raw !== 'object' || raw === null) return []
  return Object.entries(raw).flatMap(([name, part]) => {
    const at = [...path, Array.isArray(raw) ? Number(name) : name]
    const value = repeatedValue(name)
    return value === undefined ? repeatedIn(part, at) : [{ path: at, message: `${value} 重复` }]
  })
}

/**
 * Reads a model from a file and returns it whole or with all its errors.
 * @param placeOf names the place of a path in the file
 * @param yesOrNo error message for an invalid boolean in that file
 */
export function readModel(
  raw: unknown,
  placeOf: (path: Path) => string,
  yesOrNo: string,
): ReadModel {
  const { success, data, error } = ThingModel.safeParse(raw, {
    error: (issue) =>
      issue.code === 'invalid_type' && issue.expected === 'boolean'
        ? yesOrNo
        : sentence(fieldOf(issue.path ?? []))(issue),
  })
  const repeated = repeatedIn(raw)
  if (success && repeated.length === 0) return { model: data }
  const others = (error?.issues ?? []).filter(
    ({ path }) => repeatedValue(String(path.at(-1))) === undefined,
  )
  const told = new Map(
    [...repeated, ...others].map(({ path, message }) => {
      const error = { place: placeOf(path), field: fieldOf(path), reason: message }
      return [Object.values(error).join('\n'), error] as const
    }),
  )
  return { errors: [...told.values()].slice(0, errorsShown) }
}
