import * as z from '../zod'
import { weekendModeText, dayTypeText, datesBetween } from './calendarDay'
import { row, nameField, codeField, Description, revision, Id } from '../fields.schema'
import { rowKeys } from '../fields'
import { resourceSchemas } from '../resource.schema'
import { calendarDayTitles } from './calendar'

const toEnumKeys = <K extends string>(texts: Record<K, string>) => Object.keys(texts) as [K, ...K[]]
export const WeekendMode = z.enum(toEnumKeys(weekendModeText)).meta({ title: '每周休息' })
export const DayType = z.enum(toEnumKeys(dayTypeText)).meta({ title: calendarDayTitles.type })
const firstYear = 2004
const lastYear = 2100
export const CalendarDate = z.iso
  .date('请选择日期')
  .max(10, '请选择日期')
  .refine(
    (date) => date >= `${firstYear}-01-01` && date <= `${lastYear}-12-31`,
    `日期须在 ${firstYear} 到 ${lastYear} 年之间`,
  )
const Year = z.coerce
  .number('请输入年份')
  .int('年份须为整数')
  .min(firstYear, `年份从 ${firstYear} 开始`)
  .max(lastYear, `年份最大 ${lastYear}`)

export const Calendar = z.object({
  ...row,
  name: nameField('日历名称'),
  code: codeField('日历编码'),
  /** Owning project; null means that all projects share the calendar. Neither owner nor code can change. */
  projectId: z.number('请选择项目').int().nullable().meta({ title: '所属项目' }),
  parentId: z.uuid('请选择日历').nullable().meta({ title: '继承自' }),
  weekendMode: WeekendMode,
  alternateFrom: CalendarDate.nullable().meta({ title: '双休的一周' }),
  description: Description,
  builtin: z.boolean(),
})
export type Calendar = z.infer<typeof Calendar>
const Draft = Calendar.omit({ ...rowKeys, builtin: true }).extend({
  projectId: Calendar.shape.projectId.default(null),
})
const hasAlternateWeek = (draft: { weekendMode: string; alternateFrom: string | null }) =>
  draft.weekendMode !== 'alternate' || draft.alternateFrom !== null
const alternateWeekError = { path: ['alternateFrom'], error: '请选择双休的一周中的任意一天' }
export const CalendarDraft = Draft
export type CalendarDraft = z.infer<typeof CalendarDraft>

/** A date as a calendar defines it, including inheritance. */
export const CalendarDay = z.object({
  date: CalendarDate.meta({ title: calendarDayTitles.date }),
  type: DayType,
  name: z.string().meta({ title: calendarDayTitles.name }),
  isOff: z.boolean().meta({ title: '休息' }),
  /** `week` means that no rule names the date, so the weekly days off decide. */
  source: z.enum(['week', 'manual', 'imported']).meta({ title: calendarDayTitles.source }),
  /** Name of the calendar that the day is inherited from; null if it is the calendar's own. */
  inheritedFrom: z.string().nullable(),
  /** Version of the row in this calendar, 0 if it has none. */
  version: z.number().int(),
  updateBy: z.string().meta({ title: calendarDayTitles.updateBy }),
  updateTime: z.string().meta({ title: calendarDayTitles.updateTime }),
})
export type CalendarDay = z.infer<typeof CalendarDay>

const maxDaysPerChange = 366
/** A change of one or more dates. `isOff` applies to the type `custom` only. */
export const DaysDraft = z.object({
  from: CalendarDate.meta({ title: '开始日期' }),
  to: CalendarDate.meta({ title: '结束日期' }),
  type: DayType,
  name: z.string().trim().max(64, '名称最多 64 个字').meta({ title: '名称' }),
  isOff: z.boolean().meta({ title: '休息' }),
})
export type DaysDraft = z.infer<typeof DaysDraft>
/** Row versions that the user saw, by date; the server refuses the change if one of them is outdated. */
const dayVersions = (maxDays: number) =>
  z
    .record(CalendarDate, z.number().int())
    .refine(
      (versionsByDate) => Object.keys(versionsByDate).length <= maxDays,
      `一次最多 ${maxDays} 天`,
    )
const DayVersions = dayVersions(maxDaysPerChange)
const isDateRangeValid = ({ from, to }: { from: string; to: string }) => {
  const { length } = datesBetween(from, to)
  return length > 0 && length <= maxDaysPerChange
}
const dateRangeError = {
  path: ['to'],
  error: `结束日期不能早于开始日期，最多 ${maxDaysPerChange} 天`,
}

export const ImportChange = z.object({
  date: CalendarDate,
  /** Null means that the calendar has no rule for this date. */
  before: z.object({ type: DayType, name: z.string() }).nullable(),
  after: z.object({ type: DayType, name: z.string() }).nullable(),
  /** The day was set by hand, so an import leaves it unchanged. */
  isKept: z.boolean(),
  /** Version of the row that the change replaces, 0 if there is none. */
  version: z.number().int(),
})
export type ImportChange = z.infer<typeof ImportChange>

const maxFileDays = 2000
/** A date of a file. A later import of public holidays replaces it, unless its type is the user's own. */
export const FileDay = DaysDraft.pick({ type: true, name: true, isOff: true }).extend({
  date: CalendarDate.meta({ title: '日期' }),
})
export type FileDay = z.infer<typeof FileDay>
const hasDistinctDates = (days: FileDay[]) =>
  new Set(days.map(({ date }) => date)).size === days.length
const FileDays = z.object({
  id: Id,
  days: z
    .array(FileDay)
    .min(1, '文件里没有日期')
    .max(maxFileDays, `一次最多导入 ${maxFileDays} 天`)
    .refine(hasDistinctDates, '同一日期在文件里出现了两次'),
})

export const calendarSchemas = {
  page: resourceSchemas.page({
    input: { projectId: z.number().int().nullable().optional() },
    output: Calendar,
  }),
  list: resourceSchemas.options({
    output: Calendar.pick({ id: true, name: true, code: true, projectId: true }),
  }),
  create: resourceSchemas.create({
    input: Draft.refine(hasAlternateWeek, alternateWeekError),
    output: Calendar,
  }),
  update: resourceSchemas.update({
    input: Draft.extend(revision).refine(hasAlternateWeek, alternateWeekError),
    output: Calendar,
  }),
  remove: resourceSchemas.remove(),
}

/** Days that somebody changed since the preview stay as they are and come back with the reason. */
const ImportResult = z.object({
  changed: z.number().int(),
  kept: z.number().int(),
  refused: z.array(z.object({ date: CalendarDate, reason: z.string() })),
})
export type DaysImportResult = z.infer<typeof ImportResult>
/** Versions of the days of the preview, by date. */
const PreviewedDays = { seen: dayVersions(maxFileDays) }
const CalendarYear = z.object({ id: Id, year: Year })

export const holidaySchemas = {
  year: {
    input: CalendarYear,
    output: z.object({
      published: z.boolean(),
      missing: z.number().int(),
      days: z.array(CalendarDay),
    }),
  },
  set: {
    input: DaysDraft.extend({
      id: Id,
      seen: DayVersions,
    }).refine(isDateRangeValid, dateRangeError),
    output: z.null(),
  },
  clear: {
    input: z.object({
      id: Id,
      seen: DayVersions.refine(
        (versionsByDate) => Object.keys(versionsByDate).length > 0,
        '请先选择',
      ),
    }),
    output: z.null(),
  },
  preview: { input: CalendarYear, output: z.array(ImportChange) },
  importYear: {
    input: CalendarYear.extend(PreviewedDays),
    output: ImportResult,
  },
  previewFile: { input: FileDays, output: z.array(ImportChange) },
  importFile: { input: FileDays.extend(PreviewedDays), output: ImportResult },
}
