import type { Values } from '../device/device.schema'
import type { DataType, ThingModel } from './thingModel.schema'
import { isSameNumber, maxInt32, minInt32, normalizeReportedNumber } from './thingNumber'
import { formatValue } from './thingText'

const maxListedChoices = 8

/** An invalid part of a value: its path, the words before the reason, and the reason. */
type ValueFault = { path: (string | number)[]; before: string; why: string }

/**
 * Returns why a value is invalid for the type; undefined if it is valid. The text follows the name: “亮度”+“不能大于 100”.
 */
export function validateValue(dataType: DataType, value: unknown): string | undefined {
  const fault = findValueFault(dataType, value)
  return fault && fault.before + fault.why
}

export function findValueFault(dataType: DataType, value: unknown): ValueFault | undefined {
  if (dataType.type === 'struct' && isRecord(value)) {
    const members = new Map(dataType.specs.map((member) => [member.identifier, member]))
    return findFirstResult(Object.entries(value), ([identifier, part]) => {
      const member = members.get(identifier)
      return nestFault(
        identifier,
        `的${member?.name ?? ` ${identifier.slice(0, 64)} `}`,
        member
          ? findValueFault(member.dataType, part)
          : { path: [], before: '', why: '不在结构体中' },
      )
    })
  }
  if (dataType.type === 'array' && Array.isArray(value) && value.length <= dataType.specs.size)
    return findFirstResult(value, (element, index) =>
      nestFault(index, `第 ${index + 1} 项`, findValueFault(dataType.specs.item, element)),
    )
  const reason = validateUndividedValue(dataType, value)
  return reason === undefined ? undefined : { path: [], before: '', why: reason }
}

const nestFault = (key: string | number, name: string, fault: ValueFault | undefined) =>
  fault && { path: [key, ...fault.path], before: name + fault.before, why: fault.why }
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function validateUndividedValue(dataType: DataType, value: unknown): string | undefined {
  switch (dataType.type) {
    case 'int':
      if (!Number.isInteger(value)) return '须为整数'
      return (
        explainOutOfRange(value as number, { min: minInt32, max: maxInt32 }) ??
        explainOutOfRange(value as number, dataType.specs)
      )
    case 'float':
    case 'double':
      if (typeof value !== 'number' || !Number.isFinite(value)) return '须为数字'
      if (dataType.type === 'float' && !Number.isFinite(Math.fround(value)))
        return '超出单精度浮点的范围'
      return explainOutOfRange(normalizeReportedNumber(dataType, value), dataType.specs)
    case 'bool':
    case 'enum': {
      if (typeof value === 'number' && Object.hasOwn(dataType.specs, String(value)))
        return undefined
      const choices = Object.entries(dataType.specs).map(([item, word]) => `${item}（${word}）`)
      return `只能是 ${choices.slice(0, maxListedChoices).join('、')}${choices.length > maxListedChoices ? '等' : ''}`
    }
    case 'bitmap':
      if (!Number.isInteger(value) || Number(value) < 0) return '须为不小于 0 的整数'
      return findFirstResult(listSetBits(Number(value)), (bit) =>
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
const listSetBits = (value: number) =>
  [...value.toString(2)].reverse().flatMap((digit, bit) => (digit === '1' ? String(bit) : []))

const explainOutOfRange = (
  value: number,
  { min = -Infinity, max = Infinity }: { min?: number; max?: number },
) => (value < min ? `不能小于 ${min}` : value > max ? `不能大于 ${max}` : undefined)

function findFirstResult<T, R>(list: T[], findResult: (item: T, index: number) => R | undefined) {
  for (const [index, item] of list.entries()) {
    const reason = findResult(item, index)
    if (reason) return reason
  }
  return undefined
}

/** Returns in Chinese why these values cannot be set; undefined if they can. */
export const validateSetting = (...settingArguments: Parameters<typeof findSettingFault>) =>
  findSettingFault(...settingArguments)?.why

/** Returns the quoted name, such as “色温”, or the identifier if no model knows the name. */
export function formatFunctionName(
  identifier: string,
  findName: (identifier: string) => string | undefined,
) {
  const name = findName(identifier)
  return name ? `“${name}”` : ` ${identifier}`
}

/**
 * Returns why values cannot be set, with the path of the invalid part, such as `values.Colour.Red`.
 * @param findName names a function that this model lacks, if another model knows it
 */
export const findSettingFault = (
  { properties }: ThingModel,
  values: Values,
  findName: (identifier: string) => string | undefined = () => undefined,
): { why: string; part?: { path: string; why: string } } | undefined =>
  findFirstResult(Object.entries(values), ([identifier, value]) => {
    const property = properties.find((candidate) => candidate.identifier === identifier)
    if (!property) return { why: `产品没有功能${formatFunctionName(identifier, findName)}` }
    const { name, accessMode, dataType } = property
    if (accessMode === 'r') return { why: `${name}只读，不能设置` }
    const fault = findValueFault(dataType, isComposite(dataType) ? parseJson(value) : value)
    if (!fault) return undefined
    const path = ['values', identifier, ...fault.path].join('.')
    return {
      why: name + fault.before + fault.why,
      ...(isComposite(dataType) && { part: { path, why: fault.why } }),
    }
  })

/** Structures and arrays are stored and requested as JSON text. */
export const isComposite = ({ type }: DataType) => type === 'struct' || type === 'array'

/** Parses JSON text; undefined if it is invalid. */
export function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

/** Returns the values in the device's encoding, in which structures and arrays are no JSON text. */
export const encodeForDevice = (
  { properties }: ThingModel,
  values: Values,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([identifier, value]) => {
      const property = properties.find((candidate) => candidate.identifier === identifier)
      return [identifier, property && isComposite(property.dataType) ? parseJson(value) : value]
    }),
  )

/**
 * Returns true if the reported value confirms the requested one. Of a structure the requested members alone are
 * compared, in any order.
 */
export const isConfirmed = (
  requestedValue: number | string,
  reportedValue: number | string | undefined,
) =>
  isSame(requestedValue, reportedValue) ||
  (looksComposite(requestedValue) &&
    looksComposite(reportedValue) &&
    isCovered(parseJson(requestedValue), parseJson(reportedValue)))

/** Devices may round numbers to four-byte floats. */
const isSame = (requestedValue: unknown, reportedValue: unknown) =>
  typeof requestedValue === 'number' && typeof reportedValue === 'number'
    ? isSameNumber(requestedValue, reportedValue)
    : requestedValue === reportedValue

/** Returns true if all values are write-only: the device never reports them, so its reply is the only confirmation. */
export const isWriteOnly = ({ properties }: Pick<ThingModel, 'properties'>, values: Values) =>
  Object.keys(values).every((identifier) =>
    properties.some(
      (property) => property.identifier === identifier && property.accessMode === 'w',
    ),
  )

export const looksComposite = (value: unknown) => typeof value === 'string' && /^[[{]/.test(value)

function isCovered(requestedValue: unknown, reportedValue: unknown): boolean {
  if (Array.isArray(requestedValue))
    return (
      Array.isArray(reportedValue) &&
      requestedValue.length === reportedValue.length &&
      requestedValue.every((element, index) => isCovered(element, reportedValue[index]))
    )
  if (!isRecord(requestedValue))
    return isSame(requestedValue, reportedValue) && requestedValue !== undefined
  return (
    isRecord(reportedValue) &&
    Object.entries(requestedValue).every(
      ([name, requestedMember]) =>
        Object.hasOwn(reportedValue, name) && isCovered(requestedMember, reportedValue[name]),
    )
  )
}

/** Describes reported values as `电源开关为开启，亮度为 30%`, with identifiers if the model is unknown. */
export const describeSetting = (model: ThingModel | undefined, values: Values) =>
  describeValues(model, values, { word: '为', number: '为 ' })

/** Describes requested values as `电源开关设为开启，亮度调到 30%`. */
export const describeRequestedSetting = (model: ThingModel | undefined, values: Values) =>
  describeValues(model, values, { word: '设为', number: '调到 ' })

function describeValues(
  model: ThingModel | undefined,
  values: Values,
  verbs: { word: string; number: string },
) {
  const settingTexts = Object.entries(values).map(([identifier, value]) => {
    const property = model?.properties.find((candidate) => candidate.identifier === identifier)
    if (!property) return `${identifier} ${verbs.number}${value}`
    const { name, dataType } = property
    const isWord = dataType.type === 'bool' || dataType.type === 'enum'
    const wordOfValue = isWord && new Map(Object.entries(dataType.specs)).get(String(value))
    if (wordOfValue) return name + verbs.word + wordOfValue
    if (isComposite(dataType)) return `${name}${verbs.word}（${formatValue(dataType, value)}）`
    // A percentage follows its number without a space.
    return name + verbs.number + formatValue(dataType, value).replace(/ %$/, '%')
  })
  return settingTexts.join('，')
}
