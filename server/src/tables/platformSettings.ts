import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { CaptchaMode } from '@iot/shared/contract/platform/platformSettings.schema'
import { rowColumns } from './columns'

/** Branding and sign-in policy of the platform; the table has one row. */
export const platformSettings = pgTable('platform_settings', {
  ...rowColumns(),
  name: text().notNull(),
  slogon: text().notNull(),
  logo: text().notNull(),
  headerLogo: text().notNull(),
  loginBg: text().notNull(),
  favicon: text().notNull(),
  themeColor: text().notNull(),
  icp: text().notNull(),
  captcha: text().$type<CaptchaMode>().notNull(),
  captchaAfterFailures: integer().notNull(),
  passwordMinLength: integer().notNull(),
  passwordHistory: integer().notNull(),
  passwordMaxAgeDays: integer().notNull(),
  idleMinutes: integer().notNull(),
  secondFactorRoleIds: uuid()
    .array()
    .notNull()
    .default(sql`'{}'`),
})
