import { sql } from 'drizzle-orm'
import { customType, integer, text, uuid } from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'

/** A moment: timestamptz in the database, ISO 8601 everywhere else. */
export const time = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) =>
    inMilliseconds.test(value)
      ? `${value.slice(0, 10)}T${value.slice(11, 23)}Z`
      : new Date(value).toISOString(),
})
/** As most are: to turn the text is a fifth of the work of making a date of it. */
const inMilliseconds = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+00$/

export const now = () => new Date().toISOString()

/** Ids are made here, not by the database: they sort by time and need no sequence shared between machines. */
export const id = () => uuid().primaryKey().$defaultFn(uuidv7)

/** What every stored row carries; `contract/fields` says the same of its answers. */
export const rowColumns = () => ({
  id: id(),
  createBy: text().notNull(),
  createTime: time().notNull().$defaultFn(now),
  updateBy: text().notNull(),
  updateTime: time().notNull().$defaultFn(now),
  version: integer().notNull().default(1),
})

/** The same of tables whose rows were there before they could be changed: those are the system's. */
export const laterRowColumns = () => ({
  createBy: text().notNull().default('系统'),
  createTime: time()
    .notNull()
    .default(sql`now()`)
    .$defaultFn(now),
  updateBy: text().notNull().default('系统'),
  updateTime: time()
    .notNull()
    .default(sql`now()`)
    .$defaultFn(now),
  version: integer().notNull().default(1),
})
