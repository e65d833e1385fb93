import { readTable } from './readTable'

// jsdom's File cannot give its bytes.
const file = (name: string, content: Uint8Array) =>
  ({ name, arrayBuffer: async () => content }) as unknown as File

it('reads UTF-8, with the mark Excel writes', async () =>
  expect(
    await readTable(file('灯.csv', new TextEncoder().encode('\ufeff名称,"a,b"\r\n灯,'))),
  ).toEqual([
    ['名称', 'a,b'],
    ['灯', ''],
  ]))

it('reads the encoding Excel in Chinese writes', async () =>
  expect(await readTable(file('灯.csv', new Uint8Array([0xc3, 0xfb, 0xb3, 0xc6])))).toEqual([
    ['名称'],
  ]))

it.each([
  ['little', [0xff, 0xfe, 0x0d, 0x54, 0xf0, 0x79]],
  ['big', [0xfe, 0xff, 0x54, 0x0d, 0x79, 0xf0]],
])('reads UTF-16, %s end first', async (_, bytes) =>
  expect(await readTable(file('灯.csv', new Uint8Array(bytes)))).toEqual([['名称']]),
)
