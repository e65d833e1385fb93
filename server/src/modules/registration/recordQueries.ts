import type { registrationRecordSchemas } from '@iot/shared/contract/device/registration.schema'
import { and, eq, getTableColumns, inArray, ne, sql } from 'drizzle-orm'
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
import { device, deviceCredential, product } from '../../tables/device'
import {
  registrationDropped as dropped,
  registrationRecord as record,
} from '../../tables/registration'
import { space } from '../../tables/space'

type RecordPageInput = z.output<typeof registrationRecordSchemas.page.input>

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
