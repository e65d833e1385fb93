import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { alinkCode } from './alink'
import { buildErrorMessages, readValues } from './readValues'

const rgb = ['Red', 'Green', 'Blue'].map((identifier) => ({
  identifier,
  name: identifier,
  dataType: { type: 'int' as const, specs: { min: 0, max: 255 } },
}))
const { properties } = ThingModel.parse({
  properties: [
    {
      identifier: 'PowerSwitch',
      name: '电源开关',
      accessMode: 'rw',
      dataType: { type: 'bool', specs: { 0: '关', 1: '开' } },
    },
    {
      identifier: 'Brightness',
      name: '亮度',
      accessMode: 'rw',
      dataType: { type: 'int', specs: { min: 0, max: 100 } },
    },
    {
      identifier: 'Mode',
      name: '模式',
      accessMode: 'rw',
      dataType: { type: 'enum', specs: { 0: '白', 1: '彩' } },
    },
    { identifier: 'Energy', name: '电量', accessMode: 'r', dataType: { type: 'double' } },
    {
      identifier: 'Label',
      name: '标签',
      accessMode: 'rw',
      dataType: { type: 'text', specs: { length: 4 } },
    },
    { identifier: 'Since', name: '起始', accessMode: 'r', dataType: { type: 'date' } },
    {
      identifier: 'Colour',
      name: '颜色',
      accessMode: 'rw',
      dataType: { type: 'struct', specs: rgb },
    },
    {
      identifier: 'Steps',
      name: '步骤',
      accessMode: 'rw',
      dataType: { type: 'array', specs: { size: 2, item: { type: 'int' } } },
    },
  ],
})

const readErrorCodes = (params: unknown, declaredValues = properties) =>
  Object.values(readValues(declaredValues, params).wrong).map(({ code }) => code)

describe('a property post', () => {
  it.each([
    ['not an object', [], alinkCode.parameter],
    ['null', null, alinkCode.parameter],
    [
      'more than 200 properties',
      Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`p${i}`, 1])),
      alinkCode.tooMany,
    ],
  ])('is refused when it is %s', (_, params, code) =>
    expect(() => readValues(properties, params)).toThrow(expect.objectContaining({ code })),
  )
})

describe('the values of a post', () => {
  it.each([
    ['an unknown identifier', { Nope: 1 }, alinkCode.identifier],
    ['the name of an Object property', { constructor: 1 }, alinkCode.identifier],
    ['a switch of 2', { PowerSwitch: 2 }, alinkCode.bool],
    ['a fraction for an int', { Brightness: 1.5 }, alinkCode.int],
    ['an int beyond its range', { Brightness: 101 }, alinkCode.int],
    ['a number not in the enum', { Mode: 7 }, alinkCode.enum],
    ['text for a number', { Energy: '1' }, alinkCode.double],
    ['text that is too long', { Label: '12345' }, alinkCode.text],
    ['text with U+0000', { Label: 'a\0' }, alinkCode.text],
    ['text with half a surrogate pair', { Label: 'a\ud83d' }, alinkCode.text],
    ['a date as text', { Since: 'today' }, alinkCode.date],
    ['a number for a structure', { Colour: 1 }, alinkCode.struct],
    ['a structure with a wrong member', { Colour: { Red: 256 } }, alinkCode.struct],
    ['a structure with a foreign member', { Colour: { Alpha: 1 } }, alinkCode.struct],
    ['a number for an array', { Steps: 1 }, alinkCode.array],
    ['an array that is too long', { Steps: [1, 2, 3] }, alinkCode.elements],
    ['an array with elements of another type', { Steps: ['1'] }, alinkCode.elements],
    ['a null value', { Brightness: null }, alinkCode.type],
    ['a time as text', { Brightness: { value: 1, time: 'noon' } }, alinkCode.time],
    ['a boolean time', { Brightness: { value: 1, time: true } }, alinkCode.time],
    ['an infinite time', { Brightness: { value: 1, time: JSON.parse('1e999') } }, alinkCode.time],
  ])('are reported by name and dropped: %s', (_, params, code) => {
    const mixedValues = { PowerSwitch: 1, ...params }
    expect(readErrorCodes(mixedValues)).toEqual([code])
    expect(readValues(properties, { Mode: 1, ...params }).values).toEqual(
      'Mode' in params ? {} : { Mode: 1 },
    )
  })

  it.each([
    ['an infinite number', { a: JSON.parse('1e999') }, alinkCode.type],
    ['a name with U+0000', { 'a\0': 1 }, alinkCode.identifier],
    ['text with half a surrogate pair', { a: '\ud83d' }, alinkCode.text],
    ['a structure beyond the size limit', { a: { b: 'x'.repeat(10_240) } }, alinkCode.text],
  ])('are dropped also without declared properties: %s', (_, params, code) =>
    expect(readErrorCodes(params, [])).toEqual([code]),
  )

  it('are reported with the messages of Alibaba', () =>
    expect(buildErrorMessages(readValues(properties, { Nope: 1, PowerSwitch: 1 }))).toEqual({
      Nope: 'tsl parse: params not exist',
    }))
  it.each([2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e300, JSON.parse('1e999')])(
    'are refused with 6306 when an integer exceeds 32 bits: %d',
    (value) => {
      const dataType = { type: 'int' as const, specs: {} }
      const count = { ...properties[1]!, identifier: 'Count', dataType }
      expect(readErrorCodes({ Count: value }, [count])).toEqual([alinkCode.int])
    },
  )
  it('are rounded to the decimal that a 32-bit float stands for', () => {
    const dataType = { type: 'float' as const, specs: { step: 0.1, max: 27.2 } }
    const list = { type: 'array' as const, specs: { size: 2, item: dataType } }
    const declared = [
      { identifier: 'Temp', dataType },
      { identifier: 'Temps', dataType: list },
    ]
    expect(
      readValues(declared, { Temp: 27.200000762939453, Temps: [27.200000762939453] }),
    ).toMatchObject({ values: { Temp: 27.2, Temps: '[27.2]' }, wrong: {} })
  })
  it('have one zero only', () => {
    for (const zero of ['-0', '-0.0', '{"value":-0}'])
      expect(readValues(properties, JSON.parse(`{"Energy":${zero}}`)).values.Energy).toBe(0)
  })
  it('are read with and without a timestamp', () =>
    expect(
      readValues(properties, { PowerSwitch: 1, Brightness: { value: 30, time: '1700' } }),
    ).toEqual({
      values: { PowerSwitch: 1, Brightness: 30 },
      times: { Brightness: 1700 },
      wrong: {},
      reasons: {},
    }))
  it('are stored as JSON text when they are structures', () =>
    expect(readValues(properties, { Colour: { Red: 255 }, Steps: [1, 2] }).values).toEqual({
      Colour: '{"Red":255}',
      Steps: '[1,2]',
    }))
  it('are read unchanged when nothing is declared', () =>
    expect(readValues([], { a: 1, b: { c: [1] }, d: true }).values).toEqual({
      a: 1,
      b: '{"c":[1]}',
      d: 1,
    }))
})
