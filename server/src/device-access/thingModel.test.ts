import { alinkCode } from './alink'
import { readProperties, refuseSetting, type ThingModel } from './thingModel'

const model: ThingModel = {
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
      dataType: { type: 'text', specs: { length: '4' } },
    },
  ],
  events: [],
  services: [],
}

describe('values of a property post', () => {
  it.each([
    ['not an object', [], alinkCode.parameter],
    ['null', null, alinkCode.parameter],
    ['an unknown identifier', { Nope: 1 }, alinkCode.identifier],
    ['a name of every object', { constructor: 1 }, alinkCode.identifier],
    ['a switch of 2', { PowerSwitch: 2 }, alinkCode.bool],
    ['a fraction for an int', { Brightness: 1.5 }, alinkCode.int],
    ['an int beyond its range', { Brightness: 101 }, alinkCode.int],
    ['a word not in the enum', { Mode: 7 }, alinkCode.enum],
    ['text for a number', { Energy: '1' }, alinkCode.float],
    ['text that is too long', { Label: '12345' }, alinkCode.text],
    ['text with U+0000', { Label: 'a\0' }, alinkCode.text],
    ['nothing as value', { Brightness: null }, alinkCode.parameter],
    [
      'more than 200 properties',
      Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`p${i}`, 1])),
      alinkCode.tooMany,
    ],
  ])('are refused: %s', (_, params, code) =>
    expect(() => readProperties(model, params)).toThrow(expect.objectContaining({ code })),
  )

  it('are read bare and with their time', () =>
    expect(readProperties(model, { PowerSwitch: 1, Brightness: { value: 30, time: 1 } })).toEqual({
      PowerSwitch: 1,
      Brightness: 30,
    }))
  it('are read as they come where the product has no model', () =>
    expect(
      readProperties({ properties: [], events: [], services: [] }, { a: 1, b: { c: [1] } }),
    ).toEqual({ a: 1, b: '{"c":[1]}' }))
})

describe('values to be set', () => {
  it('are refused in Chinese', () => {
    expect(refuseSetting(model, { Nope: 1 })).toBe('产品没有功能 Nope')
    expect(refuseSetting(model, { Energy: 1 })).toBe('电量只读，不能设置')
    expect(refuseSetting(model, { Brightness: 200 })).toBe('亮度的值超出允许范围')
  })
  it('may be set within their range', () =>
    expect(refuseSetting(model, { PowerSwitch: 0, Brightness: 40 })).toBeUndefined())
})
