import type { ClientState, networkSchemas } from '@iot/shared/contract/device/network.schema'
import { and, eq, gt, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { readPage } from '../../core/db/page'
import { contains, whereEquals, buildOrderBy } from '../../core/db/rows'
import type { Session } from '../../core/http/session'
import { isOwnCredential } from '../../device-access/credentialJoin'
import { connectionRefusal as refusal } from '../../tables/connectionRefusal'
import { now } from '../../tables/columns'
import { device as table, deviceCredential, product } from '../../tables/device'
import { project } from '../../tables/project'

type PageInput = z.output<typeof networkSchemas.clients.input>
type RefusalPageInput = z.output<typeof networkSchemas.refusals.input>
type ProjectScope = Session['projectScope']

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
const isInScope = (scope: ProjectScope) =>
  scope === 'all' ? undefined : inArray(table.projectId, scope)
const refusalSortColumns = {
  id: refusal.id,
  lastTime: refusal.lastTime,
  firstTime: refusal.firstTime,
  count: refusal.count,
}
const clientColumns = () => ({
  id: table.id,
  name: table.name,
  deviceName: table.deviceName,
  projectName: sql<string>`coalesce(${project.name}, '')`,
  address: table.address,
  state: sql<ClientState | null>`case when ${table.state} = 'disabled' then 'banned'
    when ${isSlowed()} then 'slowed' when ${table.state} = 'online' then 'online' end`,
  onlineTime: table.onlineTime,
  slowedUntil: sql<string | null>`case when ${isSlowed()} then ${table.slowedUntil} end`.mapWith(
    table.slowedUntil,
  ),
})
const clientSortColumns = { id: table.id, name: table.name, onlineTime: table.onlineTime }

export const networkQueries = (db: Db) => ({
  listClients({ name, address, state, sort, ...page }: PageInput, scope: ProjectScope) {
    const stateConditions = {
      online: isOnline(),
      slowed: and(isSlowed(), ne(table.state, 'disabled')),
      banned: isBanned(db),
    }
    const where = and(
      isInScope(scope),
      state ? stateConditions[state] : or(...Object.values(stateConditions)),
      name ? or(contains(table.name, name), contains(table.deviceName, name)) : undefined,
      contains(table.address, address),
    )
    const sortOrder = buildOrderBy(clientSortColumns, sort, '-onlineTime')
    return readPage(db, table, where, page, ({ limit, offset }) =>
      db
        .select(clientColumns())
        .from(table)
        .leftJoin(project, eq(project.projectId, table.projectId))
        .where(where)
        .orderBy(...sortOrder)
        .limit(limit)
        .offset(offset),
    )
  },
  listRefusals({ name, address, reason, sort, ...page }: RefusalPageInput, scope: ProjectScope) {
    const where = and(
      scope === 'all' ? undefined : inArray(refusal.projectId, scope),
      whereEquals(refusal.reason, reason),
      name
        ? or(
            contains(refusal.deviceName, name),
            contains(refusal.productKey, name),
            contains(refusal.clientId, name),
          )
        : undefined,
      contains(refusal.address, address),
    )
    const sortOrder = buildOrderBy(refusalSortColumns, sort, '-lastTime')
    return readPage(db, refusal, where, page, ({ limit, offset }) =>
      db
        .select()
        .from(refusal)
        .where(where)
        .orderBy(...sortOrder)
        .limit(limit)
        .offset(offset),
    )
  },
  /** Returns a device that connects directly, whatever its state; sub-devices have no connection of their own. */
  async findClient(id: string, scope: ProjectScope) {
    const child = alias(table, 'child')
    const countChildren = (condition: SQL) =>
      sql<number>`(${db
        .select({ count: sql`count(*)::int` })
        .from(child)
        .where(and(eq(child.projectId, table.projectId), condition))})`
    const [row] = await db
      .select({
        ...clientColumns(),
        projectId: table.projectId,
        productId: product.id,
        productName: product.name,
        productKey: product.productKey,
        node: sql<'direct' | 'gateway'>`${product.node}`,
        reportedTime: table.reportedTime,
        total: countChildren(eq(child.gatewayId, table.id)),
        online: countChildren(eq(child.via, table.id)),
      })
      .from(table)
      .innerJoin(product, and(eq(product.id, table.productId), ne(product.node, 'sub')))
      .leftJoin(project, eq(project.projectId, table.projectId))
      .where(and(eq(table.id, id), isInScope(scope)))
    if (!row) return undefined
    const { total, online, ...client } = row
    return { ...client, children: { total, online } }
  },
  /** Returns the identity of a device at the broker, if it has a connection of its own. */
  async findConnectedClient(id: string, scope: ProjectScope) {
    const [row] = await db
      .select({
        name: table.name,
        productKey: deviceCredential.productKey,
        deviceName: deviceCredential.deviceName,
      })
      .from(table)
      .innerJoin(deviceCredential, isOwnCredential)
      .where(and(eq(table.id, id), isInScope(scope), isOnline()))
    return row
  },
})
