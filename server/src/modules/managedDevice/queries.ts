import type { DevicePlace, managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { treeOf } from '@iot/shared/contract/tree'
import { and, asc, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, equals } from '../../core/db/rows'
import { versioned } from '../../core/db/versioned'
import { liveColumns } from '../../device-access/states'
import { device as table, deviceCredential, product } from '../../tables/device'
import {
  deviceFirmware,
  deviceMessage,
  deviceShadow,
  deviceTag,
  edgeHost,
} from '../../tables/deviceRecords'
import { productType } from '../../tables/productType'
import { project } from '../../tables/project'
import { scene, sceneAction } from '../../tables/scene'
import { space } from '../../tables/space'
import { groupAsScope } from '../deviceGroup/policy'

type Page = z.output<typeof managedDeviceApi.page.input>
export type DeviceRow = typeof table.$inferSelect
type Where = { projectId: number; spaceId: string | null; floorId: string | null }
type NewDevice = Pick<
  DeviceRow,
  'id' | 'projectId' | 'productId' | 'name' | 'deviceName' | 'spaceId' | 'floorId' | 'protected'
> & { productKey: string; deviceSecret: string }

/** Tables of data that a device reported once; their rows move with the device to another project. */
const carried = [deviceTag, deviceFirmware, deviceShadow, edgeHost]
const noRow = [] as never[]
const onFloorColumns = {
  id: table.id,
  name: table.name,
  deviceName: table.deviceName,
  productId: table.productId,
  spaceId: table.spaceId,
  floorId: table.floorId,
  x: table.x,
  y: table.y,
  state: table.state,
  protected: table.protected,
}

export const managedDeviceQueries = (db: Db) => {
  const rows = versioned(db, table)

  const spaces = (projectId: number) =>
    db
      .select({ id: space.id, parentId: space.parentId, type: space.type, name: space.name })
      .from(space)
      .where(eq(space.projectId, projectId))
      .orderBy(asc(space.sort), asc(space.id))

  return {
    ...rows,
    spaces,
    async page({ projectId, name, productId, spaceId, groupId, gatewayId, state, ...page }: Page) {
      const inside = spaceId && [...treeOf(await spaces(projectId)).within(spaceId)]
      const group = groupId ? await groupAsScope(db, projectId, groupId) : undefined
      const { list, ...count } = await rows.list(
        and(
          eq(table.projectId, projectId),
          name ? or(contains(table.name, name), contains(table.deviceName, name)) : undefined,
          equals(table.productId, productId),
          equals(table.gatewayId, gatewayId),
          equals(table.state, state),
          inside ? inArray(table.spaceId, inside) : undefined,
          group?.isMember,
        ),
        page,
      )
      return { list: await this.named(list), ...count }
    },
    /** Adds the names of product, place and gateway. */
    async named(list: DeviceRow[]) {
      const projectIds = [...new Set(list.map(({ projectId }) => projectId))]
      const trees = new Map(
        await Promise.all(projectIds.map(async (id) => [id, treeOf(await spaces(id))] as const)),
      )
      const products = await db
        .select({
          id: product.id,
          name: product.name,
          key: product.productKey,
          node: product.node,
          type: product.productType,
        })
        .from(product)
        .where(inArray(product.id, [...new Set(list.map(({ productId }) => productId))]))
      const gatewayIds = [...new Set(list.flatMap(({ gatewayId }) => gatewayId ?? noRow))]
      const gateways = await db
        .select({ id: table.id, name: table.name })
        .from(table)
        .where(inArray(table.id, gatewayIds))
      return list.map((row) => {
        const of = products.find(({ id }) => id === row.productId)!
        const path = trees.get(row.projectId)!.path(row.spaceId)
        return {
          ...row,
          productName: of.name,
          productKey: of.key,
          productType: of.type,
          node: of.node,
          place: path.map((one) => one.name).join(' / '),
          gatewayName: gateways.find(({ id }) => id === row.gatewayId)?.name ?? '',
        }
      })
    },
    /** Returns a place with the floor that contains it; undefined if the project has no space with that id. */
    async placeOf(projectId: number, spaceId: string | null): Promise<Where | undefined> {
      if (spaceId === null) return { projectId, spaceId, floorId: null }
      const path = treeOf(await spaces(projectId)).path(spaceId)
      if (path.length === 0) return undefined
      return { projectId, spaceId, floorId: path.find(({ type }) => type === 'floor')?.id ?? null }
    },
    products: () =>
      db
        .select({
          id: product.id,
          name: product.name,
          productKey: product.productKey,
          status: product.status,
        })
        .from(product),
    product: async (id: string) => (await db.select().from(product).where(eq(product.id, id)))[0],
    identities: (ids: string[]) =>
      db
        .select({
          id: deviceCredential.deviceId,
          productKey: deviceCredential.productKey,
          deviceName: deviceCredential.deviceName,
        })
        .from(table)
        .innerJoin(product, eq(product.id, table.productId))
        .innerJoin(
          deviceCredential,
          and(
            eq(deviceCredential.productKey, product.productKey),
            eq(deviceCredential.deviceName, table.deviceName),
          ),
        )
        .where(inArray(table.id, ids)),
    deviceNameTaken: async (productKey: string, deviceName: string) =>
      (await db.$count(
        deviceCredential,
        and(
          eq(deviceCredential.productKey, productKey),
          eq(deviceCredential.deviceName, deviceName),
        ),
      )) > 0,
    credential: (row: typeof deviceCredential.$inferInsert) =>
      db.insert(deviceCredential).values(row),
    /** Inserts devices with their secrets and returns the ids of those whose names were not yet used. */
    async registerAll(list: NewDevice[], by: string) {
      if (list.length === 0) return new Set<string>()
      const entered = await db
        .insert(deviceCredential)
        .values(
          list.map(({ id, productKey, deviceName, deviceSecret, projectId }) => ({
            productKey,
            deviceName,
            deviceSecret,
            projectId,
            deviceId: id,
          })),
        )
        .onConflictDoNothing()
        .returning({ id: deviceCredential.deviceId })
      const made = new Set(entered.map(({ id }) => id))
      const rows = list.filter(({ id }) => made.has(id))
      if (rows.length > 0)
        await db.insert(table).values(
          rows.map(({ productKey: _, deviceSecret: __, ...row }) => ({
            ...row,
            state: 'inactive' as const,
            reported: {},
            address: '',
            createBy: by,
            updateBy: by,
            updateTime: new Date().toISOString(),
          })),
        )
      return made
    },
    /** Returns existing devices by product key and DeviceName. */
    async namesOf(identities: { productKey: string; deviceName: string }[]) {
      const found = await db
        .select({
          id: table.id,
          productKey: deviceCredential.productKey,
          deviceName: deviceCredential.deviceName,
          projectId: table.projectId,
          name: table.name,
        })
        .from(deviceCredential)
        .innerJoin(
          table,
          and(
            eq(table.projectId, deviceCredential.projectId),
            eq(table.id, deviceCredential.deviceId),
          ),
        )
        .where(
          inArray(
            deviceCredential.deviceName,
            identities.map(({ deviceName }) => deviceName),
          ),
        )
      return new Map(found.map((one) => [`${one.productKey}&${one.deviceName}`, one]))
    },
    /** The token of a dynamically registered device becomes invalid together with its old secret. */
    replaceSecret: (of: { productKey: string; deviceName: string }, deviceSecret: string) =>
      db
        .update(deviceCredential)
        .set({ deviceSecret, clientId: null, deviceToken: null })
        .where(
          and(
            eq(deviceCredential.productKey, of.productKey),
            eq(deviceCredential.deviceName, of.deviceName),
          ),
        ),
    /** Returns the changed devices as pages receive them. */
    setDisabled: (ids: string[], disabled: boolean, by: string) =>
      db
        .update(table)
        .set({
          state: disabled
            ? 'disabled'
            : sql`case when ${table.onlineTime} is null then 'inactive' else 'offline' end`,
          ...(disabled && { via: null }),
          revision: sql`${table.revision} + 1`,
          version: sql`${table.version} + 1`,
          updateBy: by,
          updateTime: new Date().toISOString(),
        })
        .where(inArray(table.id, ids))
        .returning(liveColumns),
    /**
     * Moves devices to a place of another project. The project id is part of a referenced key, so a new row replaces
     * the
     * old one.
     */
    async moveTo({ projectId, spaceId, floorId }: Where, list: DeviceRow[], by: string) {
      const ids = list.map(({ id }) => id)
      const changed = { updateBy: by, updateTime: new Date().toISOString() }
      await db.insert(table).values(
        list.map((row) => ({
          ...row,
          ...changed,
          projectId,
          spaceId,
          floorId,
          x: null,
          y: null,
          gatewayId: null,
          via: null,
          desired: {},
          wishes: {},
          version: row.version + 1,
          ...(row.state === 'online' && { state: 'offline' as const }),
        })),
      )
      for (const one of [...carried, deviceCredential])
        await db.update(one).set({ projectId }).where(inArray(one.deviceId, ids))
      await db
        .delete(table)
        .where(and(eq(table.projectId, list[0]!.projectId), inArray(table.id, ids)))
    },
    /**
     * Moves devices within their project; a position is cleared when the floor changes, because it belongs to one plan.
     */
    async placeAt({ spaceId, floorId }: Where, list: DeviceRow[], by: string) {
      const stays = (row: DeviceRow) => row.floorId === floorId
      const idsOf = (some: DeviceRow[]) => some.map(({ id }) => id)
      await rows.setAll(idsOf(list.filter(stays)), { spaceId }, by)
      const leaving = idsOf(list.filter((row) => !stays(row)))
      await rows.setAll(leaving, { spaceId, floorId, x: null, y: null }, by)
    },
    /** Rows are locked in id order, so that two users who arrange the same floor cannot cause a deadlock. */
    held: (ids: string[]) =>
      db.select().from(table).where(inArray(table.id, ids)).orderBy(asc(table.id)).for('update'),
    /** Places devices on a floor plan; a device without a floor is also assigned to this floor. */
    async hang(floorId: string, places: DevicePlace[], by: string) {
      const given = sql`jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as given(id uuid, x float8, y float8, "spaceId" uuid)`
      await db.execute(sql`
        update ${table} set x = given.x, y = given.y, floor_id = ${floorId}::uuid,
          space_id = coalesce(given."spaceId", case when floor_id is null then ${floorId}::uuid else space_id end),
          version = version + 1, update_by = ${by}, update_time = now()
        from ${given} where ${table.id} = given.id`)
    },
    /** Returns a floor, with the row id of its project for links to it. */
    floor: async (id: string) =>
      (
        await db
          .select({ ...getTableColumns(space), projectRow: project.id })
          .from(space)
          .leftJoin(project, eq(project.projectId, space.projectId))
          .where(and(eq(space.id, id), eq(space.type, 'floor')))
      )[0],
    onFloor: (projectId: number, floorId: string) =>
      db
        .select(onFloorColumns)
        .from(table)
        .where(and(eq(table.projectId, projectId), eq(table.floorId, floorId))),
    /**
     * Lists devices without a floor that are in no space or in one of these: the first `most` of them, and the total.
     */
    async onNoFloor(projectId: number, above: string[], most: number) {
      const where = and(
        eq(table.projectId, projectId),
        isNull(table.floorId),
        or(isNull(table.spaceId), inArray(table.spaceId, above)),
      )
      const [list, total] = await Promise.all([
        db
          .select(onFloorColumns)
          .from(table)
          .where(where)
          .orderBy(asc(table.name), asc(table.id))
          .limit(most),
        db.$count(table, where),
      ])
      return { list, total }
    },
    typed: (productIds: string[]) =>
      db
        .select({
          id: product.id,
          name: product.name,
          productType: product.productType,
          typeName: sql<string>`coalesce(${productType.name}, ${product.productType})`,
          model: product.model,
        })
        .from(product)
        .leftJoin(productType, eq(productType.code, product.productType))
        .where(inArray(product.id, productIds)),
    /** Removes devices with their credentials and latest messages; reported history stays for its retention period. */
    async removeAll(list: DeviceRow[]) {
      const ids = list.map(({ id }) => id)
      await db.delete(deviceCredential).where(inArray(deviceCredential.deviceId, ids))
      for (const projectId of new Set(list.map((row) => row.projectId)))
        await db
          .delete(deviceMessage)
          .where(and(eq(deviceMessage.projectId, projectId), inArray(deviceMessage.deviceId, ids)))
      await rows.remove(ids)
    },
    /** Lists scenes whose actions name these devices individually. */
    async scenesOf(ids: string[]) {
      const found = await db
        .selectDistinct({ id: scene.id, name: scene.name, scope: sceneAction.scope })
        .from(sceneAction)
        .innerJoin(
          scene,
          and(eq(scene.projectId, sceneAction.projectId), eq(scene.id, sceneAction.sceneId)),
        )
        .where(
          sql`exists (select 1 from jsonb_array_elements_text(${sceneAction.scope} -> 'deviceIds') as named where named in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`,
        )
      return found.flatMap(({ id, name, scope }) =>
        scope.kind === 'devices'
          ? scope.deviceIds
              .filter((to) => ids.includes(to))
              .map((to) => ({ to, id, name, entity: '场景' }))
          : [],
      )
    },
  }
}
