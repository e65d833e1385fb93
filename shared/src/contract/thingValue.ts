import type { Values } from './device'
import type { DataType, ThingModel } from './thingModel'
import { isSameNumber, maxInt32, minInt32, tidyNumber } from './thingNumber'
import { valueWords } from './thingText'

const choicesShown = 8

/** An invalid part of a value: its path, the words before the reason, and the reason. */
type Fault = { path: (string | number)[]; before: string; why: string }

/**
 * Returns why a value is invalid for the type; undefined if it is valid. The text follows the name: “亮度”+“不能大于 100”.
 */
export function refuseValue(dataType: DataType, value: unknown): string | undefined {
  const fault = faultOf(dataType, value)
  return fault && fault.before + fault.why
}

export function faultOf(dataType: DataType, value: unknown): Fault | undefined {
  if (dataType.type === 'struct' && isRecord(value)) {
    const members = new Map(dataType.specs.map((member) => [member.identifier, member]))
    return first(Object.entries(value), ([identifier, part]) => {
      const member = members.get(identifier)
      return within(
        identifier,
        `的${member?.name ?? ` ${identifier.slice(0, 64)} `}`,
        member ? faultOf(member.dataType, part) : { path: [], before: '', why: '不在结构体中' },
      )
    })
  }
  if (dataType.type === 'array' && Array.isArray(value) && value.length <= dataType.specs.size)
    return first(value, (one, at) =>
      within(at, `第 ${at + 1} 项`, faultOf(dataType.specs.item, one)),
    )
  const why = refuseWhole(dataType, value)
  return why === undefined ? undefined : { path: [], before: '', why }
}

const within = (at: string | number, name: string, fault: Fault | undefined) =>
  fault && { path: [at, ...fault.path], before: name + fault.before, why: fault.why }
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function refuseWhole(dataType: DataType, value: unknown): string | undefined {
  switch (dataType.type) {
    case 'int':
      if (!Number.isInteger(value)) return '须为整数'
      return (
        outside(value as number, { min: minInt32, max: maxInt32 }) ??
        outside(value as number, dataType.specs)
      )
    case 'float':
    case 'double':
      if (typeof value !== 'number' || !Number.isFinite(value)) return '须为数字'
      if (dataType.type === 'float' && !Number.isFinite(Math.fround(value)))
        return '超出单精度浮点的范围'
      return outside(tidyNumber(dataType, value), dataType.specs)
    case 'bool':
    case 'enum': {
      if (typeof value === 'number' && Object.hasOwn(dataType.specs, String(value)))
        return undefined
      const choices = Object.entries(dataType.specs).map(([item, word]) => `${item}（${word}）`)
      return `只能是 ${choices.slice(0, choicesShown).join('、')}${choices.length > choicesShown ? '等' : ''}`
    }
    case 'bitmap':
      if (!Number.isInteger(value) || Number(value) < 0) return '须为不小于 0 的整数'
      return first(bitsOf(Number(value)), (bit) =>
        Object.hasOwn(dataType.specs, bit) ? undefined : `第 ${bit} 位没有定义`,
      )
    case 'text':
      if (typeof value !== 'string') return '须为文字'
      return value.length > dataType.specs.length ? `最多 ${dataType.specs.length} 个字` : undefined
    case 'date':
      return typeof value === 'string' && /^\d{1,15}$/.test(value) ? undefined : '须为毫秒时间戳'
    case 'struct':
      return '须为结构体'
    case 'array':
      return Array.isArray(value) ? `最多 ${dataType.specs.size} 项` : '须为数组'
  }
}

/** Returns the set bits of a number; JavaScript's bit operators end at 31. */
const bitsOf = (value: number) =>
  [...value.toString(2)].reverse().flatMap((digit, bit) => (digit === '1' ? String(bit) : []))

const outside = (
  value: number,
  { min = -Infinity, max = Infinity }: { min?: number; max?: number },
) => (value < min ? `不能小于 ${min}` : value > max ? `不能大于 ${max}` : undefined)

function first<T, R>(list: T[], why: (one: T, at: number) => R | undefined) {
  for (const [at, one] of list.entries()) {
    const reason = why(one, at)
    if (reason) return reason
  }
  return undefined
}

/** Returns in Chinese why these values cannot be set; undefined if they can. */
export const refuseSetting = (...asked: Parameters<typeof faultOfSetting>) =>
  faultOfSetting(...asked)?.why

/** Returns the quoted name, such as “色温”, or the identifier if no model knows the name. */
export function functionWords(
  identifier: string,
  nameOf: (identifier: string) => string | undefined,
) {
  const name = nameOf(identifier)
  return name ? `“${name}”` : ` ${identifier}`
}

/**
 * Returns why values cannot be set, with the path of the invalid part, such as `values.Colour.Red`.
 * @param nameOf names a function that this model lacks, if another model knows it
 */
export const faultOfSetting = (
  { properties }: ThingModel,
  values: Values,
  nameOf: (identifier: string) => string | undefined = () => undefined,
): { why: string; part?: { path: string; why: string } } | undefined =>
  first(Object.entries(values), ([identifier, value]) => {
    const property = properties.find((one) => one.identifier === identifier)
    if (!property) return { why: `产品没有功能${functionWords(identifier, nameOf)}` }
    const { name, accessMode, dataType } = property
    if (accessMode === 'r') return { why: `${name}只读，不能设置` }
    const fault = faultOf(dataType, isWhole(dataType) ? parsed(value) : value)
    if (!fault) return undefined
    const path = ['values', identifier, ...fault.path].join('.')
    return {
      why: name + fault.before + fault.why,
      ...(isWhole(dataType) && { part: { path, why: fault.why } }),
    }
  })

/** Structures and arrays are stored and requested as JSON text. */
export const isWhole = ({ type }: DataType) => type === 'struct' || type === 'array'

/** Parses JSON text; undefined if it is invalid. */
export function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

/** Returns the values in the device's encoding, in which structures and arrays are no JSON text. */
export const spoken = ({ properties }: ThingModel, values: Values): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([identifier, value]) => {
      const property = properties.find((one) => one.identifier === identifier)
      return [identifier, property && isWhole(property.dataType) ? parsed(value) : value]
    }),
  )

/**
 * Returns true if the reported value confirms the requested one. Of a structure the requested members alone are
 * compared, in any order.
 */
export const isAnswered = (asked: number | string, said: number | string | undefined) =>
  isSame(asked, said) ||
  (looksWhole(asked) && looksWhole(said) && covers(parsed(asked), parsed(said)))

/** Devices may round numbers to four-byte floats. */
const isSame = (asked: unknown, said: unknown) =>
  typeof asked === 'number' && typeof said === 'number' ? isSameNumber(asked, said) : asked === said

/** Returns true if all values are write-only: the device never reports them, so its reply is the only confirmation. */
export const isOnlyTold = ({ properties }: Pick<ThingModel, 'properties'>, values: Values) =>
  Object.keys(values).every((identifier) =>
    properties.some((one) => one.identifier === identifier && one.accessMode === 'w'),
  )

export const looksWhole = (value: unknown) => typeof value === 'string' && /^[[{]/.test(value)

function covers(asked: unknown, said: unknown): boolean {
  if (Array.isArray(asked))
    return (
      Array.isArray(said) &&
      asked.length === said.length &&
      asked.every((one, at) => covers(one, said[at]))
    )
  if (!isRecord(asked)) return isSame(asked, said) && asked !== undefined
  return (
    isRecord(said) &&
    Object.entries(asked).every(
      ([name, one]) => Object.hasOwn(said, name) && covers(one, said[name]),
    )
  )
}

/** Describes values as `电源开关为开启，亮度为 30`, with identifiers if the model is unknown. */
export function settingText(model: ThingModel | undefined, values: Values): string {
  const words = Object.entries(values).map(([identifier, value]) => {
    const property = model?.properties.find((one) => one.identifier === identifier)
    if (!property) return `${identifier} 为 ${value}`
    const { name, dataType } = property
    const isWord = dataType.type === 'bool' || dataType.type === 'enum'
    const word = isWord && new Map(Object.entries(dataType.specs)).get(String(value))
    if (isWhole(dataType)) return `${name}为（${valueWords(dataType, value)}）`
    return word ? `${name}为${word}` : `${name}为 ${value}`
  })
  return words.join('，')
}
