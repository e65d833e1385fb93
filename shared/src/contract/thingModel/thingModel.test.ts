import { toItems } from './thingModel'
import { Property, Service, ThingEvent, ThingModel } from './thingModel.schema'
import { getFieldTitle } from '../fieldTitle'

const intType = { type: 'int', specs: { min: 0, max: 100 } }
const createProperty = (overrides: object = {}) => ({
  identifier: 'Brightness',
  name: '亮度',
  accessMode: 'rw',
  dataType: intType,
  ...overrides,
})
const createMember = (identifier: string, dataType: object = intType) => ({
  identifier,
  name: identifier,
  dataType,
})
/** Returns the error messages by field path. */
const listModelErrors = (model: unknown) =>
  Object.fromEntries(
    ThingModel.safeParse(model).error!.issues.map(({ path, message }) => [path.join('.'), message]),
  )
const createModelWithType = (type: string, specs?: unknown) => ({
  properties: [createProperty({ dataType: { type, specs } })],
})

describe('an invalid model is refused at its field', () => {
  const specs = 'properties.0.dataType.specs'
  it.each<[string, unknown, Record<string, string>]>([
    [
      'an identifier that starts with a digit',
      { properties: [createProperty({ identifier: '1st' })] },
      { 'properties.0.identifier': '标识符以字母开头，只用字母、数字和下划线，1–64 位' },
    ],
    [
      'an identifier of 65 letters',
      { services: [{ identifier: 'a'.repeat(65), name: '服务' }] },
      { 'services.0.identifier': '标识符以字母开头，只用字母、数字和下划线，1–64 位' },
    ],
    [
      'an identifier reserved by the protocol',
      { events: [{ identifier: 'property', name: '事件', type: 'info' }] },
      { 'events.0.identifier': '该标识符是系统保留字' },
    ],
    [
      'an identifier of every Object',
      { properties: [createProperty({ identifier: 'constructor' })] },
      { 'properties.0.identifier': '该标识符是系统保留字' },
    ],
    [
      'the same identifier twice',
      { properties: [createProperty(), createProperty({ name: '亮度 2' })] },
      { 'properties.1.identifier': '标识符 Brightness 重复' },
    ],
    [
      'the same identifier as property and event',
      {
        properties: [createProperty()],
        events: [{ identifier: 'Brightness', name: '亮度', type: 'info' }],
      },
      { 'events.0.identifier': '标识符 Brightness 重复' },
    ],
    [
      'the same parameter twice',
      {
        services: [
          {
            identifier: 'Dim',
            name: '调光',
            inputData: [createMember('to'), createMember('in'), createMember('to')],
          },
        ],
      },
      { 'services.0.inputData.2.identifier': '标识符 to 重复' },
    ],
    [
      'no name',
      { properties: [createProperty({ name: ' ' })] },
      { 'properties.0.name': '请输入名称' },
    ],
    [
      'an unknown access mode',
      { properties: [createProperty({ accessMode: 'x' })] },
      { 'properties.0.accessMode': '请选择读写类型' },
    ],
    [
      'an event without a type',
      { events: [{ identifier: 'Error', name: '故障' }] },
      { 'events.0.type': '请选择事件类型' },
    ],
    [
      'an unknown type',
      createModelWithType('blob'),
      { 'properties.0.dataType.type': '不支持这种数据类型' },
    ],
    [
      'a reversed range',
      createModelWithType('int', { min: 2, max: 1 }),
      { [`${specs}.max`]: '最大值不能小于最小值' },
    ],
    [
      'a step larger than the range',
      createModelWithType('int', { min: 1, max: 10, step: 10 }),
      { [`${specs}.step`]: '步长不能大于最大值与最小值之差' },
    ],
    [
      'a range as text',
      createModelWithType('double', { min: '零' }),
      { [`${specs}.min`]: '须为数字' },
    ],
    [
      'an infinite bound',
      createModelWithType('float', { max: '1e400' }),
      { [`${specs}.max`]: '须为数字' },
    ],
    [
      'a bound that is no number',
      createModelWithType('float', { max: 'NaN' }),
      { [`${specs}.max`]: '须为数字' },
    ],
    [
      'an empty bound',
      createModelWithType('double', { min: '' }),
      { [`${specs}.min`]: '须为数字' },
    ],
    [
      'a fractional bound of an int',
      createModelWithType('int', { max: '1.5' }),
      { [`${specs}.max`]: '须为整数' },
    ],
    [
      'a step of zero',
      createModelWithType('int', { step: 0 }),
      { [`${specs}.step`]: '步长须大于 0' },
    ],
    [
      'a boolean with an empty label',
      createModelWithType('bool', { 0: '关', 1: '' }),
      { [`${specs}.1`]: '请输入说明' },
    ],
    [
      'a boolean with a missing label',
      createModelWithType('bool', { 0: '关' }),
      { [`${specs}.1`]: '请输入说明' },
    ],
    [
      'an enum with text values',
      createModelWithType('enum', { on: '开' }),
      { [`${specs}.on`]: '枚举值须为整数' },
    ],
    [
      'an enum with a duplicate value',
      createModelWithType(
        'enum',
        toItems([
          ['1', '开'],
          ['1', '关'],
        ]),
      ),
      { [`${specs}.1（重复）`]: '1 重复' },
    ],
    [
      'an enum with a duplicate label',
      createModelWithType('enum', { 0: '自动', 1: '制冷', 2: '自动 ' }),
      { [`${specs}.2`]: '0 和 2 的含义都是“自动”' },
    ],
    [
      'a boolean with equal labels',
      createModelWithType('bool', { 0: '开', 1: '开' }),
      { [`${specs}.1`]: '0 和 1 的含义都是“开”' },
    ],
    ['an empty enum', createModelWithType('enum', {}), { [specs]: '请填写枚举项' }],
    [
      'a text beyond the maximum length',
      createModelWithType('text', { length: 10_241 }),
      { [`${specs}.length`]: '长度为 1–10240' },
    ],
    [
      'a text of length zero',
      createModelWithType('text', { length: 0 }),
      { [`${specs}.length`]: '长度为 1–10240' },
    ],
    [
      'an array of 513 elements',
      createModelWithType('array', { size: 513, item: intType }),
      { [`${specs}.size`]: '元素个数为 1–512' },
    ],
    [
      'an array of arrays',
      createModelWithType('array', {
        size: 1,
        item: { type: 'array', specs: { size: 1, item: intType } },
      }),
      { [`${specs}.item.type`]: '不支持这种数据类型' },
    ],
    [
      'a bitmap of 33 bits',
      createModelWithType('bitmap', { 32: '满' }),
      { [`${specs}.32`]: '位须为 0–31' },
    ],
    ['an empty bitmap', createModelWithType('bitmap', {}), { [specs]: '请填写各位的含义' }],
    [
      'nine decimals',
      createModelWithType('float', { scale: 9 }),
      { [`${specs}.scale`]: '小数位为 0–8' },
    ],
    ['an empty structure', createModelWithType('struct', []), { [specs]: '请填写成员' }],
    [
      'a structure in a structure',
      createModelWithType('struct', [
        createMember('inner', { type: 'struct', specs: [createMember('deep')] }),
      ]),
      { [`${specs}.0.dataType.type`]: '不支持这种数据类型' },
    ],
    [
      'a duplicate member',
      createModelWithType('struct', [createMember('Red'), createMember('Red')]),
      { [`${specs}.1.identifier`]: '标识符 Red 重复' },
    ],
  ])('%s', (_, model, fields) => expect(listModelErrors(model)).toEqual(fields))
})

it('accepts a step as large as the range, also a fractional one', () => {
  const isAccepted = (min: number, max: number, step: number) =>
    ThingModel.safeParse(createModelWithType('double', { min, max, step })).success
  expect([isAccepted(0, 9, 9), isAccepted(0.1, 0.3, 0.2), isAccepted(0.1, 0.3, 0.21)]).toEqual([
    true,
    true,
    false,
  ])
})

it('has a Chinese title for each field, used in the conflict dialog', () => {
  for (const schema of [Property, Service, ThingEvent])
    for (const name of Object.keys(schema.shape))
      expect(getFieldTitle(schema, name)).toMatch(/^\p{Script=Han}+$/u)
})

describe('a TSL file', () => {
  const tslFile = {
    schema: 'https://iot-tsl.example/schema.json',
    profile: { version: '1.5', productKey: 'a1' },
    properties: [
      {
        ...createProperty({ required: true }),
        dataType: {
          type: 'int',
          specs: { min: '0', max: '100', step: '1', unit: '%', unitName: '百分比' },
        },
      },
      createProperty({
        identifier: 'History',
        dataType: { type: 'array', specs: { size: '512', item: { type: 'text' } } },
      }),
      createProperty({ identifier: 'Since', dataType: { type: 'date', specs: {} } }),
    ],
    services: [
      {
        identifier: 'Dim',
        name: '调光',
        desc: '渐变到目标亮度',
        method: 'thing.service.Dim',
        callType: 'sync',
        inputData: [createMember('to')],
      },
    ],
    events: [
      {
        identifier: 'Error',
        name: '故障',
        type: 'error',
        method: 'thing.event.Error.post',
        outputData: [createMember('code', { type: 'text', specs: { length: '255' } })],
      },
    ],
  }
  const parsedModel = ThingModel.parse(tslFile)

  it('is parsed with numeric values and without derived fields', () =>
    expect(parsedModel).toEqual({
      properties: [
        {
          ...createProperty({ required: true, isHistory: true, isMonitor: true }),
          dataType: { type: 'int', specs: { min: 0, max: 100, step: 1, unit: '%' } },
        },
        {
          ...createProperty({
            identifier: 'History',
            required: false,
            isHistory: true,
            isMonitor: true,
          }),
          dataType: {
            type: 'array',
            specs: { size: 512, item: { type: 'text', specs: { length: 10_240 } } },
          },
        },
        {
          ...createProperty({
            identifier: 'Since',
            required: false,
            isHistory: true,
            isMonitor: true,
          }),
          dataType: { type: 'date' },
        },
      ],
      services: [
        {
          identifier: 'Dim',
          name: '调光',
          desc: '渐变到目标亮度',
          required: false,
          callType: 'sync',
          inputData: [createMember('to')],
          outputData: [],
        },
      ],
      events: [
        {
          identifier: 'Error',
          name: '故障',
          required: false,
          type: 'error',
          outputData: [createMember('code', { type: 'text', specs: { length: 255 } })],
        },
      ],
    }))
  it('has the same result when parsed again', () =>
    expect(ThingModel.parse(JSON.parse(JSON.stringify(parsedModel)))).toEqual(parsedModel))
  it('may omit whole lists', () =>
    expect(ThingModel.parse({})).toEqual({ properties: [], services: [], events: [] }))
  it.each([
    { min: 0, max: 0, step: 1 },
    { min: 100.2, max: 100.3, step: 0.1 },
    { min: 16.1, max: 16.4, step: 0.3 },
  ])('accepts a step equal to the range, and any step of a constant: %j', (specs) =>
    expect(ThingModel.safeParse(createModelWithType('double', specs)).success).toBe(true),
  )
})
