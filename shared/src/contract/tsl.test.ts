import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countOf, differenceOf } from './modelDifference'
import { modelTable, readModelTable } from './modelSheet'
import type { ReadModel } from './readModel'
import { ThingModel } from './thingModel'
import { readTsl, toTsl } from './tsl'

/**
 * The samples follow published models of makers and SDKs: an LED light, an illuminance sensor, an air conditioner, a
 * sprinkler.
 */
const folder = join(__dirname, 'tslSamples')
const samples = readdirSync(folder).map((name) => [
  name,
  readFileSync(join(folder, name), 'utf8'),
]) as [string, string][]
const whole = ({ model, errors }: ReadModel & { model?: ThingModel }) => {
  expect(errors).toBeUndefined()
  return model!
}
const errorsOf = ({ errors }: ReadModel) =>
  errors?.map(({ place, field, reason }) => `${place}｜${field}｜${reason}`)

describe('a TSL file', () => {
  it('is refused with the place of what is wrong, and nothing of it is taken', () => {
    expect(errorsOf(readTsl('{'))).toEqual(['文件｜｜不是 JSON 文件'])
    expect(errorsOf(readTsl('[]'))).toEqual(['文件｜｜没有属性、服务或事件，不是 TSL 文件'])
    const wrong = {
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
    expect(errorsOf(readTsl(JSON.stringify(wrong)))).toEqual([
      '第 2 个属性 Dim｜名称｜请输入名称',
      '第 2 个属性 Dim｜最大值｜最大值不能小于最小值',
      '第 1 个服务 get｜标识符｜该标识符是系统保留字',
      '第 1 个事件 E｜事件类型｜请选择事件类型',
      '第 1 个事件 E，输出参数 1 a｜数据类型｜不支持这种数据类型',
    ])
  })
  it('is refused where a value of a list stands twice', () => {
    const one = (type: string, specs: string) =>
      `{"identifier":"M${type}","name":"\\"模式{","accessMode":"r","dataType":{"type":"${type}","specs":${specs}}}`
    const twice = [
      one('enum', '{"0":"关","1":"开", "0" : "停"}'),
      one('bool', '{"0":"关","1":"开","1":"亮"}'),
      one('bitmap', '{"0":"过压"}'),
    ]
    expect(errorsOf(readTsl(`{"properties":[${twice.join(',')}]}`))).toEqual([
      '第 1 个属性 Menum｜取值｜0 重复',
      '第 2 个属性 Mbool｜取值｜1 重复',
    ])
  })
  it('is refused where functions stand in modules of their own, which it would lose', () => {
    const text = (functionBlocks: unknown) => JSON.stringify({ properties: [], functionBlocks })
    const block = { identifier: 'battery', name: '电池', properties: [] }
    expect(errorsOf(readTsl(text([block])))).toEqual([
      '文件｜自定义模块｜只有默认模块的功能能导入，请先把“电池”的功能并入默认模块',
    ])
    expect(whole(readTsl(text([])))).toMatchObject({ properties: [] })
  })
  it('names the member of the parameter that is wrong', () => {
    const param = (identifier: string, dataType: object) => ({ identifier, name: '甲', dataType })
    const list = (type: string) => ({ type: 'array', specs: { size: '3', item: { type } } })
    const wrong = {
      services: [
        {
          identifier: 'Calibrate',
          name: '校准',
          inputData: [
            param('Ok', { type: 'date' }),
            param('Offset', { type: 'struct', specs: [param('to', list('int')), param('1', {})] }),
          ],
          outputData: [param('All', list('bool'))],
        },
      ],
    }
    expect(errorsOf(readTsl(JSON.stringify(wrong)))).toEqual([
      '第 1 个服务 Calibrate，输入参数 2 Offset，成员 1 to｜数据类型｜不支持这种数据类型',
      '第 1 个服务 Calibrate，输入参数 2 Offset，成员 2 1｜标识符｜标识符以字母开头，只用字母、数字和下划线，1–64 位',
      '第 1 个服务 Calibrate，输入参数 2 Offset，成员 2 1｜数据类型｜不支持这种数据类型',
      '第 1 个服务 Calibrate，输出参数 1 All｜元素类型｜不支持这种数据类型',
    ])
  })
  it('of another platform is called so, once', () => {
    const reason = '所有功能都没有 identifier，不是 TSL 文件；可以下载模板，改用表格导入'
    const property = { id: 'temp', name: '温度', valueType: { type: 'float' } }
    const foreign = { properties: [property, property], functions: [], events: [] }
    expect(errorsOf(readTsl(JSON.stringify(foreign)))).toEqual([`文件｜标识符｜${reason}`])
  })
  it('may be written with specs as text, and with empty words and null for what is not said', () => {
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
    expect(errorsOf(readTsl(JSON.stringify(file)))).toEqual(['第 4 个属性 D｜取值｜请填写枚举项'])
    properties.pop()
    expect(whole(readTsl(JSON.stringify(file))).properties.map(({ dataType }) => dataType)).toEqual(
      [
        { type: 'float', specs: { min: -40, max: 80, unit: '°C' } },
        { type: 'int', specs: {} },
        { type: 'text', specs: { length: 10_240 } },
      ],
    )
  })
  it('takes an empty unit for none', () => {
    const specs = { min: '0', max: '255', unit: '', unitName: '无', step: '1' }
    const red = {
      identifier: 'Red',
      name: '红',
      accessMode: 'rw',
      dataType: { type: 'int', specs },
    }
    const model = whole(readTsl(JSON.stringify({ properties: [red] })))
    expect(model.properties[0]!.dataType).toEqual({
      type: 'int',
      specs: { min: 0, max: 255, step: 1 },
    })
  })
  it.each(samples)(
    '%s is read without the services of the protocol, and written as it was',
    (_, text) => {
      const model = whole(readTsl(text))
      const functions = [...model.services, ...model.events].map(({ identifier }) => identifier)
      expect(functions).not.toContain('post')
      expect(functions).not.toContain('set')
      expect(countOf(model)).toBeGreaterThan(0)
      const { productKey } = (JSON.parse(text) as { profile: { productKey: string } }).profile
      expect(toTsl(model, { productKey })).toEqual(JSON.parse(text))
    },
  )
  it('says our units for those that others write otherwise', () => {
    const foreign = samples
      .find(([name]) => name.startsWith('illu'))![1]
      .replaceAll('"lux"', '"Lux"')
    expect(JSON.stringify(whole(readTsl(foreign)))).toContain('"unit":"lux"')
  })
  it('carries what TSL has no word for under our own names', () => {
    const head = { name: '状态', accessMode: 'r' }
    const model = ThingModel.parse({
      properties: [
        {
          ...head,
          identifier: 'Alarms',
          dataType: { type: 'bitmap', specs: { 0: '过压', 31: '离线' } },
        },
        {
          ...head,
          identifier: 'Power',
          isHistory: false,
          dataType: { type: 'float', specs: { scale: 2 } },
        },
      ],
    })
    expect(whole(readTsl(JSON.stringify(toTsl(model, { productKey: 'a1' }))))).toEqual(model)
  })
})

describe('what a TSL file says beyond the model', () => {
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
    outputData: [{ ...member, identifier: '__x', desc: 'x' }].map((one) => ({
      ...one,
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
  const own = (written: Record<string, unknown>) => ({
    ...written,
    services: (written.services as unknown[]).slice(2),
    events: (written.events as unknown[]).slice(1),
  })
  it('is kept at every depth and exported as it was, twice', () => {
    const model = whole(readTsl(JSON.stringify(file)))
    expect(own(toTsl(model, { productKey: 'a1' }))).toEqual(file)
    const again = whole(readTsl(JSON.stringify(toTsl(model, { productKey: 'a1' }))))
    expect(again).toEqual(model)
  })
  it('passes through a table and through the contract', () => {
    const model = whole(readTsl(JSON.stringify(file)))
    expect(whole(readModelTable(modelTable(model)))).toEqual(model)
    expect(ThingModel.parse(JSON.parse(JSON.stringify(model)))).toEqual(model)
  })
  it('is refused where it cannot be meant, or is too much', () => {
    const text = (more: object) =>
      JSON.stringify({
        properties: [{ ...property, ...more }],
        services: [{ ...service, method: 'fade' }],
      })
    expect(errorsOf(readTsl(text({})))).toEqual([
      '第 1 个服务 Fade｜method｜“fade”不能保留，只能是 thing.service.Fade',
    ])
    const long = JSON.stringify({ properties: [{ ...property, note: 'x'.repeat(9000) }] })
    expect(errorsOf(readTsl(long))).toEqual(['第 1 个属性 Temp｜其他｜其他内容最多 8192 个字符'])
    const hostile = `{"properties":[{"identifier":"A","name":"甲","accessMode":"r","dataType":{"type":"date"},"__proto__":{"x":1}}]}`
    expect(errorsOf(readTsl(hostile))?.[0]).toContain('第 1 个属性 A｜其他')
    expect(
      errorsOf(
        readModelTable([
          ['类别', '标识符', '名称', '数据类型', '读写类型', '其他'],
          ['属性', 'A', '甲', '时间', '只读', '{'],
        ]),
      )?.[0],
    ).toContain('第 2 行｜其他')
  })
  it('shows in a difference, and a later word of the model wins', () => {
    const model = whole(readTsl(JSON.stringify({ properties: [property] })))
    const [one] = model.properties
    const bare = { ...model, properties: [{ ...one!, extra: undefined }] }
    expect(differenceOf(bare, model)).toMatchObject([{ changes: [{ title: '其他' }] }])
    const extra = [{ path: ['desc'], value: '旧' }]
    expect(
      toTsl({ ...model, properties: [{ ...one!, extra }] }, { productKey: 'a1' }),
    ).toMatchObject({
      properties: [{ desc: '室内' }],
    })
  })
})

describe('a table of functions', () => {
  it('is refused by row and column', () => {
    expect(errorsOf(readModelTable([['名称', '标识符']]))).toEqual([
      '表头｜类别、数据类型｜缺少列，请下载模板对照',
    ])
    const head = ['类别', '标识符', '名称', '数据类型', '最小值', '最大值', '读写类型', '取值']
    const table = [
      head,
      ['属性', '1x', '开关', '布尔', '', '', '读写', '0=关；1=开'],
      ['输入参数', 'a', '甲', '整数'],
      ['成员', 'b', '乙', '整数'],
      ['东西', 'c', '丙', '整数'],
    ]
    expect(errorsOf(readModelTable(table))).toEqual([
      '第 3 行｜类别｜输入参数要放在服务下面',
      '第 4 行｜类别｜成员要放在结构体下面',
      '第 5 行｜类别｜只能是属性、服务、事件、输入参数、输出参数或成员',
    ])
    expect(
      errorsOf(
        readModelTable([
          head,
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
  it('is refused where a value of a list stands twice, or a yes is none', () => {
    const head = ['类别', '标识符', '名称', '数据类型', '读写类型', '取值', '必选', '保存历史']
    const table = [
      head,
      ['属性', 'Mode', '模式', '枚举', '只读', '0=关；1=开；0=停', '是'],
      ['属性', 'Power', '开关', '布尔', '只读', '0=关；1=开；1=亮', '', '否'],
      ['属性', 'Bits', '告警', '位图', '只读', '0=过压', '√', 'Y'],
    ]
    expect(errorsOf(readModelTable(table))).toEqual([
      '第 2 行｜取值｜0 重复',
      '第 3 行｜取值｜1 重复',
      '第 4 行｜必选｜只能是“是”或“否”',
      '第 4 行｜保存历史｜只能是“是”或“否”',
    ])
  })
  it.each(samples)('gives %s back as it was', (_, text) => {
    const model = whole(readTsl(text))
    const table = modelTable(model).map((row) => row.map((cell) => cell.replace(/^-/, "'-")))
    expect(whole(readModelTable(table))).toEqual(model)
  })
  const head = ['类别', '标识符', '名称', '数据类型', '读写类型', '取值']
  const wordsIn = (cell: string) => {
    const table = [head, ['属性', 'Mode', '模式', '枚举', '只读', cell]]
    const { dataType } = whole(readModelTable(table)).properties[0]!
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
  ])('gives the word %j back as it was', (word) => {
    for (const type of ['enum', 'bitmap'] as const)
      for (const specs of [
        { 0: word, 1: '中', 2: '末' },
        { 0: '首', 1: '中', 2: word },
      ]) {
        const dataType = { type, specs }
        const mode = { identifier: 'Mode', name: '模式', accessMode: 'r', dataType }
        const model = ThingModel.parse({ properties: [mode] })
        expect(whole(readModelTable(modelTable(model)))).toEqual(model)
      }
  })
  it('takes words as tables had them before: quotes around what needs none are letters', () => {
    expect(wordsIn('0=关；1=开')).toEqual(['关', '开'])
    expect(wordsIn('0：关\n 1 = 开 ; 2＝a=b；')).toEqual(['关', '开', 'a=b'])
    expect(wordsIn('0="关"；1=3"灯')).toEqual(['"关"', '3"灯'])
    expect(wordsIn('0= "慢；快" ; 1="a')).toEqual(['慢；快', '"a'])
  })
  it('takes values apart that someone wrote with commas or blanks between them', () => {
    for (const between of ['，', ', ', '、', ' '])
      expect(wordsIn(['0=关', '1=开，全部', '-2：停'].join(between))).toEqual([
        '关',
        '开，全部',
        '停',
      ])
  })
  it('says once what is wrong twice in a cell', () => {
    const cell = '0-关；1-开'
    expect(errorsOf(readModelTable([head, ['属性', 'A', '甲', '枚举', '只读', cell]]))).toEqual([
      '第 2 行｜取值｜枚举值须为整数',
    ])
  })
})

describe('the difference of two models', () => {
  const base = whole(readTsl(samples.find(([name]) => name.startsWith('air'))![1]))
  it('is none between a model and itself', () => expect(differenceOf(base, base)).toEqual([]))
  it('says what is new, gone, other and elsewhere', () => {
    const [power, target, ...rest] = base.properties
    const after: ThingModel = {
      ...base,
      properties: [
        ...rest,
        {
          ...target!,
          required: true,
          dataType: { type: 'float', specs: { min: 18, max: 30, unit: '°C' } },
        },
        { ...power!, identifier: 'Power' },
      ],
      services: [],
    }
    expect(
      differenceOf(base, after).map(({ change, name, changes }) => [change, name, changes]),
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
