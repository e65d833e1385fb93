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
