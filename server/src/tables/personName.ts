import { sql, type SQLWrapper } from 'drizzle-orm'
import { task } from './task'

/** The login name is added only where several accounts have the same name. */
const shownNameSql = sql.raw(`case when exists (
  select from user_account namesake where namesake.name = person.name and namesake.id <> person.id)
  then person.name || '（' || person.username || '）' else person.name end`)

/**
 * Selects the name of the person with a login name; the login name itself if there is no such account. The query must
 * join tables, because only then does a column keep the name of its table.
 */
export const selectPersonName = (username: SQLWrapper) => sql<string>`coalesce(
  (select ${shownNameSql} from user_account person where person.username_key = lower(${username})), ${username})`

/** Selects the name of the person with an account; empty without one. */
export const selectUserName = (userId: SQLWrapper) => sql<string>`coalesce(
  (select ${shownNameSql} from user_account person where person.id = ${userId}), '')`

/** Selects the name that the author of a control task had when it started; a schedule has only its word. */
export const taskAuthorName = sql<string>`coalesce(${task.detail} ->> 'createByName', ${task.createBy})`
