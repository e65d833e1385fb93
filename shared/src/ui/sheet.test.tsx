import { csvOf, neutral, readTable, rowsOf, tableOf, type SheetColumn } from './sheet'

type Lamp = { name: string; status: 'enabled' | 'disabled' }
const columns: SheetColumn<Lamp>[] = [
  { name: 'name', title: '名称', example: '筒灯' },
  {
    name: 'status',
    title: '状态',
    example: '启用',
    text: (status: Lamp['status']) => (status === 'enabled' ? '启用' : '禁用'),
    value: (text) => (text === '禁用' ? 'disabled' : 'enabled'),
  },
]
// jsdom's File cannot give its bytes.
const file = (name: string, content: ArrayBuffer | Uint8Array) =>
  ({ name, arrayBuffer: async () => content }) as unknown as File
const bytes = (text: string) => new TextEncoder().encode(text)

it.each(['=1+1', '+86', '-1', '@SUM(A1)', '\t=1'])('makes %j a text', (text) =>
  expect(neutral(text)).toBe(`'${text}`),
)
it('leaves other texts alone', () =>
  expect(['海康', '0755-1', ''].map(neutral)).toEqual(['海康', '0755-1', '']))

it('writes titles and values as people read them', () =>
  expect(tableOf(columns, [{ name: '大堂', status: 'disabled' }])).toEqual([
    ['名称', '状态'],
    ['大堂', '禁用'],
  ]))

it('reads by title, in any order, without empty rows, and keeps the line numbers', () =>
  expect(
    rowsOf(columns, [
      ['备注', '状态', '名称'],
      ['x', '禁用', " '=a "],
      ['', ' ', ''],
      ['', '', '走廊'],
    ]).rows,
  ).toEqual([
    { line: 2, cells: ['x', '禁用', " '=a "], draft: { name: '=a', status: 'disabled' } },
    { line: 4, cells: ['', '', '走廊'], draft: { name: '走廊', status: 'enabled' } },
  ]))

it('names the columns that are missing', () =>
  expect(rowsOf(columns, [['名称'], ['a']]).missing).toEqual(['状态']))

it('reads what it wrote', async () => {
  const blob = csvOf([
    ['名称', '状态'],
    [neutral('=1+1'), '启用'],
    ['有,逗号 "和引号"', '禁用'],
  ])
  const text = await new Promise<string>((done) => {
    const reader = new FileReader()
    reader.onload = () => done(reader.result as string)
    reader.readAsText(blob)
  })
  const { rows } = rowsOf(columns, await readTable(file('灯.csv', bytes(text))))
  expect(rows.map(({ draft }) => draft)).toEqual([
    { name: '=1+1', status: 'enabled' },
    { name: '有,逗号 "和引号"', status: 'disabled' },
  ])
})

it('reads the encoding Excel in Chinese writes', async () =>
  expect(await readTable(file('灯.csv', new Uint8Array([0xc3, 0xfb, 0xb3, 0xc6])))).toEqual([
    ['名称'],
  ]))
