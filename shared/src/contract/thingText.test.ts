import type { DataType } from './thingModel'
import { meanWords, valueWords } from './thingText'

const real = (specs: object): DataType => ({ type: 'float', specs })

describe('a number is shown', () => {
  it.each([
    [{}, 23.400000000000002, '23.4'],
    [{ step: 0.1, unit: '°C' }, 23.400000000000002, '23.4 °C'],
    [{ step: 0.1 }, 23.449, '23.4'],
    [{ step: 0.01 }, 99_999_999.999_999, '100000000'],
    [{ step: 0.01 }, 12_345_678.91, '12345678.91'],
    [{ step: 1e-7 }, 0.000_000_30000001, '3e-7'],
    [{ step: 5 }, 30, '30'],
    [{ scale: 2, step: 0.1 }, 23.4, '23.40'],
    [{}, 0, '0'],
  ])('by %j: %p as %s', (specs, value, words) => expect(valueWords(real(specs), value)).toBe(words))
  it('as it is where it is none', () => expect(valueWords(real({ step: 1 }), 'x')).toBe('x'))
  it('with one decimal more where it is a mean', () => {
    expect(meanWords(real({ step: 1, unit: '%' }), 30.456)).toBe('30.5 %')
    expect(meanWords(real({ step: 1, unit: '%' }), 30)).toBe('30 %')
    expect(meanWords(real({}), 91 / 3)).toBe('30.33')
    expect(meanWords(real({ scale: 0 }), 30.456)).toBe('30')
  })
})

it('writes a time year first, as everywhere', () =>
  expect(valueWords({ type: 'date' }, '1790000000000')).toBe('2026-09-21 22:13:20'))
