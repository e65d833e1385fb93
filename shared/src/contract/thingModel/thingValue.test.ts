import { DataType, ThingModel } from './thingModel.schema'
import {
  findSettingFault,
  isConfirmed,
  validateSetting,
  validateValue,
  describeRequestedSetting,
  describeSetting,
  encodeForDevice,
} from './thingValue'

const validateAs = (dataType: unknown, value: unknown) =>
  validateValue(DataType.parse(dataType), value)
const switchType = { type: 'bool', specs: { 0: '关', 1: '开' } }
const alarmBitmap = { type: 'bitmap', specs: { 0: '过压', 2: '过温', 31: '离线' } }
const redMember = { identifier: 'Red', name: '红', dataType: { type: 'int', specs: { max: 255 } } }

describe('an invalid value is refused in Chinese', () => {
  it.each([
    [{ type: 'int' }, 1.5, '须为整数'],
    [{ type: 'int' }, '1', '须为整数'],
    [{ type: 'int', specs: { min: 0 } }, -1, '不能小于 0'],
    [{ type: 'double', specs: { max: 0.5 } }, 0.51, '不能大于 0.5'],
    [{ type: 'float' }, NaN, '须为数字'],
    [switchType, true, '只能是 0（关）、1（开）'],
    [switchType, '1', '只能是 0（关）、1（开）'],
    [
      {
        type: 'enum',
        specs: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index, `第${index}`])),
      },
      20,
      '只能是 0（第0）、1（第1）、2（第2）、3（第3）、4（第4）、5（第5）、6（第6）、7（第7）等',
    ],
    [alarmBitmap, 2 ** 31 + 5, undefined],
    [alarmBitmap, 2, '第 1 位没有定义'],
    [alarmBitmap, 2 ** 32, '第 32 位没有定义'],
    [alarmBitmap, -1, '须为不小于 0 的整数'],
    [{ type: 'text', specs: { length: 2 } }, '三个字', '最多 2 个字'],
    [{ type: 'text' }, 1, '须为文字'],
    [{ type: 'date' }, 1_700_000_000_000, '须为毫秒时间戳'],
    [{ type: 'struct', specs: [redMember] }, [1], '须为结构体'],
    [{ type: 'struct', specs: [redMember] }, { Red: 256 }, '的红不能大于 255'],
    [{ type: 'struct', specs: [redMember] }, { toString: 1 }, '的 toString 不在结构体中'],
    [{ type: 'array', specs: { size: 1, item: { type: 'int' } } }, {}, '须为数组'],
    [{ type: 'array', specs: { size: 1, item: { type: 'int' } } }, [1, 2], '最多 1 项'],
    [{ type: 'array', specs: { size: 2, item: { type: 'int' } } }, [1, 'x'], '第 2 项须为整数'],
    [
      { type: 'array', specs: { size: 2, item: { type: 'struct', specs: [redMember] } } },
      [{ Red: 'x' }],
      '第 1 项的红须为整数',
    ],
  ])('%j: %p', (dataType, value, reason) => expect(validateAs(dataType, value)).toBe(reason))
})

it.each([
  [{ type: 'int', specs: { min: 0, max: 100 } }, 100],
  [{ type: 'double' }, -0.5],
  [switchType, 0],
  [{ type: 'enum', specs: { '-1': '反转' } }, -1],
  [{ type: 'text', specs: { length: 2 } }, '两字'],
  [{ type: 'date' }, '1700000000000'],
  [{ type: 'struct', specs: [redMember] }, { Red: 255 }],
  [{ type: 'array', specs: { size: 2, item: { type: 'text' } } }, ['a', '']],
])('accepts a value of the type: %j: %p', (dataType, value) =>
  expect(validateAs(dataType, value)).toBeUndefined(),
)

describe('values of a command', () => {
  const model = ThingModel.parse({
    properties: [
      { identifier: 'Energy', name: '电量', accessMode: 'r', dataType: { type: 'double' } },
      {
        identifier: 'Brightness',
        name: '亮度',
        accessMode: 'rw',
        dataType: { type: 'int', specs: { min: 0, max: 100 } },
      },
    ],
  })
  it('are refused for an unknown function, a read-only one and a wrong value', () => {
    expect(validateSetting(model, { Nope: 1 })).toBe('产品没有功能 Nope')
    expect(validateSetting(model, { Energy: 1 })).toBe('电量只读，不能设置')
    expect(validateSetting(model, { Brightness: 200 })).toBe('亮度不能大于 100')
  })
  it('are refused when the product has no functions', () =>
    expect(validateSetting(ThingModel.parse({}), { Anything: 1 })).toBe('产品没有功能 Anything'))
  it('are accepted within their range', () =>
    expect(validateSetting(model, { Brightness: 40 })).toBeUndefined())
})

describe('a structure or an array as JSON text', () => {
  const model = ThingModel.parse({
    properties: [
      {
        identifier: 'Colour',
        name: '颜色',
        accessMode: 'rw',
        dataType: {
          type: 'struct',
          specs: [redMember, { ...redMember, identifier: 'Blue', name: '蓝' }],
        },
      },
      {
        identifier: 'Steps',
        name: '步骤',
        accessMode: 'rw',
        dataType: { type: 'array', specs: { size: 2, item: { type: 'int' } } },
      },
      { identifier: 'Note', name: '备注', accessMode: 'rw', dataType: { type: 'text' } },
    ],
  })
  it.each([
    [{ Colour: '{"Red":256}' }, 'values.Colour.Red', '不能大于 255'],
    [{ Colour: '{"Green":1}' }, 'values.Colour.Green', '不在结构体中'],
    [{ Colour: '{"__proto__":1}' }, 'values.Colour.__proto__', '不在结构体中'],
    [{ Colour: 'red' }, 'values.Colour', '须为结构体'],
    [{ Steps: '[1,"x"]' }, 'values.Steps.1', '须为整数'],
    [{ Steps: '[1,2,3]' }, 'values.Steps', '最多 2 项'],
  ])('%j is refused at %s', (values, path, reason) =>
    expect(findSettingFault(model, values)).toMatchObject({ part: { path, why: reason } }),
  )
  it('is sent to the device as a structure, while a text property stays text', () =>
    expect(encodeForDevice(model, { Colour: '{"Red":1}', Steps: '[1]', Note: '[1]' })).toEqual({
      Colour: { Red: 1 },
      Steps: [1],
      Note: '[1]',
    }))
  it('is confirmed when every desired member was reported, in any order', () => {
    expect(isConfirmed('{"Red":1,"Blue":2}', '{"Blue":2,"Red":1}')).toBe(true)
    expect(isConfirmed('{"Red":1}', '{"Blue":2,"Red":1}')).toBe(true)
    expect(isConfirmed('{"Red":1}', '{"Blue":2}')).toBe(false)
    expect(isConfirmed('[1,2]', '[1]')).toBe(false)
    expect(isConfirmed('[1', '[2')).toBe(false)
    expect(isConfirmed(1, '1')).toBe(false)
  })
  it('is requested by its members', () =>
    expect(describeRequestedSetting(model, { Colour: '{"Red":1}' })).toBe('颜色设为（红 1）'))
  it('is formatted by its members', () =>
    expect(describeSetting(model, { Colour: '{"Red":1,"Blue":2}', Steps: '[1,2]' })).toBe(
      '颜色为（红 1，蓝 2），步骤为（1、2）',
    ))
})
