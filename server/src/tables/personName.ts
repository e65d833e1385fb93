import { sql, type SQLWrapper } from 'drizzle-orm'
import { task } from './task'

/**
 * Selects the name of the person with a user name; the user name itself if there is no such account. The query must
 * join tables, because only then does a column keep the name of its table.
 */
export const selectPersonName = (username: SQLWrapper) => sql<string>`coalesce(
  (select person.name from user_account person where person.username_key = lower(${username})), ${username})`

/** Selects the name that the author of a control task had when it started; a schedule has only its word. */
export const taskAuthorName = sql<string>`coalesce(${task.detail} ->> 'createByName', ${task.createBy})`
