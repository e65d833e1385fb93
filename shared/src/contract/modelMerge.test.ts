import { departures } from './conformance'
import { follow } from './modelMerge'
import { ThingModel } from './thingModel'

const int = (unit?: string, max = 100) => ({ type: 'int', specs: { min: 0, max, unit } })
const property = (identifier: string, change: object = {}) => ({
  identifier,
  name: identifier,
  accessMode: 'rw',
  dataType: int(),
  ...change,
})
const model = (...properties: object[]) => ThingModel.parse({ properties })
const names = (one: ThingModel) => one.properties.map(({ identifier }) => identifier)

describe('a product that takes a newer version of its category', () => {
  const first = model(property('A'), property('B'), property('C'))
  const second = model(property('A', { name: '甲' }), property('B', { name: '乙' }), property('D'))
  it('gets what it did not touch, and keeps what is its own', () => {
    const own = model(
      property('A'),
      property('B', { dataType: int('%') }),
      property('C'),
      property('Own'),
    )
    const { model: merged, changes, kept } = follow(own, first, second, false)
    expect(names(merged)).toEqual(['A', 'B', 'Own', 'D'])
    expect(merged.properties[0]!.name).toBe('甲')
    expect(merged.properties[1]).toEqual(own.properties[1])
    expect(kept.map(({ identifier }) => identifier)).toEqual(['B'])
    expect(changes.map(({ change, identifier }) => `${change} ${identifier}`)).toEqual([
      'changed A',
      'added D',
      'removed C',
    ])
  })
  it('loses nothing that its devices speak', () => {
    const { model: merged, kept } = follow(first, first, second, true)
    expect(names(merged)).toEqual(['A', 'B', 'C', 'D'])
    expect(kept.map(({ identifier }) => identifier)).toEqual(['C'])
  })
  it('does not get back what it took away', () =>
    expect(names(follow(model(property('A')), first, second, false).model)).toEqual(['A', 'D']))
  it('follows for the first time by adding what it lacks', () =>
    expect(names(follow(model(property('Own')), null, second, false).model)).toEqual([
      'Own',
      'A',
      'B',
      'D',
    ]))
})

describe('a product that departs from its category', () => {
  const standard = ThingModel.parse({
    properties: [
      property('Power', { required: true }),
      property('Level', { dataType: int('%') }),
      property('Temperature', { accessMode: 'r' }),
    ],
    services: [{ identifier: 'Identify', name: '闪灯', callType: 'sync' }],
    events: [{ identifier: 'Fault', name: '故障', type: 'error', required: true }],
  })
  const own = ThingModel.parse({
    properties: [
      property('Level', { dataType: int('lux') }),
      property('Temperature', { dataType: { type: 'double' } }),
    ],
    services: [
      { identifier: 'Identify', name: '闪灯', callType: 'async' },
      { identifier: 'Fault', name: '故障' },
    ],
  })
  const problems = (one: ThingModel, locked = false) =>
    departures(one, standard, locked).map(
      ({ identifier, problem, mend }) =>
        `${identifier}：${problem}${mend ? `［${mend.title}］` : ''}`,
    )
  it('is told each departure, with a mend where there is one', () =>
    expect(problems(own)).toEqual([
      'Power：缺少必选属性［添加］',
      'Level：单位应为 %，现为 lux［改为标准］',
      'Temperature：类型应为整数，现为双精度浮点［改为标准］',
      'Identify：应为同步调用，现为异步［改为标准］',
      'Fault：应为事件，现为服务',
    ]))
  it('keeps its types once devices speak them', () =>
    expect(problems(own, true)).toContain('Temperature：类型应为整数，现为双精度浮点'))
  it('has nothing left to mend after each mend was taken', () => {
    let mended = own
    for (let next; (next = departures(mended, standard, false).find(({ mend }) => mend));)
      mended = next.mend!.model
    expect(problems(mended)).toEqual(['Fault：应为事件，现为服务'])
    expect(ThingModel.parse(mended)).toEqual(mended)
  })
  it('may do more than is asked', () => expect(problems(standard)).toEqual([]))
})
