import { isSameNumber, normalizeReportedNumber, normalizeReportedValue } from './thingNumber'
import { formatNumber } from './thingText'
import { isConfirmed, validateValue } from './thingValue'

const createFloatType = (specs = {}) => ({ type: 'float' as const, specs })
const createDoubleType = (specs = {}) => ({ type: 'double' as const, specs })
const createIntType = (specs = {}) => ({ type: 'int' as const, specs })

describe('an integer', () => {
  it.each([2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 53 + 2, 1e300, Infinity])(
    '%d is refused',
    (value) => expect(validateValue(createIntType(), value)).toMatch(/不能|须为整数/),
  )
  it('is refused beyond 32 bits whatever its model allows', () =>
    expect(validateValue(createIntType({ max: 2 ** 40 }), 2 ** 31)).toBe('不能大于 2147483647'))
  it.each([2 ** 31 - 1, -(2 ** 31), 0])('%d is accepted', (value) =>
    expect(validateValue(createIntType(), value)).toBeUndefined(),
  )
})

describe('a 32-bit float', () => {
  it.each([27.2, 0.1, -5.3, 100.7, 0.001, 1234.5])('is restored to the decimal %d', (value) => {
    const reported = Math.fround(value)
    expect(normalizeReportedNumber(createFloatType(), reported)).toBe(value)
    expect(normalizeReportedNumber(createDoubleType({ step: 0.0001 }), reported)).toBe(value)
    expect(normalizeReportedNumber(createFloatType({ step: 0.1 }), reported)).toBe(value)
    expect(formatNumber(createFloatType(), reported)).toBe(String(value))
    expect(isConfirmed(value, reported)).toBe(true)
    expect(isConfirmed(JSON.stringify({ a: [value] }), JSON.stringify({ a: [reported] }))).toBe(
      true,
    )
  })
  it('is unchanged when it matches no step of its model', () => {
    expect(normalizeReportedNumber(createFloatType({ step: 0.5 }), Math.fround(27.2))).toBe(27.2)
    expect(normalizeReportedNumber(createDoubleType(), 27.200000762939453)).toBe(27.200000762939453)
    expect(normalizeReportedNumber(createDoubleType({ step: 0.1 }), 27.201)).toBe(27.201)
    expect(normalizeReportedNumber(createIntType(), 16_777_217)).toBe(16_777_217)
  })
  it('counts its steps from the minimum', () =>
    expect(
      normalizeReportedNumber(createFloatType({ min: -0.05, step: 0.1 }), Math.fround(0.15)),
    ).toBe(0.15))
  it('may equal the maximum of its model', () =>
    expect(validateValue(createFloatType({ max: 27.2 }), 27.200000762939453)).toBeUndefined())
  it('is refused beyond its range', () =>
    expect(validateValue(createFloatType(), 1e39)).toBe('超出单精度浮点的范围'))
  it('is restored inside structures and arrays', () =>
    expect(
      normalizeReportedValue(
        {
          type: 'array',
          specs: {
            size: 2,
            item: {
              type: 'struct',
              specs: [{ identifier: 'a', name: '甲', dataType: createFloatType() }],
            },
          },
        },
        [{ a: Math.fround(0.1) }, { b: Math.fround(0.1) }],
      ),
    ).toEqual([{ a: 0.1 }, { b: Math.fround(0.1) }]))
})

it.each([
  [0.1 + 0.2, 0.3],
  [0.1 + 0.2 - 0.3, 0],
  [-0, 0],
  [27.2000008, 27.2],
  [Math.fround(838_000.1), 838_000.1],
  [500_000.04, 500_000.04],
  [1_234_567.89, 1_234_567.89],
  [2 ** 53 - 1, 2 ** 53 - 1],
  [1e21, 1e21],
])('moves the double %d to a step of 0.1 only if that is its rounding error', (value, expected) => {
  expect(normalizeReportedNumber(createDoubleType({ step: 0.1 }), value)).toBe(expected)
  expect(formatNumber(createDoubleType({ step: 0.1 }), value)).toBe(String(expected))
})

it('compares integers exactly beyond 32-bit float precision', () => {
  expect(isSameNumber(16_777_216, 16_777_217)).toBe(false)
  expect(isSameNumber(27.2, 27.3)).toBe(false)
})
