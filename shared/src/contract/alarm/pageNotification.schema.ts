import * as z from '../zod'
import { AlarmSeverity } from './alarmRule.schema'

/** A notification as a page of the console shows it. */
export const PageNotification = z.object({
  /** The same in every page and attempt, so that a browser shows it once. */
  key: z.string(),
  /** Key of the subject, such as the id of an incident; a later notification replaces an earlier one. */
  subject: z.string(),
  severity: AlarmSeverity,
  isOver: z.boolean(),
  /** It is the first one about the subject. Processes that were built before do not say so. */
  isFirst: z.boolean().optional(),
  title: z.string(),
  text: z.string(),
  /** Path of the page in the console, such as `/system/alarm/incident/…`. */
  path: z.string(),
})
export type PageNotification = z.infer<typeof PageNotification>
