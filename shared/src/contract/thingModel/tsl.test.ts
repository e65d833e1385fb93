import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatFunctionName, isOffered } from './deprecation'
import { countFunctions, compareModels } from './modelDifference'
import { toModelTable } from './modelSheet'
import { parseModelTable } from './modelSheet.schema'
import type { ModelReadResult } from './parseModel'
import { ThingModel } from './thingModel.schema'
import { toTsl } from './tsl'
import { parseTsl } from './tsl.schema'

/**
 * The samples follow published models of makers and SDKs: an LED light, an illuminance sensor, an air conditioner, a
 * sprinkler.
 */
const samplesFolder = join(__dirname, 'tslSamples')
const samples = readdirSync(samplesFolder).map<[string, string]>((name) => [
  name,
  readFileSync(join(samplesFolder, name), 'utf8'),
])
const expectModel = ({ model, errors }: ModelReadResult & { model?: ThingModel }) => {
  expect(errors).toBeUndefined()
  return model!
}
const listErrors = ({ errors }: ModelReadResult) =>
  errors?.map(({ place, field, reason }) => `${place}｜${field}｜${reason}`)

describe('a TSL file', () => {
  it('is refused as a whole with the position of each error', () => {
    expect(listErrors(parseTsl('{'))).toEqual(['文件｜｜不是 JSON 文件'])
    expect(listErrors(parseTsl('[]'))).toEqual(['文件｜｜没有属性、服务或事件，不是 TSL 文件'])
    const invalidFile = {
      properties: [
        { identifier: 'Ok', name: '好', accessMode: 'r', dataType: { type: 'date', specs: {} } },
        {
          identifier: 'Dim',
          name: '',
          accessMode: 'r',
          dataType: { type: 'int', specs: { min: '9', max: '1' } },
        },
      ],
      services: [{ identifier: 'get', name: '自己的 get', method: 'thing.service.get' }],
      events: [
        {
          identifier: 'E',
          name: '事件',
          type: 'x',
          outputData: [{ identifier: 'a', name: '甲', dataType: { type: 'blob' } }],
        },
      ],
    }
    expect(listErrors(parseTsl(JSON.stringify(invalidFile)))).toEqual([
      '第 2 个属性 Dim｜名称｜请输入名称',
      '第 2 个属性 Dim｜最大值｜最大值不能小于最小值',
      '第 1 个服务 get｜标识符｜该标识符是系统保留字',
      '第 1 个事件 E｜事件类型｜请选择事件类型',
      '第 1 个事件 E，输出参数 1 a｜数据类型｜不支持这种数据类型',
    ])
  })
  it('is refused with a duplicate value in an enum', () => {
    const createPropertyJson = (type: string, specs: string) =>
      `{"identifier":"M${type}","name":"\\"模式{","accessMode":"r","dataType":{"type":"${type}","specs":${specs}}}`
    const repeatedValueProperties = [
      createPropertyJson('enum', '{"0":"关","1":"开", "0" : "停"}'),
      createPropertyJson('bool', '{"0":"关","1":"开","1":"亮"}'),
      createPropertyJson('bitmap', '{"0":"过压"}'),
    ]
    expect(listErrors(parseTsl(`{"properties":[${repeatedValueProperties.join(',')}]}`))).toEqual([
      '第 1 个属性 Menum｜取值｜0 重复',
      '第 2 个属性 Mbool｜取值｜1 重复',
    ])
  })
  it.each([
    ['"min":"0x10"', '第 1 个属性 A｜最小值｜须为数字'],
    ['"max":"9007199254740993"', '第 1 个属性 A｜最大值｜位数太多，不能准确保存'],
    ['"max":9007199254740993', '文件｜9007199254740993｜位数太多，不能准确保存'],
    ['"max":"0.123456789012345678901"', '第 1 个属性 A｜最大值｜位数太多，不能准确保存'],
    ['"max":1,"serial":12345678901234567891', '文件｜12345678901234567891｜位数太多，不能准确保存'],
    ['"max":1,"max":2', '文件｜max｜在同一处出现两次'],
  ])('is refused with %s, which parsing would change', (specs, error) =>
    expect(
      listErrors(
        parseTsl(
          `{"properties":[{"identifier":"A","name":"甲","accessMode":"r","dataType":{"type":"double","specs":{${specs}}}}]}`,
        ),
      ),
    ).toEqual([error]),
  )
  it('is refused with custom modules, which would be lost', () => {
    const createTslText = (functionBlocks: unknown) =>
      JSON.stringify({ properties: [], functionBlocks })
    const block = { identifier: 'battery', name: '电池', properties: [] }
    expect(listErrors(parseTsl(createTslText([block])))).toEqual([
      '文件｜自定义模块｜只有默认模块的功能能导入，请先把“电池”的功能并入默认模块',
    ])
    expect(expectModel(parseTsl(createTslText([])))).toMatchObject({ properties: [] })
  })
  it('names the member of the wrong parameter', () => {
    const param = (identifier: string, dataType: object) => ({ identifier, name: '甲', dataType })
    const createListType = (type: string) => ({
      type: 'array',
      specs: { size: '3', item: { type } },
    })
    const invalidParams = {
      services: [
        {
          identifier: 'Calibrate',
          name: '校准',
          inputData: [
            param('Ok', { type: 'date' }),
            param('Offset', {
              type: 'struct',
              specs: [param('to', createListType('int')), param('1', {})],
            }),
          ],
          outputData: [param('All', createListType('bool'))],
        },
      ],
    }
    expect(listErrors(parseTsl(JSON.stringify(invalidParams)))).toEqual([
      '第 1 个服务 Calibrate，输入参数 2 Offset，成员 1 to｜数据类型｜不支持这种数据类型',
      '第 1 个服务 Calibrate，输入参数 2 Offset，成员 2 1｜标识符｜标识符以字母开头，只用字母、数字和下划线，1–64 位',
      '第 1 个服务 Calibrate，输入参数 2 Offset，成员 2 1｜数据类型｜不支持这种数据类型',
      '第 1 个服务 Calibrate，输出参数 1 All｜元素类型｜不支持这种数据类型',
    ])
  })
  it('of another platform is reported once', () => {
    const expectedReason = '所有功能都没有 identifier，不是 TSL 文件；可以下载模板，改用表格导入'
    const property = { id: 'temp', name: '温度', valueType: { type: 'float' } }
    const foreignFile = { properties: [property, property], functions: [], events: [] }
    expect(listErrors(parseTsl(JSON.stringify(foreignFile)))).toEqual([
      `文件｜标识符｜${expectedReason}`,
    ])
  })
  it('may have specs as text, and empty strings or null for missing fields', () => {
    const property = (identifier: string, dataType: object) => ({
      identifier,
      name: '甲',
      accessMode: 'r',
      desc: null,
      dataType,
    })
    const properties = [
      property('A', { type: 'float', specs: '{"min":"-40","max":"80","unit":"℃","step":""}' }),
      property('B', { type: 'int', specs: { min: '', max: '', step: null, unit: null } }),
      property('C', { type: 'text', specs: { length: '' } }),
      property('D', { type: 'enum', specs: '0=关' }),
    ]
    const file = { extends: 'base', properties, services: null, events: null }
    expect(listErrors(parseTsl(JSON.stringify(file)))).toEqual([
      '第 4 个属性 D｜取值｜请填写枚举项',
    ])
    properties.pop()
    expect(
      expectModel(parseTsl(JSON.stringify(file))).properties.map(({ dataType }) => dataType),
    ).toEqual([
      { type: 'float', specs: { min: -40, max: 80, unit: '°C' } },
      { type: 'int', specs: {} },
      { type: 'text', specs: { length: 10_240 } },
    ])
  })
  it('treats an empty unit as none', () => {
    const specs = { min: '0', max: '255', unit: '', unitName: '无', step: '1' }
    const red = {
      identifier: 'Red',
      name: '红',
      accessMode: 'rw',
      dataType: { type: 'int', specs },
    }
    const model = expectModel(parseTsl(JSON.stringify({ properties: [red] })))
    expect(model.properties[0]!.dataType).toEqual({
      type: 'int',
      specs: { min: 0, max: 255, step: 1 },
    })
  })
  it.each(samples)('%s is imported without protocol services and exported unchanged', (_, text) => {
    const model = expectModel(parseTsl(text))
    const functions = [...model.services, ...model.events].map(({ identifier }) => identifier)
    expect(functions).not.toContain('post')
    expect(functions).not.toContain('set')
    expect(countFunctions(model)).toBeGreaterThan(0)
    const { productKey } = (JSON.parse(text) as { profile: { productKey: string } }).profile
    expect(toTsl(model, { productKey })).toEqual(JSON.parse(text))
  })
  it('maps other spellings of units to ours', () => {
    const foreignText = samples
      .find(([name]) => name.startsWith('illu'))![1]
      .replaceAll('"lux"', '"Lux"')
    expect(JSON.stringify(expectModel(parseTsl(foreignText)))).toContain('"unit":"lux"')
  })
  it('stores types unknown to TSL under our own field names', () => {
    const propertyHead = { name: '状态', accessMode: 'r' }
    const model = ThingModel.parse({
      properties: [
        {
          ...propertyHead,
          identifier: 'Alarms',
          dataType: { type: 'bitmap', specs: { 0: '过压', 31: '离线' } },
        },
        {
          ...propertyHead,
          identifier: 'Power',
          isHistory: false,
          dataType: { type: 'float', specs: { scale: 2 } },
        },
      ],
    })
    expect(expectModel(parseTsl(JSON.stringify(toTsl(model, { productKey: 'a1' }))))).toEqual(model)
  })
})

describe('extra fields of a TSL file', () => {
  const property = {
    identifier: 'Temp',
    name: '温度',
    desc: '室内',
    required: true,
    accessMode: 'rw',
    dataType: {
      type: 'double',
      specs: {
        min: '-20',
        max: '60',
        step: '0.1',
        unit: '°C',
        unitName: '摄氏',
        precise: '7',
        defaultValue: '20',
        custom: true,
      },
    },
    custom: true,
    std: false,
    extendConfig: { a: [1, { b: null }] },
  }
  const member = {
    identifier: 'Red',
    name: '红',
    dataType: { type: 'int', specs: { min: '0', max: '9', step: '1' } },
  }
  const colour = {
    identifier: 'Colour',
    name: '颜色',
    required: false,
    accessMode: 'r',
    dataType: { type: 'struct', specs: [{ ...member, desc: '红色', custom: false }] },
  }
  const service = {
    identifier: 'Fade',
    name: '渐变',
    required: false,
    callType: 'async',
    method: 'thing.service.Fade',
    inputData: [{ ...member, direction: 'PARAM_INPUT', paraOrder: 0 }],
    outputData: [],
  }
  const event = {
    identifier: 'Fault',
    name: '故障',
    type: 'error',
    required: false,
    method: 'thing.event.Fault.post',
    outputData: [{ ...member, identifier: '__x', desc: 'x' }].map((param) => ({
      ...param,
      identifier: 'Code',
    })),
    custom: true,
  }
  const file = {
    schema: 'https://iot-tsl.oss-cn-shanghai.aliyuncs.com/schema.json',
    profile: { productKey: 'a1', version: '1.5', ppk: { id: 1 } },
    functionBlockId: 'default',
    properties: [property, colour],
    services: [service],
    events: [event],
  }
  const dropProtocolFunctions = (tslFile: Record<string, unknown>) => ({
    ...tslFile,
    services: (tslFile.services as unknown[]).slice(2),
    events: (tslFile.events as unknown[]).slice(1),
  })
  it('are kept at every depth and exported unchanged, twice', () => {
    const model = expectModel(parseTsl(JSON.stringify(file)))
    expect(dropProtocolFunctions(toTsl(model, { productKey: 'a1' }))).toEqual(file)
    const reparsedModel = expectModel(parseTsl(JSON.stringify(toTsl(model, { productKey: 'a1' }))))
    expect(reparsedModel).toEqual(model)
  })
  it('survive the table and the contract', () => {
    const model = expectModel(parseTsl(JSON.stringify(file)))
    expect(expectModel(parseModelTable(toModelTable(model)))).toEqual(model)
    expect(ThingModel.parse(JSON.parse(JSON.stringify(model)))).toEqual(model)
  })
  it('are refused when they contradict the model or are too large', () => {
    const createTslText = (overrides: object) =>
      JSON.stringify({
        properties: [{ ...property, ...overrides }],
        services: [{ ...service, method: 'fade' }],
      })
    expect(listErrors(parseTsl(createTslText({})))).toEqual([
      '第 1 个服务 Fade｜method｜“fade”不能保留，只能是 thing.service.Fade',
    ])
    const tooLongText = JSON.stringify({ properties: [{ ...property, note: 'x'.repeat(9000) }] })
    expect(listErrors(parseTsl(tooLongText))).toEqual([
      '第 1 个属性 Temp｜其他｜其他内容最多 8192 个字符',
    ])
    const pollutingText = `{"properties":[{"identifier":"A","name":"甲","accessMode":"r","dataType":{"type":"date"},"__proto__":{"x":1}}]}`
    expect(listErrors(parseTsl(pollutingText))?.[0]).toContain('第 1 个属性 A｜其他')
    expect(
      listErrors(
        parseModelTable([
          ['类别', '标识符', '名称', '数据类型', '读写类型', '其他'],
          ['属性', 'A', '甲', '时间', '只读', '{'],
        ]),
      )?.[0],
    ).toContain('第 2 行｜其他')
  })
  it('appear in the diff, and a later model value overrides them', () => {
    const model = expectModel(parseTsl(JSON.stringify({ properties: [property] })))
    const [onlyProperty] = model.properties
    const modelWithoutExtra = { ...model, properties: [{ ...onlyProperty!, extra: undefined }] }
    expect(compareModels(modelWithoutExtra, model)).toMatchObject([
      { changes: [{ title: '其他' }] },
    ])
    const extra = [{ path: ['desc'], value: '旧' }]
    expect(
      toTsl({ ...model, properties: [{ ...onlyProperty!, extra }] }, { productKey: 'a1' }),
    ).toMatchObject({
      properties: [{ desc: '室内' }],
    })
  })
})

describe('a table of functions', () => {
  it('is refused with row and column', () => {
    expect(listErrors(parseModelTable([['名称', '标识符']]))).toEqual([
      '表头｜类别、数据类型｜缺少列，请下载模板对照',
    ])
    const headerRow = ['类别', '标识符', '名称', '数据类型', '最小值', '最大值', '读写类型', '取值']
    const table = [
      headerRow,
      ['属性', '1x', '开关', '布尔', '', '', '读写', '0=关；1=开'],
      ['输入参数', 'a', '甲', '整数'],
      ['成员', 'b', '乙', '整数'],
      ['东西', 'c', '丙', '整数'],
    ]
    expect(listErrors(parseModelTable(table))).toEqual([
      '第 3 行｜类别｜输入参数要放在服务下面',
      '第 4 行｜类别｜成员要放在结构体下面',
      '第 5 行｜类别｜只能是属性、服务、事件、输入参数、输出参数或成员',
    ])
    expect(
      listErrors(
        parseModelTable([
          headerRow,
          table[1]!,
          ['属性', 'Dim', '调光', '整数', '十', '100', '任意'],
          ['', '', ''],
          ['属性', 'Dim', '再调光', '方块', '', '', '只读'],
          ['属性', 'Mode', '模式', '枚举', '', '', '只读', '自动'],
        ]),
      ),
    ).toEqual([
      '第 2 行｜标识符｜标识符以字母开头，只用字母、数字和下划线，1–64 位',
      '第 3 行｜读写类型｜请选择读写类型',
      '第 3 行｜最小值｜须为整数',
      '第 5 行｜数据类型｜不支持这种数据类型',
      '第 6 行｜取值｜枚举值须为整数',
    ])
  })
  it('is refused with a duplicate enum value or an invalid yes/no', () => {
    const headerRow = ['类别', '标识符', '名称', '数据类型', '读写类型', '取值', '必选', '保存历史']
    const table = [
      headerRow,
      ['属性', 'Mode', '模式', '枚举', '只读', '0=关；1=开；0=停', '是'],
      ['属性', 'Power', '开关', '布尔', '只读', '0=关；1=开；1=亮', '', '否'],
      ['属性', 'Bits', '告警', '位图', '只读', '0=过压', '√', 'Y'],
    ]
    expect(listErrors(parseModelTable(table))).toEqual([
      '第 2 行｜取值｜0 重复',
      '第 3 行｜取值｜1 重复',
      '第 4 行｜必选｜只能是“是”或“否”',
      '第 4 行｜保存历史｜只能是“是”或“否”',
    ])
  })
  it.each(samples)('re-imports %s unchanged', (_, text) => {
    const model = expectModel(parseTsl(text))
    const table = toModelTable(model).map((row) => row.map((cell) => cell.replace(/^-/, "'-")))
    expect(expectModel(parseModelTable(table))).toEqual(model)
  })
  const enumHeaderRow = ['类别', '标识符', '名称', '数据类型', '读写类型', '取值']
  const parseEnumWords = (cell: string) => {
    const table = [enumHeaderRow, ['属性', 'Mode', '模式', '枚举', '只读', cell]]
    const { dataType } = expectModel(parseModelTable(table)).properties[0]!
    return dataType.type === 'enum' ? Object.values(dataType.specs) : []
  }
  it.each([
    '慢；快',
    'a;b',
    '第一行\n第二行',
    '回\r\n车',
    '=1',
    '：x=y:z＝',
    '"开"',
    '3" 灯；带"引号"',
    '"',
    '""',
    '；',
    '“开”；‘关’',
    "'-1",
    'a,b\tc',
    '低，2=高',
    '快 3：慢',
  ])('re-imports the enum label %j unchanged', (word) => {
    for (const type of ['enum', 'bitmap'] as const)
      for (const specs of [
        { 0: word, 1: '中', 2: '末' },
        { 0: '首', 1: '中', 2: word },
      ]) {
        const dataType = { type, specs }
        const mode = { identifier: 'Mode', name: '模式', accessMode: 'r', dataType }
        const model = ThingModel.parse({ properties: [mode] })
        expect(expectModel(parseModelTable(toModelTable(model)))).toEqual(model)
      }
  })
  it('reads the former label format, in which unneeded quotes are part of the text', () => {
    expect(parseEnumWords('0=关；1=开')).toEqual(['关', '开'])
    expect(parseEnumWords('0：关\n 1 = 开 ; 2＝a=b；')).toEqual(['关', '开', 'a=b'])
    expect(parseEnumWords('0="关"；1=3"灯')).toEqual(['"关"', '3"灯'])
    expect(parseEnumWords('0= "慢；快" ; 1="a')).toEqual(['慢；快', '"a'])
  })
  it('splits values separated by commas or blanks', () => {
    for (const separator of ['，', ', ', '、', ' '])
      expect(parseEnumWords(['0=关', '1=开，全部', '-2：停'].join(separator))).toEqual([
        '关',
        '开，全部',
        '停',
      ])
  })
  it('reports an error once when it occurs twice in a cell', () => {
    const cell = '0-关；1-开'
    expect(
      listErrors(parseModelTable([enumHeaderRow, ['属性', 'A', '甲', '枚举', '只读', cell]])),
    ).toEqual(['第 2 行｜取值｜枚举值须为整数'])
  })
})

describe('the diff of two models', () => {
  const baseModel = expectModel(parseTsl(samples.find(([name]) => name.startsWith('air'))![1]))
  it('is empty for equal models', () => expect(compareModels(baseModel, baseModel)).toEqual([]))
  it('lists added, removed, changed and moved functions', () => {
    const [powerProperty, targetProperty, ...rest] = baseModel.properties
    const changedModel: ThingModel = {
      ...baseModel,
      properties: [
        ...rest,
        {
          ...targetProperty!,
          required: true,
          dataType: { type: 'float', specs: { min: 18, max: 30, unit: '°C' } },
        },
        { ...powerProperty!, identifier: 'Power' },
      ],
      services: [],
    }
    expect(
      compareModels(baseModel, changedModel).map(({ change, name, changes }) => [
        change,
        name,
        changes,
      ]),
    ).toEqual([
      [
        'changed',
        '目标温度',
        [
          { title: '必选', before: '否', after: '是' },
          {
            title: '数据类型',
            before: '单精度浮点 16–32 °C，步长 0.5',
            after: '单精度浮点 18–30 °C',
          },
        ],
      ],
      ['added', '电源开关', []],
      ['removed', '电源开关', []],
      ['removed', '校准时间', []],
      ['order', '顺序', [expect.objectContaining({ title: '顺序' })]],
    ])
  })
})

describe('a deprecated function', () => {
  const file = {
    properties: [
      {
        identifier: 'Level',
        name: '旧亮度',
        accessMode: 'rw',
        isDeprecated: true,
        dataType: { type: 'int', specs: {} },
      },
      {
        identifier: 'Power',
        name: '开关',
        accessMode: 'rw',
        dataType: { type: 'date', specs: {} },
      },
    ],
    services: [{ identifier: 'Blink', name: '闪烁', callType: 'async', isDeprecated: true }],
    events: [{ identifier: 'Hot', name: '过热', type: 'alert', isDeprecated: true }],
  }
  const model = expectModel(parseTsl(JSON.stringify(file)))
  const listDeprecated = ({ properties, services, events }: ThingModel) =>
    [...properties, ...services, ...events].flatMap(({ identifier, isDeprecated }) =>
      isDeprecated ? identifier : [],
    )

  it('keeps its mark in a TSL file and in a table', () => {
    const deprecated = ['Level', 'Blink', 'Hot']
    expect(listDeprecated(model)).toEqual(deprecated)
    const copyOfTsl = parseTsl(JSON.stringify(toTsl(model, { productKey: 'a1' })))
    expect(expectModel(copyOfTsl)).toEqual(model)
    expect(expectModel(parseModelTable(toModelTable(model)))).toEqual(model)
  })
  it('is refused with an invalid mark', () => {
    const [header, ...rows] = toModelTable(model)
    const column = header!.indexOf('弃用')
    expect(
      listErrors(parseModelTable([header!, rows[0]!.with(column, '也许'), ...rows.slice(1)])),
    ).toEqual(['第 2 行｜弃用｜只能是“是”或“否”'])
  })
  it('appears in the difference of two models', () => {
    const [level, ...otherProperties] = model.properties
    const restoredModel = {
      ...model,
      properties: [{ ...level!, isDeprecated: undefined }, ...otherProperties],
    }
    expect(compareModels(model, restoredModel)).toMatchObject([
      { name: '旧亮度', changes: [{ title: '弃用', before: '是', after: '否' }] },
    ])
  })
  it('is offered only where it is already chosen', () => {
    const level = model.properties[0]!
    expect(model.properties.map((property) => isOffered(property))).toEqual([false, true])
    expect(isOffered(level, ['Level'])).toBe(true)
    expect(model.properties.map(formatFunctionName)).toEqual(['旧亮度（已弃用）', '开关'])
  })
})
