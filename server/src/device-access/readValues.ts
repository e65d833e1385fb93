import type { Values } from '@iot/shared/contract/device'
import type { DataType } from '@iot/shared/contract/thingModel'
import { refuseValue } from '@iot/shared/contract/thingValue'
import { isStorable } from '../core/db/storable'
import { AlinkError, alinkCode } from './alink'

type Declared = { identifier: string; dataType: DataType }

const perPost = 200
const textMost = 10_240
const codeOf: Record<DataType['type'], number> = {
  ...alinkCode,
  double: alinkCode.float,
  bitmap: alinkCode.int,
}

/**
 * The values of a post as they are kept: of a property post, or of an event. A value may stand bare or as
 * `{value, time}`. Where nothing is declared any is taken; structures and arrays are kept as JSON text.
 */
export function readValues(declared: Declared[], params: unknown): Values {
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    throw new AlinkError(alinkCode.parameter)
  const entries = Object.entries(params)
  if (entries.length > perPost) throw new AlinkError(alinkCode.tooMany)
  return Object.fromEntries(
    entries.map(([identifier, given]) => {
      const field = declared.find((one) => one.identifier === identifier)
      if (!field && (declared.length > 0 || identifier.length > 64 || !isStorable(identifier)))
        throw new AlinkError(alinkCode.identifier, identifier.slice(0, 64))
      return [identifier, read(identifier, unwrap(given), field?.dataType)]
    }),
  )
}

const unwrap = (given: unknown): unknown =>
  typeof given === 'object' &&
  given !== null &&
  'value' in given &&
  Object.keys(given).every((key) => key === 'value' || key === 'time')
    ? given.value
    : given

function read(identifier: string, value: unknown, dataType?: DataType): number | string {
  const fail = (code: number) => new AlinkError(code, identifier)
  // JSON has no infinity, but 1e999 is read as one.
  if (value === null || value === undefined || value === Infinity || value === -Infinity)
    throw fail(alinkCode.parameter)
  if (dataType && refuseValue(dataType, value)) throw fail(codeOf[dataType.type])
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length > textMost || !isStorable(text)) throw fail(alinkCode.text)
  return text
}
