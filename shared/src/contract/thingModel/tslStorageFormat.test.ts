import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelReadResult } from './parseModel'
import type { ThingModel } from './thingModel.schema'
import { describeType } from './thingText'
import { toTsl } from './tsl'
import { parseTsl } from './tsl.schema'

const text = readFileSync(join(__dirname, 'tslStoredSamples/airPurifier.json'), 'utf8')
const expectModel = ({ model, errors }: ModelReadResult & { model?: ThingModel }) => {
  expect(errors).toBeUndefined()
  return model!
}

describe('a model in the storage format of Alibaba', () => {
  it('is imported with every type and exported as TSL', () => {
    const model = expectModel(parseTsl(text))
    expect(
      model.properties.map(({ identifier, accessMode, required, dataType }) =>
        [identifier, accessMode, required && '必选', describeType(dataType)]
          .filter(Boolean)
          .join(' '),
      ),
    ).toEqual([
      'PowerSwitch rw 必选 布尔 0=关闭、1=开启',
      'WorkMode rw 枚举 0=自动、1=睡眠、2=强力',
      'PM25 r 必选 双精度浮点 0–999.9 μg/m³，步长 0.1',
      'RoomTemperature r 整数 -20–50 °C，步长 1',
      'FilterCode r 文本 最长 64',
      'FilterChanged r 时间',
      'RingLight rw 结构体（红 Red：整数 0–255，步长 1；呼吸灯 Breathing：布尔 0=常亮、1=呼吸）',
      'HourlyPM25 r 数组 最多 24 个单精度浮点',
      'Schedule rw 数组 最多 8 个结构体（时刻 At：文本 最长 5）',
    ])
    expect(model.properties[2]!.desc).toBe('出风口旁的传感器')
    expect(model.services).toMatchObject([
      {
        identifier: 'ResetFilter',
        name: '复位滤网',
        callType: 'sync',
        inputData: [{ name: '新滤网编号', dataType: { type: 'text', specs: { length: 64 } } }],
        outputData: [{ identifier: 'LeftLife', dataType: { type: 'int', specs: { unit: '%' } } }],
      },
    ])
    expect(model.events).toMatchObject([
      {
        identifier: 'FilterWornOut',
        name: '滤网到期',
        type: 'alert',
        required: true,
        outputData: [{ name: '已用时长', dataType: { type: 'int', specs: { max: 9999 } } }],
      },
    ])
    const generatedTsl = toTsl(model, { productKey: 'a1' })
    expect(generatedTsl).toMatchObject({
      properties: expect.arrayContaining([
        expect.objectContaining({ identifier: 'PowerSwitch', accessMode: 'rw' }),
      ]),
    })
    expect(expectModel(parseTsl(JSON.stringify(generatedTsl)))).toEqual(model)
    expect(generatedTsl).toMatchObject({
      _ppk: { description: '首版', version: '1592444100000' },
      properties: expect.arrayContaining([
        expect.objectContaining({
          identifier: 'PM25',
          custom: true,
          dataType: {
            type: 'double',
            specs: expect.objectContaining({ custom: true, precise: 7 }),
          },
        }),
      ]),
    })
    expect(JSON.stringify(generatedTsl)).not.toMatch(/rwFlag|READ_ONLY|k1AirPurif01/)
  })
  it('is refused with the positions used for TSL', () => {
    const invalidFile = {
      properties: [
        { identifier: 'A', name: '甲', rwFlag: 'READ_SOMETIMES', dataType: 'BLOB' },
        {
          identifier: 'B',
          name: '乙',
          rwFlag: 'READ_ONLY',
          dataType: 'ENUM',
          dataSpecsList: [
            { name: '关', value: 0 },
            { name: '开', value: 0 },
          ],
        },
      ],
      services: [{ identifier: 'get' }, { identifier: 'S', inputParams: [{ identifier: '1' }] }],
      events: [{ identifier: 'E', eventName: '事', eventType: 'SOME_TYPE', outputdata: 3 }],
    }
    expect(
      parseTsl(JSON.stringify(invalidFile)).errors?.map(({ place, field, reason }) =>
        [place, field, reason].join('｜'),
      ),
    ).toEqual([
      '第 2 个属性 B｜取值｜0 重复',
      '第 1 个属性 A｜读写类型｜请选择读写类型',
      '第 1 个属性 A｜数据类型｜不支持这种数据类型',
      '第 1 个服务 S｜名称｜请填写名称',
      '第 1 个服务 S，输入参数 1 1｜标识符｜标识符以字母开头，只用字母、数字和下划线，1–64 位',
      '第 1 个服务 S，输入参数 1 1｜名称｜请填写名称',
      '第 1 个服务 S，输入参数 1 1｜数据类型｜不支持这种数据类型',
      '第 1 个事件 E｜事件类型｜请选择事件类型',
      '第 1 个事件 E｜输出参数｜输出参数不正确',
    ])
  })
  it('is refused with custom modules, which would be lost', () => {
    const block = { functionBlockId: 'location0', functionBlockName: '定位' }
    const file = { ...(JSON.parse(text) as object), functionBlocks: [block] }
    expect(parseTsl(JSON.stringify(file)).errors).toMatchObject([
      { reason: '只有默认模块的功能能导入，请先把“定位”的功能并入默认模块' },
    ])
  })
})
