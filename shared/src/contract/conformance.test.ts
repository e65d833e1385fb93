import { departures, lacking } from './conformance'
import { widgetOf } from './controlType'
import { ThingModel } from './thingModel'

const number = { type: 'int', specs: { min: 0, max: 100, step: 1, unit: '%' } }
const power = { identifier: 'Power', name: '电源', accessMode: 'rw' }
const level = { identifier: 'Level', name: '亮度', accessMode: 'rw', dataType: number }
const model = (...properties: object[]) => ThingModel.parse({ properties })
const own = model({ ...power, dataType: { type: 'bool', specs: { 0: '关', 1: '开' } } })

describe('control types of a product', () => {
  const dim = {
    code: 'dim',
    name: '调光',
    functions: ['Power', 'Level'],
    widget: 'number' as const,
  }

  it('name what it lacks, which one press takes from where it is', () => {
    const [one, ...others] = lacking(own, [dim], [model(level)])
    expect(others).toEqual([])
    expect(one).toMatchObject({
      identifier: 'Level',
      name: '亮度',
      problem: '缺少控制类型“调光”的必备功能',
    })
    const mended = one!.mend!.model
    expect(mended.properties.map(({ identifier }) => identifier)).toEqual(['Power', 'Level'])
    expect(lacking(mended, [dim], [])).toEqual([])
    expect(lacking(own, [dim], [])[0]!.mend).toBeUndefined()
  })
  it('say how a property is set, where that can be', () => {
    const [lamp, brightness] = [own.properties[0]!, model(level).properties[0]!]
    expect(widgetOf(brightness, [dim])).toBe('number')
    expect(widgetOf(lamp, [dim])).toBeUndefined()
    expect(widgetOf(lamp, [dim, { functions: ['Power'], widget: 'buttons' }])).toBe('buttons')
    expect(widgetOf(brightness, [])).toBeUndefined()
  })
})

describe('parameters and members', () => {
  const param = (identifier: string, dataType: object) => ({
    identifier,
    name: identifier,
    dataType,
  })
  const struct = (...members: object[]) => ({ type: 'struct', specs: members })
  const degrees = (unit: string) => ({ type: 'int', specs: { min: 0, max: 360, unit } })
  const standard = ThingModel.parse({
    properties: [
      {
        ...level,
        identifier: 'Colour',
        dataType: struct(param('Red', number), param('Hue', degrees('°'))),
      },
      {
        ...level,
        identifier: 'Curve',
        dataType: { type: 'array', specs: { size: 4, item: struct(param('Level', number)) } },
      },
    ],
    services: [
      {
        identifier: 'Fade',
        name: '渐变',
        callType: 'sync',
        inputData: [param('Level', number), param('Seconds', degrees('s'))],
        outputData: [param('Left', degrees('s'))],
      },
    ],
    events: [
      { identifier: 'Fault', name: '故障', type: 'error', outputData: [param('Code', number)] },
    ],
  })
  const own = ThingModel.parse({
    properties: [
      {
        ...level,
        identifier: 'Colour',
        dataType: struct(param('Red', { type: 'float' }), param('Own', number)),
      },
      {
        ...level,
        identifier: 'Curve',
        dataType: {
          type: 'array',
          specs: { size: 4, item: struct(param('Level', { type: 'int', specs: { unit: 'lux' } })) },
        },
      },
    ],
    services: [
      {
        identifier: 'Fade',
        name: '渐变',
        callType: 'sync',
        inputData: [param('Level', number), param('Seconds', degrees('ms'))],
      },
    ],
    events: [
      {
        identifier: 'Fault',
        name: '故障',
        type: 'error',
        outputData: [param('Code', { type: 'date' })],
      },
    ],
  })
  const problems = (model: ThingModel, locked = false) =>
    departures(model, standard, locked).map(
      ({ identifier, problem, mend }) => `${identifier} ${problem}${mend ? '［改］' : ''}`,
    )

  it('are compared as properties are, each with its mend', () =>
    expect(problems(own)).toEqual([
      'Colour 成员 Red 类型应为整数，现为单精度浮点［改］',
      'Colour 缺少成员 Hue［改］',
      'Curve 元素的成员 Level 单位应为 %，现为 lux［改］',
      'Fade 输入参数 Seconds 单位应为 s，现为 ms［改］',
      'Fade 缺少输出参数 Left［改］',
      'Fault 输出参数 Code 类型应为整数，现为时间［改］',
    ]))
  it('keep their types once devices speak them', () =>
    expect(problems(own, true)).toContain('Fault 输出参数 Code 类型应为整数，现为时间'))
  it('fit after each mend was taken, and may be more', () => {
    let mended = own
    for (let next; (next = departures(mended, standard, false).find(({ mend }) => mend));)
      mended = next.mend!.model
    expect(problems(mended)).toEqual([])
    expect(ThingModel.parse(mended)).toEqual(mended)
    const [colour] = mended.properties
    expect(colour!.dataType).toMatchObject({
      specs: [{ identifier: 'Red' }, { identifier: 'Own' }, { identifier: 'Hue' }],
    })
  })
})
