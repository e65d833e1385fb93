import { deflateRawSync } from 'node:zlib'
import { strToU8, unzipSync, Zip, ZipPassThrough, zipSync, type ZipInputFile } from 'fflate'
import { readCell } from '../contract/sheet/sheetCell'
import { readTable } from './readTable'
import { makeWorkbook } from './sheetFile/testWorkbook'

// jsdom's File lacks `arrayBuffer`.
const createFile = (name: string, content: Uint8Array | string) =>
  ({
    name,
    arrayBuffer: async () => (typeof content === 'string' ? strToU8(content) : content),
  }) as unknown as File
const readTestTable = (name: string, content: Uint8Array | string) =>
  readTable(createFile(name, content))
const createOleFile = (stream: string) =>
  new Uint8Array([
    ...[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0, 0],
    ...[...stream].flatMap((letter) => [letter.charCodeAt(0), 0]),
  ])

describe('a file that is no table', () => {
  it.each([
    ['灯.xls', createOleFile('Workbook'), '这是旧版 Excel（.xls），请另存为 .xlsx'],
    ['renamed.xlsx', createOleFile('Workbook'), '这是旧版 Excel（.xls），请另存为 .xlsx'],
    ['灯.xlsx', createOleFile('EncryptedPackage'), '这个文件有打开密码，请取消密码后另存为 .xlsx'],
    ['灯.et', createOleFile('Workbook'), '这是 WPS 表格（.et），请在 WPS 里另存为 .xlsx'],
    ['a.doc', createOleFile('WordDocument'), '这是旧版 Word 文档（.doc），不是表格'],
    ['a.xlsx', strToU8('%PDF-1.7'), '这是PDF，不是表格'],
    ['a.csv', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), '这是JPEG 图片，不是表格'],
    ['a.csv', new Uint8Array([0x89, 0x50, 0x4e, 0x47]), '这是PNG 图片，不是表格'],
    ['a.xlsx', zipSync({ 'Index/Document.iwa': strToU8('x') }), '这是 Numbers 表格（.numbers）'],
    ['a.xlsx', zipSync({ 'content.xml': strToU8('x') }), '这是 OpenDocument 文件（.ods）'],
    ['a.xlsx', zipSync({ 'word/document.xml': strToU8('x') }), '这是 Word 文档，不是表格'],
    ['a.xlsx', zipSync({ 'a.txt': strToU8('x') }), '这是 ZIP 压缩包，不是表格'],
    ['a.xlsx', zipSync({ 'xl/workbook.bin': strToU8('x') }), '这是二进制工作簿（.xlsb）'],
    [
      'a.xlsm',
      makeWorkbook({ rows: '', parts: { 'xl/vbaProject.bin': 'x' } }),
      '这是带宏的工作簿（.xlsm），请另存为 .xlsx',
    ],
    ['a.xls', '<html><table></table></html>', '这是网页或 XML 文件'],
    ['a.csv', '{"a":1}', '这是 JSON 文件'],
    ['a.csv', new Uint8Array([1, 0, 0, 2, 0, 0, 0, 3]), '这不是表格文件'],
    ['a.csv', new Uint8Array([0xff, 0xff, 0x81]), '认不出文件的文字编码'],
    ['a.csv', '', '文件是空的'],
    ['a.csv', 'a,b\n"c,d\ne,f', '引号没有配对'],
    ['a.csv', 'a,b\n1,2\n灯,A区,1', '第 3 行有 3 格，表头只有 2 列。含“,”的内容须用双引号'],
    ['a.csv', '名称,编码\n灯\0,1', '文件含有空字符'],
    [
      'a.xlsx',
      makeWorkbook({ rows: '<row r="1"><c r="A1" t="s"><v>5</v></c></row>' }),
      '文件已损坏',
    ],
    ['a.xlsx', new Uint8Array([0x50, 0x4b, 3, 4, 9, 9]), '文件已损坏'],
  ])('is refused: %s', async (name, content, reason) => {
    await expect(readTestTable(name, content)).rejects.toThrow(reason)
  })

  it('is refused when a zip expands beyond the limit', async () => {
    const chunks: Uint8Array[] = []
    const zip = new Zip((_, chunk) => chunks.push(chunk))
    const largeParts = ['xl/sharedStrings.xml', 'xl/worksheets/sheet1.xml']
    for (const [name, content] of Object.entries(unzipSync(makeWorkbook({ rows: '' })))) {
      if (largeParts.includes(name)) continue
      const part = new ZipPassThrough(name)
      zip.add(part)
      part.push(content, true)
    }
    // zlib compresses them, because it takes fflate seconds.
    const size = 60_000_000
    const compressedPart = new Uint8Array(deflateRawSync(Buffer.alloc(size)))
    for (const filename of largeParts) {
      const part: ZipInputFile = { filename, size, crc: 0, compression: 8 }
      zip.add(part)
      part.ondata!(null, compressedPart, true)
    }
    zip.end()
    await expect(readTestTable('a.xlsx', new Uint8Array(Buffer.concat(chunks)))).rejects.toThrow(
      '文件展开后太大',
    )
  })
})

describe('a .csv', () => {
  const rows = [
    ['名称', 'a,b'],
    ['灯', ''],
  ]
  const encodeUtf16 = (text: string) =>
    new Uint8Array([...text].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]))
  it.each([
    ['UTF-8 with a BOM', strToU8('\ufeff名称,"a,b"\r\n灯,')],
    ['semicolons', strToU8('名称;"a,b"\r\n灯;')],
    [
      'tab-separated UTF-16 with a BOM',
      new Uint8Array([0xff, 0xfe, ...encodeUtf16('名称\ta,b\r\n灯\t')]),
    ],
    ['UTF-16 without a BOM', encodeUtf16('名称\ta,b\r\n灯\t')],
    ['big-endian UTF-16', encodeUtf16('\ufeff名称\ta,b\r\n灯\t').map((_, i, all) => all[i ^ 1]!)],
    ['vertical bars', strToU8('名称|a,b\r\n灯|')],
    ['text that a formula wraps', strToU8('名称,"a,b"\r\n"=""灯""",')],
    ['GBK', new Uint8Array([0xc3, 0xfb, 0xb3, 0xc6, ...strToU8(',"a,b"\r\n'), 0xb5, 0xc6, 0x2c])],
  ])('in %s is read', async (_, content) => {
    expect((await readTestTable('灯.txt', content)).table).toEqual(rows)
  })
  it('is divided as its header is', async () => {
    expect((await readTestTable('a.csv', 'a;b\n灯,A;1\n灯,B;2')).table).toEqual([
      ['a', 'b'],
      ['灯,A', '1'],
      ['灯,B', '2'],
    ])
  })
  it('with a separator line keeps its line numbers', async () => {
    expect((await readTestTable('a.csv', 'sep=;\na;b\n1;2')).table).toEqual([
      ['a', 'b'],
      [],
      ['1', '2'],
    ])
  })
})

describe('a cell of a workbook', () => {
  const formats = [
    0,
    14,
    16,
    20,
    9,
    '0000',
    '0',
    'yyyy-mm-dd hh:mm',
    '¥#,##0.00',
    'm"月"d"日"',
    58,
    '@',
    '#,##0',
    '[h]:mm',
    '0!.0,"万"',
    '@"栋"',
    '_(¥* #,##0.00_);_(¥* "-"??_);_(@_)',
    ';;;',
  ]
  const texts = [
    '<t>名称</t>',
    '<r><t>红</t></r><r><rPr><b/></rPr><t xml:space="preserve"> 灯</t></r><rPh><t>hong</t></rPh>',
    '<t>上_x000D_&#10;下 &amp; 旁</t>',
  ]
  async function readFirstCell(xml: string, properties?: string) {
    const rows = `<row r="1">${xml}</row>`
    const { table } = await readTestTable(
      'a.xlsx',
      makeWorkbook({ rows, formats, texts, properties }),
    )
    return table[0]?.[0] ?? ''
  }
  const createStyledCell = (style: number, value: string) =>
    `<c r="A1" s="${style}"><v>${value}</v></c>`

  it.each([
    ['a text of two fonts', '<c r="A1" t="s"><v>1</v></c>', '红 灯'],
    ['a text with a line break', '<c r="A1" t="s"><v>2</v></c>', '上\n下 & 旁'],
    ['a text with the unit of its format', '<c r="A1" s="15" t="s"><v>1</v></c>', '红 灯栋'],
    ['a text that its format only pads', '<c r="A1" s="16" t="s"><v>1</v></c>', '红 灯'],
    ['a text that its format hides', '<c r="A1" s="17" t="s"><v>1</v></c>', '红 灯'],
    ['an inline text', '<c r="A1" t="inlineStr"><is><t>0101</t></is></c>', '0101'],
    ['the text result of a formula', '<c r="A1" t="str"><f>A2&amp;B2</f><v>ab</v></c>', 'ab'],
    ['an empty text result of a formula', '<c r="A1" t="str"><f>""</f><v></v></c>', ''],
    ['leading zeros of a number format', createStyledCell(5, '101'), '0101'],
    ['ten thousands of a Chinese spreadsheet', createStyledCell(14, '123456'), '12.3万'],
    ['a telephone number', createStyledCell(0, '13800138000'), '13800138000'],
    ['15 digits in full', createStyledCell(6, '123456789012345'), '123456789012345'],
    ['a percentage', createStyledCell(4, '0.3'), '30%'],
    ['an amount of money', createStyledCell(8, '1234.5'), '¥1,234.50'],
    ['a logical value', '<c r="A1" t="b"><v>1</v></c>', 'TRUE'],
    ['a fraction rounded by its format', createStyledCell(0, '0.30000000000000004'), '0.3'],
  ])('in a text column: %s is read as displayed', async (_, xml, text) => {
    expect(readCell(await readFirstCell(xml), 'text')).toEqual({ text })
  })

  it.each([
    [
      '1-2, which became a date',
      createStyledCell(9, '46024'),
      '被表格软件当成了日期（显示为“1月2日”），请把单元格格式设为“文本”',
    ],
    ['3-1, which became a date by a format id', createStyledCell(10, '46082'), '显示为“3月1日”'],
    ['a complete date', createStyledCell(1, '46024'), '显示为“2026/1/2”'],
    ['8:30', createStyledCell(3, '0.354166666666667'), '显示为“8:30”'],
    ['a date stored as text', '<c r="A1" t="d"><v>2026-01-02T00:00:00</v></c>', '当成了日期'],
    ['a number of 18 digits', createStyledCell(6, '110101199001010000'), '超过 15 位的数字'],
    [
      'a number shown with an exponent',
      createStyledCell(0, '123456789012'),
      '科学计数法“1.23457E+11”',
    ],
    ['#N/A', '<c r="A1" t="e"><f>VLOOKUP(1,2,3)</f><v>#N/A</v></c>', '单元格是错误值“#N/A”'],
    ['#REF!', '<c r="A1" t="e"><v>#REF!</v></c>', '单元格是错误值“#REF!”'],
    [
      'a formula without a stored result',
      '<c r="A1"><f>DATE(2027,1,1)</f></c>',
      '公式没有计算结果',
    ],
    ['a text formula without a result', '<c r="A1" t="str"><f>A2</f></c>', '公式没有计算结果'],
  ])('in a text column: %s is refused', async (_, xml, reason) => {
    expect(readCell(await readFirstCell(xml), 'text').wrong).toContain(reason)
  })

  it('in a number column is read as a number, and refused as percentage or date', async () => {
    expect(readCell(await readFirstCell(createStyledCell(12, '-1234')), 'number')).toEqual({
      text: '-1234',
    })
    expect(readCell(await readFirstCell(createStyledCell(8, '1234.5')), 'number')).toEqual({
      text: '1234.50',
    })
    expect(readCell(await readFirstCell(createStyledCell(0, '123456789012')), 'number')).toEqual({
      text: '123456789012',
    })
    expect(readCell(await readFirstCell(createStyledCell(4, '0.3')), 'number').wrong).toContain(
      '百分数“30%”',
    )
    expect(readCell(await readFirstCell(createStyledCell(1, '46024')), 'number').wrong).toContain(
      '请填写数字',
    )
  })

  it('in a date column is read as a day, in both date systems', async () => {
    const expectedDate = { text: '2026-01-02' }
    expect(readCell(await readFirstCell(createStyledCell(1, '46024')), 'date')).toEqual(
      expectedDate,
    )
    expect(
      readCell(await readFirstCell(createStyledCell(1, '44562'), 'date1904="1"'), 'date'),
    ).toEqual(expectedDate)
    expect(readCell(await readFirstCell(createStyledCell(7, '46024.5')), 'date')).toEqual({
      text: '2026-01-02 12:00:00',
    })
    expect(readCell(await readFirstCell(createStyledCell(3, '0.35')), 'date').wrong).toContain(
      '只有时间',
    )
    // A clock time may have a date that is not shown, or be counted from 1904.
    expect(readCell(await readFirstCell(createStyledCell(3, '46024.35')), 'date').wrong).toContain(
      '“8:24”只有时间',
    )
    expect(
      readCell(await readFirstCell(createStyledCell(3, '0.35'), 'date1904="1"'), 'date').wrong,
    ).toContain('“8:24”只有时间')
    expect(readCell(await readFirstCell(createStyledCell(13, '12.5')), 'date').wrong).toContain(
      '“300:00”只有时间',
    )
    // A duration has no epoch.
    expect(
      readCell(await readFirstCell(createStyledCell(13, '12.5'), 'date1904="1"'), 'date').wrong,
    ).toContain('“300:00”只有时间')
    expect(
      readCell(await readFirstCell('<c r="A1"><f>DATE(2027,1,1)</f></c>'), 'date').wrong,
    ).toBeDefined()
  })

  it('in a boolean column is read as yes or no', async () => {
    expect(readCell(await readFirstCell('<c r="A1" t="b"><v>0</v></c>'), 'boolean')).toEqual({
      text: '否',
    })
  })
})

it('reports values damaged by a spreadsheet program', () => {
  expect(readCell('1.38E+10', 'text').wrong).toContain('科学计数法')
  expect(readCell('#DIV/0!', 'text').wrong).toContain('错误值')
  expect(readCell('#####', 'date').wrong).toContain('列太窄')
  expect(readCell('30%', 'number').wrong).toContain('百分数')
  expect(readCell('=DISPIMG("ID_1",1)', 'text').wrong).toContain('单元格图片')
  expect(readCell('2E10', 'text')).toEqual({ text: '2E10' })
})

it('reports the sheet read, hidden rows and columns, and refuses values covered by a merged cell', async () => {
  const createTextCell = (ref: string, value: string) =>
    `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`
  const content = makeWorkbook({
    sheets: ['!草稿', '灯具', '说明'],
    head: '<cols><col min="2" max="2" hidden="1"/></cols>',
    rows: `<row r="1">${createTextCell('A1', '名称')}${createTextCell('B1', '备注')}</row>
      <row r="2" hidden="1">${createTextCell('A2', '甲')}</row><row r="3" hidden="1">${createTextCell('A3', '乙')}</row>
      <row r="5">${createTextCell('A5', '丙')}${createTextCell('B5', '旁')}</row><row r="6">${createTextCell('A6', '丁')}</row>`,
    parts: { 'xl/media/image1.png': 'x' },
    tail: '<autoFilter ref="A1:B6"/><mergeCells><mergeCell ref="B5:B6"/></mergeCells>',
  })
  expect(await readTestTable('a.xlsx', content)).toEqual({
    table: [
      ['名称', '备注'],
      ['甲'],
      ['乙'],
      [],
      ['丙', '旁'],
      ['丁', { kind: 'merged', shown: 'B5:B6' }],
    ],
    notices: [
      '文件有 3 张工作表，只读取“灯具”',
      '筛选掉或隐藏的 2 行也会导入：第 2–3 行',
      '隐藏的列也会导入：B 列',
      '表格里的图片不会导入',
    ],
  })
  expect(readCell({ kind: 'merged', shown: 'B5:B6' }, 'text').wrong).toContain('取消合并')
})
