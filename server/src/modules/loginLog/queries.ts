import type { loginLogSchemas } from '@iot/shared/contract/access/loginLog.schema'
import { and, eq, getTableColumns, gt, gte, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { readLogPage } from '../../core/db/logPage'
import { searchNames } from '../../core/shortcuts/searchNames'
import { whereEquals } from '../../core/db/rows'
import { session } from '../../tables/auth'
import { now } from '../../tables/columns'
import { loginLog as table } from '../../tables/loginLog'
import { user } from '../../tables/user'

type PageInput = z.output<typeof loginLogSchemas.page.input>
const isSessionOpen = () => and(isNull(session.ended), gt(session.expireTime, now()))

export const loginLogQueries = (db: Db) => ({
  async page({ username, address, ok, online, from, to, ...page }: PageInput) {
    const where = and(
      await searchNames(db, table.username, username),
      await searchNames(db, table.address, address),
      whereEquals(table.ok, ok && ok === 'true'),
      online
        ? inArray(
            table.sessionId,
            db.select({ id: session.id }).from(session).where(isSessionOpen()),
          )
        : undefined,
      from ? gte(table.time, from) : undefined,
      to ? lte(table.time, to) : undefined,
    )
    return readLogPage(db, table, where, page, (ids) =>
      db
        .select({
          ...getTableColumns(table),
          online: sql<boolean>`${session.id} is not null`.mapWith(Boolean),
        })
        .from(table)
        .leftJoin(session, and(eq(session.id, table.sessionId), isSessionOpen()))
        .where(inArray(table.id, ids)),
    )
  },
  /** Returns a login with its user if its session is still open. */
  async findOpenLogin(id: string) {
    const [row] = await db
      .select({ login: table, user })
      .from(table)
      .innerJoin(session, and(eq(session.id, table.sessionId), isSessionOpen()))
      .innerJoin(user, eq(user.id, session.userId))
      .where(eq(table.id, id))
    return row
  },
  endSession: (sessionId: string) =>
    db
      .update(session)
      .set({ ended: 'kicked' })
      .where(and(eq(session.id, sessionId), isNull(session.ended))),
})
