import type {
  RuleChange,
  RuleDraft,
  registrationRuleSchemas,
  registrationRecordSchemas,
} from '@iot/shared/contract/device/registration.schema'
import type { Status } from '@iot/shared/contract/fields.schema'
import { and, eq, getTableColumns, inArray, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { readPage, type PageQuery } from '../../core/db/page'
import {
  whereIdIn,
  contains,
  whereEquals,
  buildOrderBy,
  buildUpdateColumns,
} from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { device, deviceCredential, product } from '../../tables/device'
import { project } from '../../tables/project'
import {
  productCredential,
  registrationDropped as dropped,
  registrationRecord as record,
  registrationRule as rule,
} from '../../tables/registration'
import { space } from '../../tables/space'
import { listProjectNames } from '../project/policy'

type RulePageInput = z.output<typeof registrationRuleSchemas.page.input>
type RecordPageInput = z.output<typeof registrationRecordSchemas.page.input>
export type RuleRow = Awaited<ReturnType<ReturnType<typeof ruleQueries>['many']>>[number]

const { enabled: _, ...ruleColumns } = getTableColumns(rule)
const toStoredFields = <T extends { status?: Status }>({ status, ...rest }: T) => ({
  ...rest,
  ...(status && { enabled: status === 'enabled' }),
})
const resultColumns = {
  ...ruleColumns,
  status: sql<Status>`case when ${rule.enabled} then 'enabled' else 'disabled' end`,
  name: product.name,
  productKey: product.productKey,
  node: product.node,
  hasSecret: sql<boolean>`${productCredential.productKey} is not null`,
}

export const ruleQueries = (db: Db) => ({
  ...ruleRowQueries(db),
  ...ruleListQueries(db),
  ...ruleReferenceQueries(db),
  ...productSecretQueries(db),
})

const createRuleSelect = (db: Db) => () =>
  db
    .select(resultColumns)
    .from(rule)
    .innerJoin(product, eq(product.id, rule.productId))
    .leftJoin(productCredential, eq(productCredential.productKey, product.productKey))

const ruleRowQueries = (db: Db) => {
  const rows = versionedQueries(db, rule)
  const selectRules = createRuleSelect(db)
  const many = (ids: string[]) => selectRules().where(inArray(rule.id, ids))
  const get = async (id: string) => (await many([id]))[0]

  return {
    get,
    many,
    insert: async (draft: RuleDraft, actor: string) => {
      const { id } = await rows.insert(
        toStoredFields(draft) as Parameters<typeof rows.insert>[0],
        actor,
      )
      return (await get(id))!
    },
    update: async (change: z.output<typeof RuleChange>, actor: string) => {
      const row = await rows.update(toStoredFields(change), actor)
      return row && get(row.id)
    },
    setAll: (ids: string[], change: { status: Status }, actor: string) =>
      rows.setAll(ids, toStoredFields(change), actor),
    remove: rows.remove,
  }
}

const ruleListQueries = (db: Db) => {
  const selectRules = createRuleSelect(db)
  const listProjects = () => listProjectNames(db)
  async function page(
    { name, mode, status, sort, ...page }: RulePageInput & PageQuery,
    scope: 'all' | number[],
  ) {
    const where = and(
      whereIdIn(rule.id, page.ids),
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
      whereEquals(rule.mode, mode),
      status && eq(rule.enabled, status === 'enabled'),
    )
    const sortOrder = buildOrderBy(resultColumns, sort, '-createTime')
    return readPage(db, rule, where, page, ({ limit, offset }) =>
      selectRules()
        .where(where)
        .orderBy(...sortOrder)
        .limit(limit)
        .offset(offset),
    )
  }

  return {
    page,
    listProjects,
    /** Lists rules for an export, with the names of their projects. */
    async exportPage(query: RulePageInput, scope: 'all' | number[]) {
      const { list, ...count } = await page(query, scope)
      const projectNames = await listProjects()
      const formatProjectName = (projectId: number) => {
        const namedProject = projectNames.find(({ id }) => id === projectId)
        return namedProject ? `${namedProject.groupName}/${namedProject.name}` : ''
      }
      return {
        ...count,
        list: list.map((row) => ({ ...row, projectName: formatProjectName(row.projectId) })),
      }
    },
  }
}

/** Queries for the products and projects of rules. */
const ruleReferenceQueries = (db: Db) => ({
  listProducts: () =>
    db.select({ id: product.id, name: product.name, productKey: product.productKey }).from(product),
  findProduct: async (id: string) =>
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
  hasProject: async (projectId: number) =>
    (await db.$count(project, eq(project.projectId, projectId))) > 0,
  /** Adds the names of the projects. */
  findRulesByProduct: (productId: string) =>
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
  findUsingProducts: (ids: string[]) =>
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
})

const productSecretQueries = (db: Db) => ({
  hasSecret: async (productKey: string) =>
    (await db.$count(productCredential, eq(productCredential.productKey, productKey))) > 0,
  saveSecret: (productKey: string, productSecret: string) =>
    db
      .insert(productCredential)
      .values({ productKey, productSecret })
      .onConflictDoUpdate({ target: productCredential.productKey, set: { productSecret } }),
})

const gateway = alias(device, 'gateway')
const owner = alias(device, 'owner')
const recordColumns = {
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
const matchesRecords = (projectId: number, ids: string[]) =>
  and(eq(record.projectId, projectId), inArray(record.id, ids))

export const recordQueries = (db: Db) => ({
  ...recordListQueries(db),
  ...decisionQueries(db),
  ...deviceAssignmentQueries(db),
})

const recordListQueries = (db: Db) => {
  const selectRecords = () =>
    db
      .select(recordColumns)
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

  return {
    async page({
      projectId,
      deviceName,
      productKey,
      state,
      sort,
      ...page
    }: RecordPageInput & PageQuery) {
      const where = and(
        eq(record.projectId, projectId),
        whereIdIn(record.id, page.ids),
        deviceName ? contains(record.deviceName, deviceName) : undefined,
        whereEquals(record.productKey, productKey),
        whereEquals(record.state, state),
      )
      const {
        id,
        deviceName: serialColumn,
        state: stateColumn,
        firstTime,
        lastTime,
        count,
      } = recordColumns
      const sortColumns = {
        id,
        deviceName: serialColumn,
        state: stateColumn,
        firstTime,
        lastTime,
        count,
      }
      return readPage(db, record, where, page, ({ limit, offset }) =>
        selectRecords()
          .where(where)
          .orderBy(...buildOrderBy(sortColumns, sort, '-lastTime'))
          .limit(limit)
          .offset(offset),
      )
    },
    listDropped: (projectId: number) =>
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
    many: (projectId: number, ids: string[]) =>
      selectRecords().where(matchesRecords(projectId, ids)),
    /** The lock keeps other users from deciding about these records. */
    lockRecords: (projectId: number, ids: string[]) =>
      selectRecords().where(matchesRecords(projectId, ids)).for('update', { of: record }),
  }
}

/** Queries that save decisions about records. */
const decisionQueries = (db: Db) => ({
  /** Saves a decision if the state is still the one that was read; another user may have decided first. */
  saveDecision: async (
    {
      id,
      projectId,
      state,
    }: { id: string; projectId: number; state: typeof record.$inferSelect.state },
    changes: Partial<typeof record.$inferInsert>,
  ) =>
    (
      await db
        .update(record)
        .set(changes)
        .where(and(eq(record.projectId, projectId), eq(record.id, id), eq(record.state, state)))
        .returning({ id: record.id })
    ).length > 0,
  /** Marks the records of other gateways that reported the same serial as conflicts. */
  markConflicts: (
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
  markRefused: (projectId: number, ids: string[], reason: string, decideBy: string) =>
    db
      .update(record)
      .set({ state: 'refused', reason, decideBy })
      .where(matchesRecords(projectId, ids)),
  remove: (projectId: number, ids: string[]) =>
    db.delete(record).where(matchesRecords(projectId, ids)),
})

/** Queries that give the device of a record its place and gateway. */
const deviceAssignmentQueries = (db: Db) => ({
  spaces: (projectId: number) => db.select().from(space).where(eq(space.projectId, projectId)),
  /** Assigns the device to another gateway and place; a position is cleared, because it belongs to one floor plan. */
  async assignDevice(
    { projectId, id }: { projectId: number; id: string },
    placement: Pick<typeof device.$inferInsert, 'name' | 'spaceId' | 'floorId' | 'gatewayId'>,
    actor: string,
  ) {
    const isDevice = and(eq(device.projectId, projectId), eq(device.id, id))
    const [previousDevice] = await db
      .select({ floorId: device.floorId })
      .from(device)
      .where(isDevice)
    const isFloorChanged = previousDevice?.floorId !== placement.floorId
    await db
      .update(device)
      .set({
        ...placement,
        ...(isFloorChanged && { x: null, y: null }),
        via: null,
        ...buildUpdateColumns(device, actor),
      })
      .where(isDevice)
  },
})
