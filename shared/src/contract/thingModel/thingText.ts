import type { FunctionKind } from './thingModel'
import type { DataType, Param } from './thingModel.schema'
import { normalizeReportedNumber } from './thingNumber'
import { platformTimeZone, toZonedText } from '../timeZone'

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

/** Describes a type with its constraints in one line. */
export function describeType(dataType: DataType): string {
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
      return `${name}（${describeParams(dataType.specs)}）`
    case 'array':
      return `${name} 最多 ${dataType.specs.size} 个${describeType(dataType.specs.item)}`
  }
}

export const describeParams = (params: Pick<Param, 'identifier' | 'name' | 'dataType'>[]): string =>
  params
    .map(({ identifier, name, dataType }) => `${name} ${identifier}：${describeType(dataType)}`)
    .join('；')

type NumberType = Extract<DataType, { type: 'int' | 'float' | 'double' }>
/** More digits would show the binary form, as in 23.400000000000002. */
const maxDisplayDigits = 15
/** Significant digits of a mean if the property has no step. */
const meanDigits = 6
function countDecimals(step: number) {
  const [, fraction = '', exponent = '0'] = /^\d*\.?(\d*)(?:e([+-]\d+))?$/.exec(String(step)) ?? []
  return Math.min(Math.max(fraction.length - Number(exponent), 0), 15)
}
const roundForDisplay = (value: number) =>
  Number.isSafeInteger(value) ? value : Number(value.toPrecision(maxDisplayDigits))
/** A small negative value rounds to zero, which has no sign. */
const formatDecimals = (value: number, decimals: number) =>
  value.toFixed(decimals).replace(/^-(?=0(?:\.0+)?$)/, '')
/** Formats a number as reported, with the decimals of its model. */
export const formatNumber = (type: NumberType, value: number) => {
  const { scale } = type.specs
  return scale === undefined
    ? String(roundForDisplay(normalizeReportedNumber(type, value)))
    : formatDecimals(value, scale)
}

/** Formats a mean with one decimal more than the values have. */
export function formatMean({ specs: { scale, step } }: NumberType, mean: number) {
  if (scale !== undefined) return formatDecimals(mean, scale)
  if (step === undefined) return String(Number(mean.toPrecision(meanDigits)))
  return String(Number(mean.toFixed(Math.min(countDecimals(step) + 1, maxDisplayDigits))))
}

export const formatMeanWithUnit = (dataType: DataType, mean: number) =>
  isNumberType(dataType)
    ? [formatMean(dataType, mean), dataType.specs.unit].filter(Boolean).join(' ')
    : formatValue(dataType, mean)
export const isNumberType = (dataType: DataType): dataType is NumberType =>
  ['int', 'float', 'double'].includes(dataType.type)

/** Dates beyond this limit are invalid in JavaScript; devices may report any number. */
const isTimeValue = (value: unknown) => Math.abs(Number(value)) <= 8.64e15

/** Formats a value with its unit or its word. A structure or an array may be JSON text. */
export function formatValue(
  dataType: DataType | undefined,
  value: unknown,
  timeZone = platformTimeZone,
): string {
  switch (dataType?.type) {
    case 'int':
    case 'float':
    case 'double': {
      const { unit } = dataType.specs
      const number = typeof value === 'number' ? formatNumber(dataType, value) : value
      return [number, unit].filter((part) => part !== undefined && part !== '').join(' ')
    }
    case 'bool':
    case 'enum':
      return new Map(Object.entries(dataType.specs)).get(String(value)) ?? String(value)
    case 'bitmap': {
      const setBits = Object.entries(dataType.specs).filter(
        ([bit]) => Math.floor(Number(value) / 2 ** Number(bit)) % 2,
      )
      return setBits.map(([, word]) => word).join('、') || '无'
    }
    case 'date':
      return isTimeValue(value) ? toZonedText(Number(value), timeZone) : String(value)
    case 'struct': {
      const memberValues = parseParts(value) as Record<string, unknown> | undefined
      if (!memberValues) return String(value)
      return dataType.specs
        .filter(({ identifier }) => identifier in memberValues)
        .map(
          ({ identifier, name, dataType: memberType }) =>
            `${name} ${formatValue(memberType, memberValues[identifier], timeZone)}`,
        )
        .join('，')
    }
    case 'array': {
      const elements = parseParts(value)
      if (!Array.isArray(elements)) return String(value)
      const { item } = dataType.specs
      const list = elements.map((part) => formatValue(item, part, timeZone))
      return list.join(item.type === 'struct' ? '；' : '、') || '空'
    }
    case 'text':
    case undefined:
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

function parseParts(value: unknown): object | undefined {
  try {
    const parsedValue: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return typeof parsedValue === 'object' && parsedValue !== null ? parsedValue : undefined
  } catch {
    return undefined
  }
}

/** Formats values with their names in one line. */
export const formatValues = (
  params: Pick<Param, 'identifier' | 'name' | 'dataType'>[],
  values: Record<string, unknown>,
  timeZone = platformTimeZone,
) =>
  Object.entries(values)
    .map(([identifier, value]) => {
      const param = params.find((candidate) => candidate.identifier === identifier)
      return `${param?.name ?? identifier} ${formatValue(param?.dataType, value, timeZone)}`
    })
    .join('，')
