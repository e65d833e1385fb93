import type { DataType } from './thingModel.schema'
import { formatMeanWithUnit, formatValue } from './thingText'

const createFloatType = (specs: object): DataType => ({ type: 'float', specs })

describe('a number is formatted', () => {
  it.each([
    [{}, 23.400000000000002, '23.4'],
    [{ step: 0.1, unit: '°C' }, 23.400000000000002, '23.4 °C'],
    // A value between two steps is shown as reported.
    [{ step: 0.5 }, 2.25, '2.25'],
    [{ min: 0.5, step: 1 }, 1.5, '1.5'],
    [{}, 9_007_199_254_740_991, '9007199254740991'],
    [{ step: 0.01 }, 12_345_678.91, '12345678.91'],
    [{ step: 1e-7 }, 0.000_000_3, '3e-7'],
    [{ step: 5 }, 30, '30'],
    [{ scale: 2, step: 0.1 }, 23.4, '23.40'],
    [{ scale: 1 }, -0.04, '0.0'],
    [{}, 0, '0'],
  ])('with %j: %p as %s', (specs, value, words) =>
    expect(formatValue(createFloatType(specs), value)).toBe(words),
  )
  it('unchanged when it is no number', () =>
    expect(formatValue(createFloatType({ step: 1 }), 'x')).toBe('x'))
  it('with one more decimal as a mean', () => {
    expect(formatMeanWithUnit(createFloatType({ step: 1, unit: '%' }), 30.456)).toBe('30.5 %')
    expect(formatMeanWithUnit(createFloatType({ step: 1, unit: '%' }), 30)).toBe('30 %')
    expect(formatMeanWithUnit(createFloatType({}), 91 / 3)).toBe('30.3333')
    expect(formatMeanWithUnit(createFloatType({}), 0.0021)).toBe('0.0021')
    expect(formatMeanWithUnit(createFloatType({ scale: 0 }), 30.456)).toBe('30')
  })
})

it('formats a time with the year first', () =>
  expect(formatValue({ type: 'date' }, '1790000000000')).toBe('2026-09-21 22:13:20'))
