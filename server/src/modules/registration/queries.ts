import type {
  registrationRecordApi,
  registrationRuleApi,
  RuleChange,
  RuleDraft,
} from '@iot/shared/contract/registration'
import type { Status } from '@iot/shared/contract/fields'
import { and, eq, getTableColumns, inArray, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { pageOf, type Slice } from '../../core/db/page'
import { among, contains, equals, order, stamp } from '../../core/db/rows'
import { versioned } from '../../core/db/versioned'
import { device, deviceCredential, product } from '../../tables/device'
import { project } from '../../tables/project'
import {
  productCredential,
  registrationDropped as dropped,
  registrationRecord as record,
  registrationRule as rule,
} from '../../tables/registration'
import { space } from '../../tables/space'
import { namedProjects } from '../project/policy'

type RulePage = z.output<typeof registrationRuleApi.page.input>
type RecordPage = z.output<typeof registrationRecordApi.page.input>
export type RuleRow = Awaited<ReturnType<ReturnType<typeof ruleQueries>['many']>>[number]

const { enabled: _, ...ruleColumns } = getTableColumns(rule)
const asStored = <T extends { status?: Status }>({ status, ...rest }: T) => ({
  ...rest,
  ...(status && { enabled: status === 'enabled' }),
})

export const ruleQueries = (db: Db) => {
  const rows = versioned(db, rule)
  const shownColumns = {
    ...ruleColumns,
    status: sql<Status>`case when ${rule.enabled} then 'enabled' else 'disabled' end`,
    name: product.name,
    productKey: product.productKey,
    node: product.node,
    hasSecret: sql<boolean>`${productCredential.productKey} is not null`,
  }
  const selected = () =>
    db
      .select(shownColumns)
      .from(rule)
      .innerJoin(product, eq(product.id, rule.productId))
      .leftJoin(productCredential, eq(productCredential.productKey, product.productKey))
  const many = (ids: string[]) => selected().where(inArray(rule.id, ids))
  const get = async (id: string) => (await many([id]))[0]

  return {
    get,
    many,
    insert: async (draft: RuleDraft, by: string) => {
      const { id } = await rows.insert(asStored(draft) as Parameters<typeof rows.insert>[0], by)
      return (await get(id))!
    },
    update: async (change: z.output<typeof RuleChange>, by: string) => {
      const row = await rows.update(asStored(change), by)
      return row && get(row.id)
    },
    setAll: (ids: string[], change: { status: Status }, by: string) =>
      rows.setAll(ids, asStored(change), by),
    remove: rows.remove,
    async page({ name, mode, status, sort, ...page }: RulePage & Slice, scope: 'all' | number[]) {
      const where = and(
        among(rule.id, page.ids),
        scope === 'all' ? undefined : inArray(rule.projectId, scope),
        name
          ? inArray(
              rule.productId,
              db
                .select({ id: product.id })
                .from(product)
                .where(or(contains(product.name, name), contains(product.productKey, name))),
            )
          : undefined,
        equals(rule.mode, mode),
        status && eq(rule.enabled, status === 'enabled'),
      )
      const by = order(shownColumns, sort, '-createTime')
      return pageOf(db, rule, where, page, ({ limit, offset }) =>
        selected()
          .where(where)
          .orderBy(...by)
          .limit(limit)
          .offset(offset),
      )
    },
    /** Lists rules for an export, with the names of their projects. */
    async lines(query: RulePage, scope: 'all' | number[]) {
      const { list, ...count } = await this.page(query, scope)
      const all = await this.projects()
      const nameOf = (projectId: number) => {
        const of = all.find(({ id }) => id === projectId)
        return of ? `${of.groupName}/${of.name}` : ''
      }
      return { ...count, list: list.map((row) => ({ ...row, projectName: nameOf(row.projectId) })) }
    },
    projects: () => namedProjects(db),
    products: () =>
      db
        .select({ id: product.id, name: product.name, productKey: product.productKey })
        .from(product),
    product: async (id: string) =>
      (
        await db
          .select({
            node: product.node,
            productKey: product.productKey,
            status: product.status,
            authType: product.authType,
          })
          .from(product)
          .where(eq(product.id, id))
      )[0],
    project: async (projectId: number) =>
      (await db.$count(project, eq(project.projectId, projectId))) > 0,
    /** Adds the names of the projects. */
    rulesOfProduct: (productId: string) =>
      db
        .select({ ...getTableColumns(rule), projectName: project.name })
        .from(rule)
        .leftJoin(project, eq(project.projectId, rule.projectId))
        .where(eq(rule.productId, productId)),
    findRule: async (productKey: string, projectId: number) =>
      (
        await db
          .select(getTableColumns(rule))
          .from(rule)
          .innerJoin(product, eq(product.id, rule.productId))
          .where(and(eq(product.productKey, productKey), eq(rule.projectId, projectId)))
      )[0],
    /** Lists the rules of each product, which keep the product from being deleted. */
    ofProducts: (ids: string[]) =>
      db
        .select({
          to: rule.productId,
          entity: sql<string>`'注册规则'`,
          id: rule.id,
          name: product.name,
          projectId: rule.projectId,
        })
        .from(rule)
        .innerJoin(product, eq(product.id, rule.productId))
        .where(inArray(rule.productId, ids)),
    hasSecret: async (productKey: string) =>
      (await db.$count(productCredential, eq(productCredential.productKey, productKey))) > 0,
    keepSecret: (productKey: string, productSecret: string) =>
      db
        .insert(productCredential)
        .values({ productKey, productSecret })
        .onConflictDoUpdate({ target: productCredential.productKey, set: { productSecret } }),
  }
}

export const recordQueries = (db: Db) => {
  const gateway = alias(device, 'gateway')
  const owner = alias(device, 'owner')
  const columns = {
    ...getTableColumns(record),
    productName: product.name,
    gatewayName: gateway.name,
    productId: product.id,
    productStatus: product.status,
    node: product.node,
    deviceId: device.id,
    deviceTitle: device.name,
    deviceProject: deviceCredential.projectId,
    spaceId: device.spaceId,
    ownerId: owner.id,
    ownerName: owner.name,
  }
  const selected = () =>
    db
      .select(columns)
      .from(record)
      .leftJoin(product, eq(product.productKey, record.productKey))
      .leftJoin(
        gateway,
        and(
          eq(gateway.projectId, record.projectId),
          // The gateway id is empty for a device that registered directly; the text comparison avoids an invalid uuid.
          sql`${gateway.id}::text = ${record.gatewayId}`,
        ),
      )
      .leftJoin(
        deviceCredential,
        and(
          eq(deviceCredential.productKey, record.productKey),
          eq(deviceCredential.deviceName, record.deviceName),
        ),
      )
      .leftJoin(
        device,
        and(
          eq(device.projectId, deviceCredential.projectId),
          eq(device.id, deviceCredential.deviceId),
          // A device of another project is not shown.
          eq(device.projectId, record.projectId),
        ),
      )
      .leftJoin(owner, and(eq(owner.projectId, device.projectId), eq(owner.id, device.gatewayId)))
  const mine = (projectId: number, ids: string[]) =>
    and(eq(record.projectId, projectId), inArray(record.id, ids))

  return {
    async page({ projectId, deviceName, productKey, state, sort, ...page }: RecordPage & Slice) {
      const where = and(
        eq(record.projectId, projectId),
        among(record.id, page.ids),
        deviceName ? contains(record.deviceName, deviceName) : undefined,
        equals(record.productKey, productKey),
        equals(record.state, state),
      )
      const { id, deviceName: serial, state: word, firstTime, lastTime, count } = columns
      const sortable = { id, deviceName: serial, state: word, firstTime, lastTime, count }
      return pageOf(db, record, where, page, ({ limit, offset }) =>
        selected()
          .where(where)
          .orderBy(...order(sortable, sort, '-lastTime'))
          .limit(limit)
          .offset(offset),
      )
    },
    dropped: (projectId: number) =>
      db
        .select({
          productName: sql<string>`coalesce(${product.name}, ${dropped.productKey})`,
          count: dropped.count,
          lastTime: dropped.lastTime,
        })
        .from(dropped)
        .leftJoin(product, eq(product.productKey, dropped.productKey))
        .where(eq(dropped.projectId, projectId))
        .orderBy(sql`${dropped.lastTime} desc`),
    many: (projectId: number, ids: string[]) => selected().where(mine(projectId, ids)),
    /** The lock keeps other users from deciding about these records. */
    held: (projectId: number, ids: string[]) =>
      selected().where(mine(projectId, ids)).for('update', { of: record }),
    /** Saves a decision if the state is still the one that was read; another user may have decided first. */
    decide: async (
      {
        id,
        projectId,
        state,
      }: { id: string; projectId: number; state: typeof record.$inferSelect.state },
      set: Partial<typeof record.$inferInsert>,
    ) =>
      (
        await db
          .update(record)
          .set(set)
          .where(and(eq(record.projectId, projectId), eq(record.id, id), eq(record.state, state)))
          .returning({ id: record.id })
      ).length > 0,
    /** Marks the records of other gateways that reported the same serial as conflicts. */
    contest: (
      { id, projectId, productKey, deviceName }: typeof record.$inferSelect,
      reason: string,
    ) =>
      db
        .update(record)
        .set({ state: 'conflict', reason })
        .where(
          and(
            eq(record.projectId, projectId),
            eq(record.productKey, productKey),
            eq(record.deviceName, deviceName),
            ne(record.id, id),
            ne(record.gatewayId, ''),
            inArray(record.state, ['pending', 'conflict']),
          ),
        ),
    refuse: (projectId: number, ids: string[], reason: string, decideBy: string) =>
      db.update(record).set({ state: 'refused', reason, decideBy }).where(mine(projectId, ids)),
    remove: (projectId: number, ids: string[]) => db.delete(record).where(mine(projectId, ids)),
    spaces: (projectId: number) => db.select().from(space).where(eq(space.projectId, projectId)),
    /** Assigns the device to another gateway and place; a position is cleared, because it belongs to one floor plan. */
    async place(
      { projectId, id }: { projectId: number; id: string },
      set: Pick<typeof device.$inferInsert, 'name' | 'spaceId' | 'floorId' | 'gatewayId'>,
      by: string,
    ) {
      const mine = and(eq(device.projectId, projectId), eq(device.id, id))
      const [before] = await db.select({ floorId: device.floorId }).from(device).where(mine)
      const leaves = before?.floorId !== set.floorId
      await db
        .update(device)
        .set({ ...set, ...(leaves && { x: null, y: null }), via: null, ...stamp(device, by) })
        .where(mine)
    },
  }
}
