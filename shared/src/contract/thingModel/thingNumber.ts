import type { DataType } from './thingModel.schema'

type NumberType = Extract<DataType, { type: 'int' | 'float' | 'double' }>

/** This many digits distinguish any two four-byte floats. */
const float32Digits = 9
/** Neighbouring four-byte floats differ by this share of their value. */
const float32Gap = 2 ** -23
/** The `int` of TSL has four bytes, so it has these limits. */
export const maxInt32 = 2 ** 31 - 1
export const minInt32 = -(2 ** 31)

const decimalPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** Returns true for the text of a decimal number; `Number` also reads other notations, such as 0x10. */
export const isFiniteDecimal = (text: string) =>
  decimalPattern.test(text) && Number.isFinite(Number(text))
const listSignificantDigits = (text: string) =>
  text
    .replace(/e.*$/i, '')
    .replace(/[^\d]/g, '')
    .replace(/^0+|0+$/g, '')
/** Returns false if a decimal has more digits than a number of JavaScript keeps, such as 9007199254740993. */
export function isKeptExactly(decimal: string) {
  const digits = listSignificantDigits(decimal)
  const value = Number(decimal)
  if (!Number.isFinite(value) || digits.length > 100) return false
  return digits === '' || listSignificantDigits(value.toPrecision(digits.length)) === digits
}

export const inexactNumberText = '位数太多，不能准确保存'

/** Returns the shortest decimal with the same four-byte float: 27.2 for 27.200000762939453. */
function toShortestDecimal(value: number) {
  if (Number.isInteger(value) || Math.fround(value) !== value) return value
  for (let digits = 1; digits <= float32Digits; digits++) {
    const shortValue = Number(value.toPrecision(digits))
    if (Math.fround(shortValue) === value) return shortValue
  }
  return value
}

const countDecimals = (value: number) => {
  const [, fraction = '', exponent = '0'] =
    /^-?\d*\.?(\d*)(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  return Math.min(Math.max(fraction.length - Number(exponent), 0), 15)
}

/** A number that is no four-byte float stays as it is if it lies farther from a step than this share of the step. */
const maxStepShare = 0.1

/**
 * Removes the rounding error of four-byte floats from a reported number: it is moved to the nearest step of the model
 * if the distance is within float precision; another `float` becomes the shortest decimal. Integers and other numbers
 * stay unchanged.
 */
export function normalizeReportedNumber(
  { type, specs: { step, min = 0 } }: NumberType,
  value: number,
) {
  if (type === 'int' || !Number.isFinite(value)) return value
  // Zero has no sign.
  if (Number.isInteger(value)) return value || 0
  if (step !== undefined) {
    const decimals = Math.max(countDecimals(step), countDecimals(min))
    const nearestStep = Number((min + Math.round((value - min) / step) * step).toFixed(decimals))
    const floatTolerance = Math.max(Math.abs(value), step) * float32Gap
    const isFloat32 = Math.fround(value) === value
    const tolerance = isFloat32 ? floatTolerance : Math.min(floatTolerance, step * maxStepShare)
    if (Math.abs(nearestStep - value) <= tolerance) return nearestStep
  }
  return type === 'float' ? toShortestDecimal(value) : value
}

/** Applies `normalizeReportedNumber` to all numbers in a structure or an array. */
export function normalizeReportedValue(dataType: DataType, value: unknown): unknown {
  switch (dataType.type) {
    case 'float':
    case 'double':
      return typeof value === 'number' ? normalizeReportedNumber(dataType, value) : value
    case 'array':
      return Array.isArray(value)
        ? value.map((element) => normalizeReportedValue(dataType.specs.item, element))
        : value
    case 'struct': {
      if (typeof value !== 'object' || value === null) return value
      const types = new Map(dataType.specs.map((member) => [member.identifier, member.dataType]))
      return Object.fromEntries(
        Object.entries(value).map(([name, memberValue]) => {
          const type = types.get(name)
          return [name, type ? normalizeReportedValue(type, memberValue) : memberValue]
        }),
      )
    }
    case 'int':
    case 'bool':
    case 'enum':
    case 'bitmap':
    case 'date':
    case 'text':
      return value
  }
}

/** Returns true if two numbers are equal or have the same four-byte float; integers must be equal. */
export const isSameNumber = (first: number, second: number) =>
  first === second ||
  (!(Number.isInteger(first) && Number.isInteger(second)) &&
    Math.fround(first) === Math.fround(second))
