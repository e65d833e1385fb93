import type { Values } from '@iot/shared/contract/device/device.schema'
import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { normalizeReportedValue } from '@iot/shared/contract/thingModel/thingNumber'
import { validateValue } from '@iot/shared/contract/thingModel/thingValue'
import { isStorable } from '../../core/db/storable'
import { AlinkError, alinkCode } from './alink'

type DeclaredValue = { identifier: string; dataType: DataType }

export type ReadValues = {
  values: Values
  /** Device times in ms, for values that carry one. */
  times: Record<string, number>
  /** Values that are not stored, with the error for the device. */
  wrong: Record<string, AlinkError>
  /** Reasons in Chinese for the operator, for the same values. */
  reasons: Record<string, string>
}

const maxValuesPerPost = 200
const maxTextLength = 10_240

/**
 * Reads the values of a property post or an event. A value may be bare or `{value, time}`. Any value is accepted if
 * nothing is declared; structures and arrays are stored as JSON text.
 */
export function readValues(declaredValues: DeclaredValue[], params: unknown): ReadValues {
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    throw new AlinkError(alinkCode.parameter)
  const entries = Object.entries(params)
  if (entries.length > maxValuesPerPost) throw new AlinkError(alinkCode.tooMany)
  // These objects have no prototype, because a device may name a value `constructor`.
  const result: ReadValues = {
    values: {},
    times: {},
    wrong: Object.create(null) as ReadValues['wrong'],
    reasons: Object.create(null) as ReadValues['reasons'],
  }
  for (const [identifier, rawValue] of entries) {
    try {
      const field = declaredValues.find((one) => one.identifier === identifier)
      if (
        !field &&
        (declaredValues.length > 0 || identifier.length > 64 || !isStorable(identifier))
      )
        throw new AlinkError(alinkCode.identifier)
      const { value, time } = unwrapValue(rawValue)
      result.values[identifier] = readValue(value, field?.dataType)
      if (time !== undefined) result.times[identifier] = readTime(time)
    } catch (error) {
      if (!(error instanceof AlinkError)) throw error
      delete result.values[identifier]
      const name = isStorable(identifier) ? identifier.slice(0, 64) : ''
      result.wrong[name] = error
      result.reasons[name] = describeError(error, declaredValues, identifier, rawValue)
    }
  }
  return result
}

function describeError(
  { code }: AlinkError,
  declaredValues: DeclaredValue[],
  identifier: string,
  rawValue: unknown,
) {
  if (code === alinkCode.identifier) return '产品没有这个属性'
  if (code === alinkCode.time) return '时间不是毫秒数'
  const { value } = unwrapValue(rawValue)
  if (value === null || value === undefined) return '没有值'
  const field = declaredValues.find((one) => one.identifier === identifier)
  return (field && validateValue(field.dataType, value)) ?? '不是能保存的值'
}

/** Builds the reply data of a partly rejected post, as Alibaba does: each rejected identifier with its reason. */
export const buildErrorMessages = ({ wrong }: Pick<ReadValues, 'wrong'>) =>
  Object.fromEntries(
    Object.entries(wrong).map(([identifier, { message }]) => [identifier, message]),
  )

const unwrapValue = (rawValue: unknown): { value: unknown; time?: unknown } =>
  typeof rawValue === 'object' &&
  rawValue !== null &&
  'value' in rawValue &&
  Object.keys(rawValue).every((key) => key === 'value' || key === 'time')
    ? rawValue
    : { value: rawValue }

/**
 * Reads a device time. Alibaba documents milliseconds as a number, but some devices send text, fractions or seconds.
 * `deviceClock` judges if the time is plausible.
 * @throws AlinkError 6326 if it is no number
 */
export function readTime(time: unknown) {
  const milliseconds =
    typeof time === 'string' && /^-?\d{1,15}(\.\d{1,9})?$/.test(time) ? Number(time) : time
  if (
    typeof milliseconds !== 'number' ||
    !Number.isFinite(milliseconds) ||
    Math.abs(milliseconds) > 8.64e15
  )
    throw new AlinkError(alinkCode.time)
  return milliseconds
}

function readValue(rawValue: unknown, dataType?: DataType): number | string {
  if (rawValue === null || rawValue === undefined) throw new AlinkError(alinkCode.type)
  if (dataType && validateValue(dataType, rawValue))
    throw new AlinkError(getErrorCode(dataType, rawValue))
  // JSON has no infinity, but `JSON.parse` reads 1e999 as one.
  if (rawValue === Infinity || rawValue === -Infinity) throw new AlinkError(alinkCode.type)
  const value = dataType ? normalizeReportedValue(dataType, rawValue) : rawValue
  // JSON text has a negative zero, but the database, exports and comparisons know one zero only.
  if (typeof value === 'number') return value === 0 ? 0 : value
  if (typeof value === 'boolean') return Number(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length > maxTextLength || !isStorable(text)) throw new AlinkError(alinkCode.text)
  return text
}

function getErrorCode({ type }: DataType, value: unknown) {
  if (type === 'array' && Array.isArray(value)) return alinkCode.elements
  return type === 'bitmap' ? alinkCode.int : alinkCode[type]
}
