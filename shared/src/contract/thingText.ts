import type { DataType, FunctionKind, Param } from './thingModel'
import { tidyNumber } from './thingNumber'
import { platformTimeZone, toZonedText } from './timeZone'

export const kindText: Record<FunctionKind, string> = {
  properties: '属性',
  services: '服务',
  events: '事件',
}
export const accessText = { r: '只读', rw: '读写', w: '只写' }
export const callText = { sync: '同步', async: '异步' }
export const eventText = { info: '信息', alert: '告警', error: '故障' }
export const typeText: Record<DataType['type'], string> = {
  int: '整数',
  float: '单精度浮点',
  double: '双精度浮点',
  bool: '布尔',
  enum: '枚举',
  text: '文本',
  date: '时间',
  bitmap: '位图',
  struct: '结构体',
  array: '数组',
}

/** A type with its constraints in one line, as people read it. */
export function typeWords(dataType: DataType): string {
  const name = typeText[dataType.type]
  switch (dataType.type) {
    case 'int':
    case 'float':
    case 'double': {
      const { min, max, step, unit, scale } = dataType.specs
      const range = min === undefined && max === undefined ? '' : `${min ?? ''}–${max ?? ''}`
      return [
        [name, range, unit].filter(Boolean).join(' '),
        ...(step === undefined ? [] : [`步长 ${step}`]),
        ...(scale === undefined ? [] : [`${scale} 位小数`]),
      ].join('，')
    }
    case 'bool':
    case 'enum':
    case 'bitmap':
      return `${name} ${Object.entries(dataType.specs)
        .map(([value, word]) => `${value}=${word}`)
        .join('、')}`
    case 'text':
      return `${name} 最长 ${dataType.specs.length}`
    case 'date':
      return name
    case 'struct':
      return `${name}（${paramWords(dataType.specs)}）`
    case 'array':
      return `${name} 最多 ${dataType.specs.size} 个${typeWords(dataType.specs.item)}`
  }
}

export const paramWords = (params: Pick<Param, 'identifier' | 'name' | 'dataType'>[]): string =>
  params
    .map(({ identifier, name, dataType }) => `${name} ${identifier}：${typeWords(dataType)}`)
    .join('；')

type NumberType = Extract<DataType, { type: 'int' | 'float' | 'double' }>
/** A number can carry so many digits before its binary form shows, as in 23.400000000000002. */
const digits = 15
/** A mean of what has no step is no more exact than so many. */
const digitsOfMean = 6
function decimalsOf(step: number) {
  const [, fraction = '', exponent = '0'] = /^\d*\.?(\d*)(?:e([+-]\d+))?$/.exec(String(step)) ?? []
  return Math.min(Math.max(fraction.length - Number(exponent), 0), 15)
}
const plain = (value: number) =>
  Number.isSafeInteger(value) ? value : Number(value.toPrecision(digits))
/** A number as the device said it, with the decimals its model says. */
export const numberWords = (type: NumberType, value: number) => {
  const { scale } = type.specs
  return scale === undefined ? String(plain(tidyNumber(type, value))) : value.toFixed(scale)
}

/** The number a mean is shown by: with one decimal more than each value has. */
export function meanNumber({ specs: { scale, step } }: NumberType, mean: number) {
  if (scale !== undefined) return mean.toFixed(scale)
  if (step === undefined) return String(Number(mean.toPrecision(digitsOfMean)))
  return String(Number(mean.toFixed(Math.min(decimalsOf(step) + 1, digits))))
}

export const meanWords = (dataType: DataType, mean: number) =>
  isNumberType(dataType)
    ? [meanNumber(dataType, mean), dataType.specs.unit].filter(Boolean).join(' ')
    : valueWords(dataType, mean)
export const isNumberType = (dataType: DataType): dataType is NumberType =>
  ['int', 'float', 'double'].includes(dataType.type)

/** Devices report any number as a date; the range is that of JavaScript's dates, in milliseconds. */
const isTimeValue = (value: unknown) => Math.abs(Number(value)) <= 8.64e15

/** A value as people read it: with its unit, by its word. A structure or an array may come as JSON text. */
export function valueWords(
  dataType: DataType | undefined,
  value: unknown,
  timeZone = platformTimeZone,
): string {
  switch (dataType?.type) {
    case 'int':
    case 'float':
    case 'double': {
      const { unit } = dataType.specs
      const number = typeof value === 'number' ? numberWords(dataType, value) : value
      return [number, unit].filter((part) => part !== undefined && part !== '').join(' ')
    }
    case 'bool':
    case 'enum':
      return new Map(Object.entries(dataType.specs)).get(String(value)) ?? String(value)
    case 'bitmap': {
      const set = Object.entries(dataType.specs).filter(
        ([bit]) => Math.floor(Number(value) / 2 ** Number(bit)) % 2,
      )
      return set.map(([, word]) => word).join('、') || '无'
    }
    case 'date':
      return isTimeValue(value) ? toZonedText(Number(value), timeZone) : String(value)
    case 'struct': {
      const parts = partsOf(value) as Record<string, unknown> | undefined
      if (!parts) return String(value)
      return dataType.specs
        .filter(({ identifier }) => identifier in parts)
        .map(
          ({ identifier, name, dataType: of }) =>
            `${name} ${valueWords(of, parts[identifier], timeZone)}`,
        )
        .join('，')
    }
    case 'array': {
      const parts = partsOf(value)
      if (!Array.isArray(parts)) return String(value)
      const { item } = dataType.specs
      const list = parts.map((part) => valueWords(item, part, timeZone))
      return list.join(item.type === 'struct' ? '；' : '、') || '空'
    }
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

function partsOf(value: unknown): object | undefined {
  try {
    const parts: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return typeof parts === 'object' && parts !== null ? parts : undefined
  } catch {
    return undefined
  }
}

/** Values by their names, in one line. */
export const valuesWords = (
  known: Pick<Param, 'identifier' | 'name' | 'dataType'>[],
  values: Record<string, unknown>,
  timeZone = platformTimeZone,
) =>
  Object.entries(values)
    .map(([identifier, value]) => {
      const of = known.find((one) => one.identifier === identifier)
      return `${of?.name ?? identifier} ${valueWords(of?.dataType, value, timeZone)}`
    })
    .join('，')
