import { findDeviations } from '../product/conformance'
import { adoptCategoryVersion } from './modelMerge'
import { ThingModel } from './thingModel.schema'

const createIntType = (unit?: string, max = 100) => ({ type: 'int', specs: { min: 0, max, unit } })
const createProperty = (identifier: string, overrides: object = {}) => ({
  identifier,
  name: identifier,
  accessMode: 'rw',
  dataType: createIntType(),
  ...overrides,
})
const createModel = (...properties: object[]) => ThingModel.parse({ properties })
const listIdentifiers = (thingModel: ThingModel) =>
  thingModel.properties.map(({ identifier }) => identifier)

describe('a product that adopts a newer version of its category', () => {
  const firstVersion = createModel(createProperty('A'), createProperty('B'), createProperty('C'))
  const secondVersion = createModel(
    createProperty('A', { name: '甲' }),
    createProperty('B', { name: '乙' }),
    createProperty('D'),
  )
  it('gets changes to unmodified functions and keeps its own', () => {
    const productModel = createModel(
      createProperty('A'),
      createProperty('B', { dataType: createIntType('%') }),
      createProperty('C'),
      createProperty('Own'),
    )
    const {
      model: merged,
      changes,
      keptChanges,
    } = adoptCategoryVersion(productModel, firstVersion, secondVersion, false)
    expect(listIdentifiers(merged)).toEqual(['A', 'B', 'Own', 'D'])
    expect(merged.properties[0]!.name).toBe('甲')
    expect(merged.properties[1]).toEqual(productModel.properties[1])
    expect(keptChanges.map(({ identifier }) => identifier)).toEqual(['B'])
    expect(changes.map(({ change, identifier }) => `${change} ${identifier}`)).toEqual([
      'changed A',
      'added D',
      'removed C',
    ])
  })
  it('loses no function when it is published', () => {
    const { model: merged, keptChanges } = adoptCategoryVersion(
      firstVersion,
      firstVersion,
      secondVersion,
      true,
    )
    expect(listIdentifiers(merged)).toEqual(['A', 'B', 'C', 'D'])
    expect(keptChanges.map(({ identifier }) => identifier)).toEqual(['C'])
  })
  it('does not get back functions it removed', () =>
    expect(
      listIdentifiers(
        adoptCategoryVersion(createModel(createProperty('A')), firstVersion, secondVersion, false)
          .model,
      ),
    ).toEqual(['A', 'D']))
  it('adopts a category the first time by adding missing functions', () =>
    expect(
      listIdentifiers(
        adoptCategoryVersion(createModel(createProperty('Own')), null, secondVersion, false).model,
      ),
    ).toEqual(['Own', 'A', 'B', 'D']))
})

describe('a product that deviates from its category', () => {
  const standardModel = ThingModel.parse({
    properties: [
      createProperty('Power', { required: true }),
      createProperty('Level', { dataType: createIntType('%') }),
      createProperty('Temperature', { accessMode: 'r' }),
    ],
    services: [{ identifier: 'Identify', name: '闪灯', callType: 'sync' }],
    events: [{ identifier: 'Fault', name: '故障', type: 'error', required: true }],
  })
  const productModel = ThingModel.parse({
    properties: [
      createProperty('Level', { dataType: createIntType('lux') }),
      createProperty('Temperature', { dataType: { type: 'double' } }),
    ],
    services: [
      { identifier: 'Identify', name: '闪灯', callType: 'async' },
      { identifier: 'Fault', name: '故障' },
    ],
  })
  const listProblems = (thingModel: ThingModel, locked = false) =>
    findDeviations(thingModel, standardModel, locked).map(
      ({ identifier, problem, fix }) => `${identifier}：${problem}${fix ? `［${fix.title}］` : ''}`,
    )
  it('lists each deviation, with a fix if there is one', () =>
    expect(listProblems(productModel)).toEqual([
      'Power：缺少必选属性［添加］',
      'Level：单位应为 %，现为 lux［改为标准］',
      'Temperature：类型应为整数，现为双精度浮点［改为标准］',
      'Identify：应为同步调用，现为异步［改为标准］',
      'Fault：应为事件，现为服务',
    ]))
  it('keeps its types when it is published', () =>
    expect(listProblems(productModel, true)).toContain('Temperature：类型应为整数，现为双精度浮点'))
  it('has no fix left after applying each one', () => {
    let fixedModel = productModel
    for (
      let nextDeviation;
      (nextDeviation = findDeviations(fixedModel, standardModel, false).find(({ fix }) => fix));
    )
      fixedModel = nextDeviation.fix!.model
    expect(listProblems(fixedModel)).toEqual(['Fault：应为事件，现为服务'])
    expect(ThingModel.parse(fixedModel)).toEqual(fixedModel)
  })
  it('may include more than the category requires', () =>
    expect(listProblems(standardModel)).toEqual([]))
})
