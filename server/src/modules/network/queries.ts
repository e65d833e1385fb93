import type { ClientState, networkApi } from '@iot/shared/contract/network'
import { and, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { pageOf } from '../../core/db/page'
import { contains, equals, order } from '../../core/db/rows'
import type { Session } from '../../core/serve/session'
import { connectionRefusal as refusal } from '../../tables/connectionRefusal'
import { now } from '../../tables/columns'
import { device as table, deviceCredential, product } from '../../tables/device'
import { project } from '../../tables/project'

type Page = z.output<typeof networkApi.clients.input>
type RefusalPage = z.output<typeof networkApi.refusals.input>
type Scope = Session['projectScope']

const isOnline = () => and(eq(table.state, 'online'), isNull(table.via))
const isSlowed = () => gt(table.slowedUntil, now())
/** SQL for disabled devices that connect directly; sub-devices have no connection of their own. */
const isBanned = (db: Db) =>
  and(
    eq(table.state, 'disabled'),
    inArray(
      table.productId,
      db.select({ id: product.id }).from(product).where(ne(product.node, 'sub')),
    ),
  )
const within = (scope: Scope) => (scope === 'all' ? undefined : inArray(table.projectId, scope))
const sortableRefusals = {
  id: refusal.id,
  lastTime: refusal.lastTime,
  firstTime: refusal.firstTime,
  count: refusal.count,
}
const sortable = { id: table.id, name: table.name, onlineTime: table.onlineTime }

export const networkQueries = (db: Db) => ({
  clients({ name, address, state, sort, ...page }: Page, scope: Scope) {
    const states = {
      online: isOnline(),
      slowed: and(isSlowed(), ne(table.state, 'disabled')),
      banned: isBanned(db),
    }
    const where = and(
      within(scope),
      state ? states[state] : or(...Object.values(states)),
      name ? or(contains(table.name, name), contains(table.deviceName, name)) : undefined,
      contains(table.address, address),
    )
    const by = order(sortable, sort, '-onlineTime')
    return pageOf(db, table, where, page, ({ limit, offset }) =>
      db
        .select({
          id: table.id,
          name: table.name,
          deviceName: table.deviceName,
          projectName: sql<string>`coalesce(${project.name}, '')`,
          address: table.address,
          state: sql<ClientState | null>`case when ${table.state} = 'disabled' then 'banned'
            when ${isSlowed()} then 'slowed' when ${table.state} = 'online' then 'online' end`,
          onlineTime: table.onlineTime,
          slowedUntil: sql<
            string | null
          >`case when ${isSlowed()} then ${table.slowedUntil} end`.mapWith(table.slowedUntil),
        })
        .from(table)
        .leftJoin(project, eq(project.projectId, table.projectId))
        .where(where)
        .orderBy(...by)
        .limit(limit)
        .offset(offset),
    )
  },
  refusals({ name, address, reason, sort, ...page }: RefusalPage, scope: Scope) {
    const where = and(
      scope === 'all' ? undefined : inArray(refusal.projectId, scope),
      equals(refusal.reason, reason),
      name
        ? or(
            contains(refusal.deviceName, name),
            contains(refusal.productKey, name),
            contains(refusal.clientId, name),
          )
        : undefined,
      contains(refusal.address, address),
    )
    const by = order(sortableRefusals, sort, '-lastTime')
    return pageOf(db, refusal, where, page, ({ limit, offset }) =>
      db
        .select()
        .from(refusal)
        .where(where)
        .orderBy(...by)
        .limit(limit)
        .offset(offset),
    )
  },
  /** Returns the identity of a device at the broker, if it has a connection of its own. */
  async connected(id: string, scope: Scope) {
    const [row] = await db
      .select({
        name: table.name,
        productKey: deviceCredential.productKey,
        deviceName: deviceCredential.deviceName,
      })
      .from(table)
      .innerJoin(
        deviceCredential,
        and(
          eq(deviceCredential.projectId, table.projectId),
          eq(deviceCredential.deviceId, table.id),
        ),
      )
      .where(and(eq(table.id, id), within(scope), isOnline()))
    return row
  },
})
