import { AreaCode, Status, Time } from '@iot/shared/contract/fields.schema'
import { z } from 'zod'
import {
  createBooleanConversion,
  joinCell,
  semicolonDivision,
  createListConversion,
  splitCell,
  createChoiceConversion,
} from './cellConversion'
import { toExportCells, readSheet, createRowsConversion, createSheetColumns } from './sheet'
import { createWorkbook, toCsv } from './sheetFile'

const Lamp = z.object({
  name: z.string().meta({ title: '名称' }),
  status: Status.meta({ title: '状况' }),
  power: z.number().optional().meta({ title: '功率' }),
  isProtected: z.boolean().meta({ title: '受保护' }),
  kind: z.enum(['panel', 'spot']).meta({ title: '种类' }),
  seen: Time.nullable().meta({ title: '最近上线' }),
})
const sheet = createSheetColumns(Lamp, {
  name: '大堂灯',
  status: '启用',
  power: '18',
  isProtected: '否',
  kind: { ...createChoiceConversion({ panel: '面板灯', spot: '射灯' }), example: '射灯' },
  seen: '',
})
const tableHead = ['名称', '状况', '功率', '受保护', '种类', '最近上线']

it('names the missing columns', () =>
  expect(readSheet(sheet, [['名称', '种类'], ['a']]).missing).toEqual([
    '状况',
    '功率',
    '受保护',
    '最近上线',
  ]))

it('finds columns by title, keeps line numbers and skips rows without text', () => {
  const { rows, getRowName } = readSheet(sheet, [
    ['种类', ...tableHead.filter((title) => title !== '种类')],
    ['射灯', " '=a "],
    ['', ' ', ''],
    ['', '走廊'],
  ])
  expect(rows.map(({ line, cells }) => [line, getRowName(cells)])).toEqual([
    [2, '=a'],
    [4, '走廊'],
  ])
})

it('converts known words to values and leaves others for the contract to refuse', () => {
  const { readDraft } = readSheet(sheet, [tableHead])
  expect(readDraft(['a', '禁用', '18.5', '是', '射灯', '']).given).toMatchObject({
    status: 'disabled',
    power: 18.5,
    isProtected: true,
    kind: 'spot',
  })
  expect(readDraft(['a', '', '', '', '吊灯']).given).toMatchObject({
    status: 'enabled',
    power: undefined,
    isProtected: false,
    kind: '吊灯',
  })
  for (const notANumber of ['0x10', '0b11', 'Infinity'])
    expect(readDraft(['a', '', notANumber]).given).toMatchObject({ power: NaN })
  expect(readDraft(['a', '停用', '十八', '√']).given).toMatchObject({
    status: '停用',
    power: NaN,
    isProtected: '√',
  })
})

it('refuses a cell of the wrong type under the title of its column', () => {
  const { readDraft } = readSheet(sheet, [tableHead])
  const date = { kind: 'date', shown: '1月2日', value: '2026-01-02' } as const
  expect(readDraft([date, '启用', { kind: 'percent', shown: '30%', value: '0.3' }]).wrong).toEqual({
    name: expect.stringContaining('显示为“1月2日”') as string,
    power: expect.stringContaining('百分数“30%”') as string,
  })
  expect(readDraft(['a', '启用', '18', { kind: 'error', shown: '#N/A' }]).wrong).toHaveProperty(
    'isProtected',
  )
})

it('names repeated columns and unknown columns', () => {
  const { repeated: repeatedTitles, unknown: unknownTitles } = readSheet(sheet, [
    [...tableHead, '备注', '状况', ''],
    ['a', '', '', '', '', '', '', '', 'b', 'c'],
  ])
  expect(repeatedTitles).toEqual(['状况'])
  expect(unknownTitles).toEqual(['备注', '第 9 列（没有表头）', '第 10 列（没有表头）'])
})

it('writes labels, numbers and times in the requested time zone', () => {
  const lamp = {
    name: '=1+1',
    status: 'disabled',
    power: 18,
    isProtected: true,
    kind: 'panel',
    seen: '2026-01-31T20:05:06.000Z',
  }
  expect(toExportCells(sheet, lamp, 'Asia/Shanghai')).toEqual([
    '=1+1',
    '禁用',
    18,
    '是',
    '面板灯',
    { time: '2026-02-01 04:05:06' },
  ])
  expect(toExportCells(sheet, { ...lamp, seen: null }, 'UTC').at(-1)).toBe('')
})

it.each([
  '=1+1',
  '+86',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '＝1',
  '＋1',
  '－1',
  '＠A1',
  "'=1",
  ' =1',
  '\u00a0=1',
  '﹦1',
])('escapes %j so that it is no formula', (text) =>
  expect(toCsv([[text]])).toBe(`\ufeff'${text}\r\n`),
)
it('refuses a text that a workbook would cut', () =>
  expect(createWorkbook([['名称'], ['长'.repeat(32_768)]])).rejects.toThrow('请导出 .csv'))
it('does not escape numbers and times, also negative ones', () =>
  expect(toCsv([[-1, -0.5, { time: '2026-01-31' }]])).toBe('\ufeff-1,-0.5,2026-01-31\r\n'))
it('does not escape other texts', () =>
  expect(toCsv([['海康', '0755-1', '有,逗号 "和引号"']])).toBe(
    '\ufeff海康,0755-1,"有,逗号 ""和引号"""\r\n',
  ))

it('writes several values into one cell and reads them with the usual separators', () => {
  const kindConversion = createListConversion(
    createChoiceConversion({ panel: '面板灯', spot: '射灯' }),
  )
  expect(kindConversion.text!(['panel', 'spot'] as never, 'UTC')).toBe('面板灯、射灯')
  expect(kindConversion.value!('面板灯，射灯；吊灯')).toEqual(['panel', 'spot', '吊灯'])
  expect(kindConversion.value!('')).toEqual([])
  expect(kindConversion.value!('面板灯 射灯')).toEqual(['panel', 'spot'])
})

it('quotes names that contain separators, blanks or quotes', () => {
  const names = ['UPS / 配电间', '一、二', 'a,b', '"甲"', 'x；y', '值班 组', "'=1"]
  expect(joinCell(names)).toBe('UPS / 配电间、"一、二"、"a,b"、"""甲"""、"x；y"、值班 组、' + "'=1")
  expect(splitCell(joinCell(names))).toEqual(names)
  expect(splitCell(' 甲 , "乙、丙" ； 丁\n戊、')).toEqual(['甲', '乙、丙', '丁', '戊'])
  expect(splitCell('"没有结尾、甲')).toEqual(['"没有结尾', '甲'])
  expect(splitCell('A座，1层；B座', semicolonDivision)).toEqual(['A座，1层', 'B座'])
})

it('reads back every combination of separators and quotes', () => {
  const fragments = ['甲', '"', '、', ',', '；', ' ', '\n', '|', "'", '=']
  const names = fragments
    .flatMap((a) => fragments.flatMap((b) => fragments.map((c) => (a + b + c).trim())))
    .filter((name) => name !== '')
  for (const division of [undefined, semicolonDivision])
    expect(splitCell(joinCell(names, division), division)).toEqual(names)
})

it('writes rows into one cell and reads them back, whatever their texts are', () => {
  const Part = z.object({ key: z.string(), must: z.boolean(), most: z.number().nullable() })
  const partsConversion = createRowsConversion(
    createSheetColumns(Part, { key: '', must: createBooleanConversion('必填', '选填'), most: '' }),
  )
  const rows = [
    { key: 'a|b "c"\nd', must: true, most: 5 },
    { key: '', must: false, most: null },
  ]
  const cell = partsConversion.text!(rows as never, 'UTC')
  expect(cell).toBe('"a|b ""c""\nd"|必填|5\n|选填|')
  expect(partsConversion.value!(cell)).toEqual(rows)
  expect(partsConversion.value!(' a | 要 \n\n')).toEqual([{ key: 'a', must: '要', most: null }])
  for (const malformedCell of ['a|必填|5|6', 'a|必填|5\n"b|选填'])
    expect(partsConversion.value!(malformedCell)).toBe(malformedCell)
  expect(partsConversion.value!('a|必填|5|')).toEqual([{ key: 'a', must: true, most: 5 }])
  expect(partsConversion.value!('')).toEqual([])
})

it.each([
  ['440305', '440305'],
  ['广东省深圳市南山区', '440305'],
  ['广东深圳南山', '440305'],
  ['湖南省长沙市芙蓉中路1号', '4301'],
  ['湖南省', '43'],
  ['广东省深圳市南山区科苑路1号', '广东省深圳市南山区科苑路1号'],
  ['朝阳区', '朝阳区'],
  ['杭州市江干区', '杭州市江干区'],
  ['330104', '330104'],
  ['', ''],
])('reads the region %s as %s', (cell, areaCode) => {
  const areaSheet = createSheetColumns(z.object({ areaCode: AreaCode }), { areaCode: '' })
  expect(readSheet(areaSheet, [['所在地区']]).readDraft([cell]).given).toEqual({ areaCode })
})

it.each([
  ['', '请选择省、市、区'],
  ['43', '缺少市和区县'],
  ['4301', '缺少区县'],
  ['朝阳区', '“朝阳区”不能确定是哪个区县，请写全省、市、区县，街道写在详细地址'],
])('refuses the region %s with the reason', (code, reason) =>
  expect(AreaCode.safeParse(code).error!.issues[0]!.message).toBe(reason),
)
