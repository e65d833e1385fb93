import type { DataType } from './thingModel'

type NumberType = Extract<DataType, { type: 'int' | 'float' | 'double' }>

/** Digits that tell every two numbers of four bytes apart. */
const float32Digits = 9
/** How far the next number of four bytes is, as a part of the number. */
const float32Gap = 2 ** -23
/** `int` of TSL has four bytes, and so has `float`. */
export const maxInt32 = 2 ** 31 - 1
export const minInt32 = -(2 ** 31)

/** The shortest decimal that has the same four bytes: 27.2 for 27.200000762939453. */
function shortenFloat32(value: number) {
  if (Number.isInteger(value) || Math.fround(value) !== value) return value
  for (let digits = 1; digits <= float32Digits; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

const countDecimals = (value: number) => {
  const [, fraction = '', exponent = '0'] =
    /^-?\d*\.?(\d*)(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  return Math.min(Math.max(fraction.length - Number(exponent), 0), 15)
}

/**
 * A reported number without what four bytes added to it: on a step of the model where it is nearer to it than numbers
 * of four bytes are to each other, and the shortest decimal of a `float` elsewhere. Others stay as they are.
 */
export function tidyNumber({ type, specs: { step, min = 0 } }: NumberType, value: number) {
  if (type === 'int' || !Number.isFinite(value)) return value
  if (step !== undefined) {
    const decimals = Math.max(countDecimals(step), countDecimals(min))
    const near = Number((min + Math.round((value - min) / step) * step).toFixed(decimals))
    if (Math.abs(near - value) <= Math.abs(value) * float32Gap) return near
  }
  return type === 'float' ? shortenFloat32(value) : value
}

/** The same of all numbers within a structure or an array. */
export function tidyValue(dataType: DataType, value: unknown): unknown {
  switch (dataType.type) {
    case 'float':
    case 'double':
      return typeof value === 'number' ? tidyNumber(dataType, value) : value
    case 'array':
      return Array.isArray(value) ? value.map((one) => tidyValue(dataType.specs.item, one)) : value
    case 'struct': {
      if (typeof value !== 'object' || value === null) return value
      const types = new Map(dataType.specs.map((member) => [member.identifier, member.dataType]))
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => {
          const type = types.get(name)
          return [name, type ? tidyValue(type, one) : one]
        }),
      )
    }
    default:
      return value
  }
}

/** Whether two numbers are one, or would be in four bytes; whole ones are told apart. */
export const isSameNumber = (one: number, other: number) =>
  one === other ||
  (!(Number.isInteger(one) && Number.isInteger(other)) && Math.fround(one) === Math.fround(other))
