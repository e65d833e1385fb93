import type { Values } from '@iot/shared/contract/device'
import type { DataType } from '@iot/shared/contract/thingModel'
import { tidyValue } from '@iot/shared/contract/thingNumber'
import { refuseValue } from '@iot/shared/contract/thingValue'
import { isStorable } from '../core/db/storable'
import { AlinkError, alinkCode } from './alink'

type Declared = { identifier: string; dataType: DataType }

export type ReadValues = {
  values: Values
  /** Device times in ms, for values that carry one. */
  times: Record<string, number>
  /** Values that are not stored, with the error for the device. */
  wrong: Record<string, AlinkError>
  /** Reasons in Chinese for the operator, for the same values. */
  reasons: Record<string, string>
}

const perPost = 200
const textMost = 10_240

/**
 * Reads the values of a property post or an event. A value may be bare or `{value, time}`. Any value is accepted if
 * nothing is declared; structures and arrays are stored as JSON text.
 */
export function readValues(declared: Declared[], params: unknown): ReadValues {
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    throw new AlinkError(alinkCode.parameter)
  const entries = Object.entries(params)
  if (entries.length > perPost) throw new AlinkError(alinkCode.tooMany)
  // These objects have no prototype, because a device may name a value `constructor`.
  const read: ReadValues = {
    values: {},
    times: {},
    wrong: Object.create(null) as ReadValues['wrong'],
    reasons: Object.create(null) as ReadValues['reasons'],
  }
  for (const [identifier, given] of entries) {
    try {
      const field = declared.find((one) => one.identifier === identifier)
      if (!field && (declared.length > 0 || identifier.length > 64 || !isStorable(identifier)))
        throw new AlinkError(alinkCode.identifier)
      const { value, time } = unwrap(given)
      read.values[identifier] = readValue(value, field?.dataType)
      if (time !== undefined) read.times[identifier] = readTime(time)
    } catch (error) {
      if (!(error instanceof AlinkError)) throw error
      delete read.values[identifier]
      const name = isStorable(identifier) ? identifier.slice(0, 64) : ''
      read.wrong[name] = error
      read.reasons[name] = reasonOf(error, declared, identifier, given)
    }
  }
  return read
}

function reasonOf({ code }: AlinkError, declared: Declared[], identifier: string, given: unknown) {
  if (code === alinkCode.identifier) return '产品没有这个属性'
  if (code === alinkCode.time) return '时间不是毫秒数'
  const { value } = unwrap(given)
  if (value === null || value === undefined) return '没有值'
  const field = declared.find((one) => one.identifier === identifier)
  return (field && refuseValue(field.dataType, value)) ?? '不是能保存的值'
}

/** Builds the reply data of a partly rejected post, as Alibaba does: each rejected identifier with its reason. */
export const complaints = ({ wrong }: Pick<ReadValues, 'wrong'>) =>
  Object.fromEntries(
    Object.entries(wrong).map(([identifier, { message }]) => [identifier, message]),
  )

const unwrap = (given: unknown): { value: unknown; time?: unknown } =>
  typeof given === 'object' &&
  given !== null &&
  'value' in given &&
  Object.keys(given).every((key) => key === 'value' || key === 'time')
    ? given
    : { value: given }

/**
 * Reads a device time. Alibaba documents milliseconds as a number, but some devices send text, fractions or seconds.
 * `deviceClock` judges if the time is plausible.
 * @throws AlinkError 6326 if it is no number
 */
export function readTime(time: unknown) {
  const given =
    typeof time === 'string' && /^-?\d{1,15}(\.\d{1,9})?$/.test(time) ? Number(time) : time
  if (typeof given !== 'number' || !Number.isFinite(given) || Math.abs(given) > 8.64e15)
    throw new AlinkError(alinkCode.time)
  return given
}

function readValue(given: unknown, dataType?: DataType): number | string {
  if (given === null || given === undefined) throw new AlinkError(alinkCode.type)
  if (dataType && refuseValue(dataType, given)) throw new AlinkError(codeOf(dataType, given))
  // JSON has no infinity, but `JSON.parse` reads 1e999 as one.
  if (given === Infinity || given === -Infinity) throw new AlinkError(alinkCode.type)
  const value = dataType ? tidyValue(dataType, given) : given
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length > textMost || !isStorable(text)) throw new AlinkError(alinkCode.text)
  return text
}

function codeOf({ type }: DataType, value: unknown) {
  if (type === 'array' && Array.isArray(value)) return alinkCode.elements
  return type === 'bitmap' ? alinkCode.int : alinkCode[type]
}
