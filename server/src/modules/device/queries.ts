import type {
  DevicePlace,
  managedDeviceSchemas,
} from '@iot/shared/contract/device/managedDevice.schema'
import { getScopePlaces } from '@iot/shared/contract/control/sceneScope'
import { createTree } from '@iot/shared/contract/tree'
import { and, asc, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { liveColumns } from '../../device-access/ingest/deviceStates'
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
import { getGroupScope } from '../deviceGroup/policy'

type PageInput = z.output<typeof managedDeviceSchemas.page.input>
export type DeviceRow = typeof table.$inferSelect
type Placement = { projectId: number; spaceId: string | null; floorId: string | null }
type NewDevice = Pick<
  DeviceRow,
  'id' | 'projectId' | 'productId' | 'name' | 'deviceName' | 'spaceId' | 'floorId' | 'protected'
> & { productKey: string; deviceSecret: string }

/** Tables of data that a device reported once; their rows move with the device to another project. */
const deviceDataTables = [deviceTag, deviceFirmware, deviceShadow, edgeHost]
const emptyList = [] as never[]
const floorDeviceColumns = {
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

type VersionedDeviceQueries = ReturnType<typeof versionedQueries<typeof table>>

export const managedDeviceQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  const places = placeQueries(db)

  return {
    ...rows,
    ...places,
    ...listQueries(db, rows, places.spaces),
    ...productQueries(db),
    ...identityQueries(db),
    ...registrationQueries(db),
    ...moveQueries(db, rows),
    ...floorQueries(db),
    ...removalQueries(db, rows),
    /** Returns the changed devices as pages receive them. */
    setDisabled: (ids: string[], isDisabled: boolean, actor: string) =>
      db
        .update(table)
        .set({
          state: isDisabled
            ? 'disabled'
            : sql`case when ${table.onlineTime} is null then 'inactive' else 'offline' end`,
          ...(isDisabled && { via: null }),
          revision: sql`${table.revision} + 1`,
          version: sql`${table.version} + 1`,
          updateBy: actor,
          updateTime: new Date().toISOString(),
        })
        .where(inArray(table.id, ids))
        .returning(liveColumns),
  }
}

const placeQueries = (db: Db) => {
  const spaces = (projectId: number) =>
    db
      .select({ id: space.id, parentId: space.parentId, type: space.type, name: space.name })
      .from(space)
      .where(eq(space.projectId, projectId))
      .orderBy(asc(space.sort), asc(space.id))
  return {
    spaces,
    /** Returns a place with the floor that contains it; undefined if the project has no space with that id. */
    async findPlacement(projectId: number, spaceId: string | null): Promise<Placement | undefined> {
      if (spaceId === null) return { projectId, spaceId, floorId: null }
      const path = createTree(await spaces(projectId)).path(spaceId)
      if (path.length === 0) return undefined
      return { projectId, spaceId, floorId: path.find(({ type }) => type === 'floor')?.id ?? null }
    },
  }
}

const listQueries = (
  db: Db,
  rows: VersionedDeviceQueries,
  listSpaces: ReturnType<typeof placeQueries>['spaces'],
) => {
  /** Adds the names of product, place and gateway. */
  async function addNames(list: DeviceRow[]) {
    const projectIds = [...new Set(list.map(({ projectId }) => projectId))]
    const trees = new Map(
      await Promise.all(
        projectIds.map(async (id) => [id, createTree(await listSpaces(id))] as const),
      ),
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
    const gatewayIds = [...new Set(list.flatMap(({ gatewayId }) => gatewayId ?? emptyList))]
    const gateways = await db
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(inArray(table.id, gatewayIds))
    return list.map((row) => {
      const productRow = products.find(({ id }) => id === row.productId)!
      const path = trees.get(row.projectId)!.path(row.spaceId)
      return {
        ...row,
        productName: productRow.name,
        productKey: productRow.key,
        productType: productRow.type,
        node: productRow.node,
        place: path.map((ancestor) => ancestor.name).join(' / '),
        gatewayName: gateways.find(({ id }) => id === row.gatewayId)?.name ?? '',
      }
    })
  }

  return {
    addNames,
    async page({
      projectId,
      name,
      productId,
      spaceId,
      groupId,
      gatewayId,
      state,
      ...page
    }: PageInput) {
      const spaceIdsWithin = spaceId && [...createTree(await listSpaces(projectId)).within(spaceId)]
      const group = groupId ? await getGroupScope(db, projectId, groupId) : undefined
      const { list, ...count } = await rows.list(
        and(
          eq(table.projectId, projectId),
          name ? or(contains(table.name, name), contains(table.deviceName, name)) : undefined,
          whereEquals(table.productId, productId),
          whereEquals(table.gatewayId, gatewayId),
          whereEquals(table.state, state),
          spaceIdsWithin ? inArray(table.spaceId, spaceIdsWithin) : undefined,
          group?.isMember,
        ),
        page,
      )
      return { list: await addNames(list), ...count }
    },
  }
}

const productQueries = (db: Db) => ({
  listProducts: () =>
    db
      .select({
        id: product.id,
        name: product.name,
        productKey: product.productKey,
        status: product.status,
      })
      .from(product),
  findProduct: async (id: string) => (await db.select().from(product).where(eq(product.id, id)))[0],
  findProductsWithType: (productIds: string[]) =>
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
})

/** Queries for product key and DeviceName, with which devices identify themselves. */
const identityQueries = (db: Db) => ({
  findIdentities: (ids: string[]) =>
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
  /** Returns existing devices by product key and DeviceName. */
  async findByIdentities(identities: { productKey: string; deviceName: string }[]) {
    const deviceRows = await db
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
    return new Map(deviceRows.map((row) => [`${row.productKey}&${row.deviceName}`, row]))
  },
  /** The token of a dynamically registered device becomes invalid together with its old secret. */
  async findSecret(identity: { productKey: string; deviceName: string }) {
    const [row] = await db
      .select({ deviceSecret: deviceCredential.deviceSecret })
      .from(deviceCredential)
      .where(
        and(
          eq(deviceCredential.productKey, identity.productKey),
          eq(deviceCredential.deviceName, identity.deviceName),
        ),
      )
    return row!.deviceSecret
  },
  replaceSecret: (identity: { productKey: string; deviceName: string }, deviceSecret: string) =>
    db
      .update(deviceCredential)
      .set({ deviceSecret, clientId: null, deviceToken: null })
      .where(
        and(
          eq(deviceCredential.productKey, identity.productKey),
          eq(deviceCredential.deviceName, identity.deviceName),
        ),
      ),
  replaceSecrets: (secrets: { productKey: string; deviceName: string; deviceSecret: string }[]) =>
    db.execute(sql`
      update ${deviceCredential}
      set device_secret = replaced.secret, client_id = null, device_token = null
      from unnest(
        ${sql.param(secrets.map(({ productKey }) => productKey))}::text[],
        ${sql.param(secrets.map(({ deviceName }) => deviceName))}::text[],
        ${sql.param(secrets.map(({ deviceSecret }) => deviceSecret))}::text[]
      ) as replaced (product_key, device_name, secret)
      where ${deviceCredential.productKey} = replaced.product_key
        and ${deviceCredential.deviceName} = replaced.device_name`),
})

const registrationQueries = (db: Db) => ({
  isDeviceNameTaken: async (productKey: string, deviceName: string) =>
    (await db.$count(
      deviceCredential,
      and(eq(deviceCredential.productKey, productKey), eq(deviceCredential.deviceName, deviceName)),
    )) > 0,
  insertCredential: (row: typeof deviceCredential.$inferInsert) =>
    db.insert(deviceCredential).values(row),
  /** Inserts devices with their secrets and returns the ids of those whose names were not yet used. */
  async registerAll(list: NewDevice[], actor: string) {
    if (list.length === 0) return new Set<string>()
    const insertedCredentials = await db
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
    const insertedIds = new Set(insertedCredentials.map(({ id }) => id))
    const rows = list.filter(({ id }) => insertedIds.has(id))
    if (rows.length > 0)
      await db.insert(table).values(
        rows.map(({ productKey: _, deviceSecret: __, ...row }) => ({
          ...row,
          state: 'inactive' as const,
          reported: {},
          address: '',
          createBy: actor,
          updateBy: actor,
          updateTime: new Date().toISOString(),
        })),
      )
    return insertedIds
  },
})

const moveQueries = (db: Db, rows: VersionedDeviceQueries) => ({
  /**
   * Moves devices to a place of another project. The project id is part of a referenced key, so a new row replaces
   * the
   * old one.
   */
  async moveToProject(
    { projectId, spaceId, floorId }: Placement,
    list: DeviceRow[],
    actor: string,
  ) {
    const ids = list.map(({ id }) => id)
    const updateFields = { updateBy: actor, updateTime: new Date().toISOString() }
    await db.insert(table).values(
      list.map((row) => ({
        ...row,
        ...updateFields,
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
    for (const dataTable of [...deviceDataTables, deviceCredential])
      await db.update(dataTable).set({ projectId }).where(inArray(dataTable.deviceId, ids))
    await db
      .delete(table)
      .where(and(eq(table.projectId, list[0]!.projectId), inArray(table.id, ids)))
  },
  /**
   * Moves devices within their project; a position is cleared when the floor changes, because it belongs to one plan.
   */
  async moveWithinProject({ spaceId, floorId }: Placement, list: DeviceRow[], actor: string) {
    const staysOnFloor = (row: DeviceRow) => row.floorId === floorId
    const getIds = (devices: DeviceRow[]) => devices.map(({ id }) => id)
    await rows.setAll(getIds(list.filter(staysOnFloor)), { spaceId }, actor)
    const leavingIds = getIds(list.filter((row) => !staysOnFloor(row)))
    await rows.setAll(leavingIds, { spaceId, floorId, x: null, y: null }, actor)
  },
})

const floorQueries = (db: Db) => ({
  /** Rows are locked in id order, so that two users who arrange the same floor cannot cause a deadlock. */
  lockDevices: (ids: string[]) =>
    db.select().from(table).where(inArray(table.id, ids)).orderBy(asc(table.id)).for('update'),
  /** Places devices on a floor plan; a device without a floor is also assigned to this floor. */
  async placeOnFloor(floorId: string, places: DevicePlace[], actor: string) {
    const placesTable = sql`jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as given(id uuid, x float8, y float8, "spaceId" uuid)`
    await db.execute(sql`
        update ${table} set x = given.x, y = given.y, floor_id = ${floorId}::uuid,
          space_id = coalesce(given."spaceId", case when floor_id is null then ${floorId}::uuid else space_id end),
          version = version + 1, update_by = ${actor}, update_time = now()
        from ${placesTable} where ${table.id} = given.id`)
  },
  /** Returns a floor, with the row id of its project for links to it. */
  findFloor: async (id: string) =>
    (
      await db
        .select({ ...getTableColumns(space), projectRow: project.id })
        .from(space)
        .leftJoin(project, eq(project.projectId, space.projectId))
        .where(and(eq(space.id, id), eq(space.type, 'floor')))
    )[0],
  findOnFloor: (projectId: number, floorId: string) =>
    db
      .select(floorDeviceColumns)
      .from(table)
      .where(and(eq(table.projectId, projectId), eq(table.floorId, floorId))),
  /**
   * Lists devices without a floor that are in no space or in one of these: the first `maxRows` of them, and the total.
   */
  async findWithoutFloor(projectId: number, ancestorIds: string[], maxRows: number) {
    const where = and(
      eq(table.projectId, projectId),
      isNull(table.floorId),
      or(isNull(table.spaceId), inArray(table.spaceId, ancestorIds)),
    )
    const [list, total] = await Promise.all([
      db
        .select(floorDeviceColumns)
        .from(table)
        .where(where)
        .orderBy(asc(table.name), asc(table.id))
        .limit(maxRows),
      db.$count(table, where),
    ])
    return { list, total }
  },
})

const removalQueries = (db: Db, rows: VersionedDeviceQueries) => ({
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
  async findScenesUsing(ids: string[]) {
    const sceneRows = await db
      .selectDistinct({ id: scene.id, name: scene.name, scope: sceneAction.scope })
      .from(sceneAction)
      .innerJoin(
        scene,
        and(eq(scene.projectId, sceneAction.projectId), eq(scene.id, sceneAction.sceneId)),
      )
      .where(
        sql`exists (select 1 from jsonb_array_elements_text(${sceneAction.scope} -> 'deviceIds') as named where named in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`,
      )
    return sceneRows.flatMap(({ id, name, scope }) =>
      getScopePlaces(scope)
        .deviceIds.filter((to) => ids.includes(to))
        .map((to) => ({ to, id, name, entity: '场景' })),
    )
  },
})
