import type { FileDay } from '@iot/shared/contract/project/calendar.schema'
import {
  datesBetween,
  dayTypeText,
  isDayOff,
  type DayType,
} from '@iot/shared/contract/project/calendarDay'
import { formatCell, readCell } from '@iot/shared/contract/sheet/sheetCell'
import { readTable } from '@iot/shared/ui/readTable'

const typeByText = Object.fromEntries(
  Object.entries(dayTypeText).map(([type, text]) => [text, type as DayType]),
)
const createDay = (date: string, type: DayType, name: string): FileDay => ({
  date,
  type,
  name,
  isOff: isDayOff(type, true),
})

type HolidayFile = {
  days: FileDay[]
  /** Notices for the user before the import, such as hidden rows. */
  notices: string[]
}

/**
 * Reads the days of an iCalendar file (.ics), of the JSON of the package chinese-days, or of a table with the columns
 * 日期, 类型 and 名称. The content decides, not the file name.
 * @throws Error with the place of what cannot be read
 */
export async function readHolidayFile(file: File): Promise<HolidayFile> {
  const text = decodeText(await file.arrayBuffer())
  if (text?.startsWith('BEGIN:VCALENDAR')) return { days: await readEvents(text), notices: [] }
  if (text?.trimStart().startsWith('{')) return { days: readPackage(text), notices: [] }
  const { table, notices } = await readTable(file)
  return { days: readRows(table), notices }
}

/** Decodes text in UTF-8 or in the encoding of older Chinese programs; a workbook is neither. */
function decodeText(bytes: ArrayBuffer) {
  for (const encoding of ['utf-8', 'gb18030'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // The next encoding is tried.
    }
  return undefined
}

/** An event is a day off, unless its title or its description marks it with 班. */
async function readEvents(text: string) {
  const { default: ical } = await import('ical.js')
  const events = new ical.Component(ical.parse(text) as unknown[])
    .getAllSubcomponents('vevent')
    .map((component) => new ical.Event(component))
  return events.flatMap((event) => {
    const name = event.summary?.trim() ?? ''
    if (event.isRecurring()) throw new Error(`日程“${name}”每年重复，请写成每一年的日期`)
    if (!event.startDate?.isDate) throw new Error(`日程“${name}”不是全天日程，认不出日期`)
    const isWorkday = /[(（]?班[)）]?$/.test(name) || event.description?.trim() === '班'
    const title = name.replace(/\s*[(（][休班][)）]$/, '')
    // The end of an all-day event is the day after it.
    const lastDay = event.endDate.clone()
    if (lastDay.compare(event.startDate) > 0) lastDay.adjust(-1, 0, 0, 0)
    return datesBetween(event.startDate.toString(), lastDay.toString()).map((date) =>
      createDay(date, isWorkday ? 'makeup' : 'statutory', title + (isWorkday ? '调休' : '')),
    )
  })
}

type EntriesByDate = Record<string, string>
/** An entry is `Name in English,中文名,number of days`. */
const getChineseName = (entry: string) => entry.split(',')[1] ?? ''

function readPackage(text: string) {
  let content: { holidays?: EntriesByDate; workdays?: EntriesByDate; inLieuDays?: EntriesByDate }
  try {
    content = JSON.parse(text)
  } catch {
    throw new Error('JSON 文件不完整，读不出来')
  }
  const { holidays, workdays = {}, inLieuDays = {} } = content
  if (typeof holidays !== 'object' || typeof workdays !== 'object')
    throw new Error('JSON 里没有 holidays 和 workdays，不是 chinese-days 的节假日文件')
  return [
    ...Object.entries(holidays).map(([date, entry]) =>
      createDay(date, date in inLieuDays ? 'lieu' : 'statutory', getChineseName(entry)),
    ),
    ...Object.entries(workdays).map(([date, entry]) =>
      createDay(date, 'makeup', `${getChineseName(entry)}调休`),
    ),
  ]
}

const datePattern = /^(\d{4})[-/年.](\d{1,2})[-/月.](\d{1,2})日?$/
const isoTimePattern = /T.*$/

type Table = Awaited<ReturnType<typeof readTable>>['table']

function readRows([headCells = [], ...rows]: Table) {
  const titles = headCells.map((cell) => formatCell(cell).trim())
  if (!titles.includes('日期') || !titles.includes('类型'))
    throw new Error('第一行须有“日期”和“类型”两列，可以再有“名称”和“休息”')
  return rows.flatMap((cells, index) => {
    if (cells.every((cell) => formatCell(cell).trim() === '')) return []
    const getText = (title: string) => {
      const { text, wrong } = readCell(cells[titles.indexOf(title)], getColumnKind(title))
      if (wrong !== undefined) throw new Error(`第 ${index + 2} 行：${title}${wrong}`)
      return text.trim()
    }
    return [readRow(getText, `第 ${index + 2} 行`)]
  })
}

const getColumnKind = (title: string) => (title === '日期' ? 'date' : 'text')

function readRow(getText: (title: string) => string, place: string): FileDay {
  const dateText = getText('日期').replace(isoTimePattern, '')
  const [, year, month = '', day = ''] = datePattern.exec(dateText) ?? []
  if (!year) throw new Error(`${place}：日期“${dateText}”请写成 2027-10-01`)
  const typeText = getText('类型')
  const type = typeByText[typeText]
  if (!type)
    throw new Error(`${place}：类型“${typeText}”须为${Object.values(dayTypeText).join('、')}`)
  const offText = getText('休息')
  if (!['', '是', '否'].includes(offText))
    throw new Error(`${place}：休息“${offText}”须为“是”或“否”`)
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const fileDay = createDay(date, type, getText('名称'))
  return type === 'custom' ? { ...fileDay, isOff: offText !== '否' } : fileDay
}
