import * as z from '../zod'
import { ById, Moment, Time } from '../fields.schema'
import { daySeconds } from '../duration'
import { exportOptions } from '../sheet/sheet.schema'

const historyQueryFields = {
  ...ById.shape,
  identifier: z.string().min(1, '请选择属性').max(64).meta({ title: '属性' }),
  from: Moment.meta({ title: '开始时间' }),
  to: Moment.meta({ title: '结束时间' }),
  step: z.coerce
    .number('请选择间隔')
    .int('间隔须为整数秒')
    .min(0, '间隔不能为负')
    .max(31 * daySeconds, '间隔最长 31 天')
    .meta({ title: '间隔' }),
}
export const HistoryQuery = z.object(historyQueryFields)
export type HistoryQuery = z.infer<typeof HistoryQuery>
export const HistoryExport = z.object({ ...historyQueryFields, ...exportOptions })

/**
 * Columns of equal length: mean, minimum and maximum of each step for numbers, the last value of each step for other
 * types.
 */
export const DeviceHistory = z.object({
  step: z.number().int(),
  /** Each time is the start of a step in ms. */
  times: z.array(z.number()),
  counts: z.array(z.number().int()),
  avg: z.array(z.number()),
  min: z.array(z.number()),
  max: z.array(z.number()),
  last: z.array(z.union([z.number(), z.string()])),
  /** The property had this value before the period, if it is known. */
  before: z.union([z.number(), z.string()]).nullable(),
})
export type DeviceHistory = z.infer<typeof DeviceHistory>

/** Describes a row of the export file. */
export const HistoryFileRow = z.object({
  time: Time.meta({ title: '时间' }),
  value: z.string().meta({ title: '值' }),
  min: z.string().meta({ title: '最小值' }),
  max: z.string().meta({ title: '最大值' }),
  count: z.string().meta({ title: '上报次数' }),
})
