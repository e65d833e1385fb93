import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { makeWorkbook } from '../../../../shared/src/ui/sheetFile/testWorkbook'
import { readHolidayFile } from './readHolidayFile'

const require = createRequire(`${process.cwd()}/server/package.json`)
const readPackageFile = (name: string) =>
  readFileSync(require.resolve(`chinese-days/dist/years/${name}`), 'utf8')
// jsdom's File lacks `arrayBuffer`.
const readBytes = (bytes: Uint8Array) =>
  readHolidayFile({ name: 'a', arrayBuffer: async () => bytes } as unknown as File)
const readText = async (text: string) => (await readBytes(new TextEncoder().encode(text))).days
const createEvent = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')

test('the calendar and the JSON of the kept library name the same days off and workdays', async () => {
  const [fromCalendar, fromPackage] = await Promise.all(
    ['2026.ics', '2026.json'].map(async (name) => {
      const days = await readText(readPackageFile(name))
      return days.map(({ date, isOff, name }) => `${date} ${isOff} ${name}`).sort()
    }),
  )
  expect(fromCalendar).toEqual(fromPackage)
  expect(fromPackage).toContain('2026-10-10 false 国庆节调休')
})

test('an event of several days ends the day before its end', async () => {
  const days = await readText(
    createEvent('SUMMARY:厂休', 'DTSTART;VALUE=DATE:20270501', 'DTEND;VALUE=DATE:20270504'),
  )
  expect(days.map(({ date }) => date)).toEqual(['2027-05-01', '2027-05-02', '2027-05-03'])
})

test('a table names type, name and, for a type of its own, whether the day is off', async () => {
  const rows = [
    '日期,类型,名称,休息',
    '2027/10/1,法定节假日,国庆节,',
    '2027-05-04,自定义,盘点,否',
    ',,,',
  ]
  expect(await readText(rows.join('\n'))).toEqual([
    { date: '2027-10-01', type: 'statutory', name: '国庆节', isOff: true },
    { date: '2027-05-04', type: 'custom', name: '盘点', isOff: false },
  ])
})

test('a calendar in the encoding of older Chinese programs keeps its names', async () => {
  const [before, after] = createEvent('SUMMARY:@', 'DTSTART;VALUE=DATE:20270501').split('@')
  const factoryHoliday = [0xb3, 0xa7, 0xd0, 0xdd]
  const bytes = [Buffer.from(before!), Buffer.from(factoryHoliday), Buffer.from(after!)]
  const { days } = await readBytes(new Uint8Array(Buffer.concat(bytes)))
  expect(days).toMatchObject([{ date: '2027-05-01', name: '厂休' }])
})

test('a workbook with hidden rows is read with a notice', async () => {
  const createRow = (number: number, attributes: string, ...cells: string[]) =>
    `<row r="${number}" ${attributes}>${cells
      .map((text, i) => `<c r="${'AB'[i]}${number}" t="inlineStr"><is><t>${text}</t></is></c>`)
      .join('')}</row>`
  const bytes = makeWorkbook({
    rows: createRow(1, '', '日期', '类型') + createRow(2, 'hidden="1"', '2027-05-04', '法定节假日'),
  })
  const { days, notices } = await readBytes(bytes)
  expect(days).toMatchObject([{ date: '2027-05-04', type: 'statutory' }])
  expect(notices).toEqual([expect.stringContaining('隐藏')])
})

test.each([
  ['日期,名称\n2027-10-01,国庆节', '第一行须有“日期”和“类型”两列'],
  ['日期,类型\n十月一日,周末', '第 2 行：日期“十月一日”请写成 2027-10-01'],
  ['日期,类型\n2027-10-01,放假', '第 2 行：类型“放假”须为法定节假日、调休放假'],
  ['日期,类型,休息\n2027-10-01,自定义,√', '第 2 行：休息“√”须为“是”或“否”'],
  ['{"days":[]}', '不是 chinese-days 的节假日文件'],
  ['{"holidays":', 'JSON 文件不完整'],
  [createEvent('SUMMARY:例会', 'DTSTART:20270501T080000Z'), '日程“例会”不是全天日程'],
  [
    createEvent('SUMMARY:元旦', 'DTSTART;VALUE=DATE:20270101', 'RRULE:FREQ=YEARLY'),
    '日程“元旦”每年重复',
  ],
])('a file that cannot be read is refused with the place: %s', async (text, message) => {
  await expect(readText(text)).rejects.toThrow(message)
})
