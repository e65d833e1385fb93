import { findDeviations, findMissingControlFunctions } from './conformance'
import { findWidget } from './controlType'
import { ThingModel } from '../thingModel/thingModel.schema'

const numberType = { type: 'int', specs: { min: 0, max: 100, step: 1, unit: '%' } }
const powerProperty = { identifier: 'Power', name: '电源', accessMode: 'rw' }
const levelProperty = { identifier: 'Level', name: '亮度', accessMode: 'rw', dataType: numberType }
const createModel = (...properties: object[]) => ThingModel.parse({ properties })
const productModel = createModel({
  ...powerProperty,
  dataType: { type: 'bool', specs: { 0: '关', 1: '开' } },
})

describe('the control types of a product', () => {
  const dimControl = {
    code: 'dim',
    name: '调光',
    functions: ['Power', 'Level'],
    widget: 'number' as const,
  }

  it('report missing functions with a fix that copies them', () => {
    const [firstDeviation, ...otherDeviations] = findMissingControlFunctions(
      productModel,
      [dimControl],
      [createModel(levelProperty)],
    )
    expect(otherDeviations).toEqual([])
    expect(firstDeviation).toMatchObject({
      identifier: 'Level',
      name: '亮度',
      problem: '缺少控制类型“调光”的必备功能',
    })
    const fixedModel = firstDeviation!.fix!.model
    expect(fixedModel.properties.map(({ identifier }) => identifier)).toEqual(['Power', 'Level'])
    expect(findMissingControlFunctions(fixedModel, [dimControl], [])).toEqual([])
    expect(findMissingControlFunctions(productModel, [dimControl], [])[0]!.fix).toBeUndefined()
  })
  it('determine the input for a writable property', () => {
    const [powerSwitch, brightness] = [
      productModel.properties[0]!,
      createModel(levelProperty).properties[0]!,
    ]
    expect(findWidget(brightness, [dimControl])).toBe('number')
    expect(findWidget(powerSwitch, [dimControl])).toBeUndefined()
    expect(findWidget(powerSwitch, [dimControl, { functions: ['Power'], widget: 'buttons' }])).toBe(
      'buttons',
    )
    expect(findWidget(brightness, [])).toBeUndefined()
  })
})

describe('parameters and members', () => {
  const createParam = (identifier: string, dataType: object) => ({
    identifier,
    name: identifier,
    dataType,
  })
  const createStruct = (...members: object[]) => ({ type: 'struct', specs: members })
  const createUnitType = (unit: string) => ({ type: 'int', specs: { min: 0, max: 360, unit } })
  const standardModel = ThingModel.parse({
    properties: [
      {
        ...levelProperty,
        identifier: 'Colour',
        dataType: createStruct(
          createParam('Red', numberType),
          createParam('Hue', createUnitType('°')),
        ),
      },
      {
        ...levelProperty,
        identifier: 'Curve',
        dataType: {
          type: 'array',
          specs: { size: 4, item: createStruct(createParam('Level', numberType)) },
        },
      },
    ],
    services: [
      {
        identifier: 'Fade',
        name: '渐变',
        callType: 'sync',
        inputData: [createParam('Level', numberType), createParam('Seconds', createUnitType('s'))],
        outputData: [createParam('Left', createUnitType('s'))],
      },
    ],
    events: [
      {
        identifier: 'Fault',
        name: '故障',
        type: 'error',
        outputData: [createParam('Code', numberType)],
      },
    ],
  })
  const productModelWithParts = ThingModel.parse({
    properties: [
      {
        ...levelProperty,
        identifier: 'Colour',
        dataType: createStruct(
          createParam('Red', { type: 'float' }),
          createParam('Own', numberType),
        ),
      },
      {
        ...levelProperty,
        identifier: 'Curve',
        dataType: {
          type: 'array',
          specs: {
            size: 4,
            item: createStruct(createParam('Level', { type: 'int', specs: { unit: 'lux' } })),
          },
        },
      },
    ],
    services: [
      {
        identifier: 'Fade',
        name: '渐变',
        callType: 'sync',
        inputData: [createParam('Level', numberType), createParam('Seconds', createUnitType('ms'))],
      },
    ],
    events: [
      {
        identifier: 'Fault',
        name: '故障',
        type: 'error',
        outputData: [createParam('Code', { type: 'date' })],
      },
    ],
  })
  const listProblems = (model: ThingModel, locked = false) =>
    findDeviations(model, standardModel, locked).map(
      ({ identifier, problem, fix }) => `${identifier} ${problem}${fix ? '［改］' : ''}`,
    )

  it('are compared like properties, each with a fix', () =>
    expect(listProblems(productModelWithParts)).toEqual([
      'Colour 成员 Red 类型应为整数，现为单精度浮点［改］',
      'Colour 缺少成员 Hue［改］',
      'Curve 元素的成员 Level 单位应为 %，现为 lux［改］',
      'Fade 输入参数 Seconds 单位应为 s，现为 ms［改］',
      'Fade 缺少输出参数 Left［改］',
      'Fault 输出参数 Code 类型应为整数，现为时间［改］',
    ]))
  it('keep their types on a published product', () =>
    expect(listProblems(productModelWithParts, true)).toContain(
      'Fault 输出参数 Code 类型应为整数，现为时间',
    ))
  it('conform after all fixes, and may include more', () => {
    let fixedModel = productModelWithParts
    for (
      let nextDeviation;
      (nextDeviation = findDeviations(fixedModel, standardModel, false).find(({ fix }) => fix));
    )
      fixedModel = nextDeviation.fix!.model
    expect(listProblems(fixedModel)).toEqual([])
    expect(ThingModel.parse(fixedModel)).toEqual(fixedModel)
    const [colourProperty] = fixedModel.properties
    expect(colourProperty!.dataType).toMatchObject({
      specs: [{ identifier: 'Red' }, { identifier: 'Own' }, { identifier: 'Hue' }],
    })
  })
})
