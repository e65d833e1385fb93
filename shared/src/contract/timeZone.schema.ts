import * as z from './zod'
import { isTimeZone } from './timeZone'

/** A time zone is stored by its IANA name. */
export const TimeZone = z
  .string('请选择时区')
  .max(64, '时区不存在，请从列表选择')
  .refine(isTimeZone, '时区不存在，请从列表选择')
