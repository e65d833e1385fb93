import type { Values } from '@iot/shared/contract/device/device.schema'
import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { device, product } from '../../tables/device'
import { productType } from '../../tables/productType'
import { scene, sceneAction } from '../../tables/scene'
import { space } from '../../tables/space'

export const plannedDeviceColumns = {
  id: device.id,
  name: device.name,
  deviceName: device.deviceName,
  productKey: product.productKey,
  productId: product.id,
  productType: product.productType,
  spaceId: device.spaceId,
  gatewayId: device.gatewayId,
  protected: device.protected,
  state: device.state,
  reported: device.reported,
  stale: device.stale,
}

export const planningQueries = (db: Db) => ({
  devices: (projectId: number, { ids, ...area }: DeviceFilter = {}) =>
    db
      .select(plannedDeviceColumns)
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(whereDevice(projectId, { ids, ...area }))
      .orderBy(asc(device.name), asc(device.id)),
  /**
   * Counts devices, grouped by the columns that decide whether a request includes or skips them. `already` counts
   * those that report the target values and are not stale, `dark` those that are switched off.
   */
  countStanding: (projectId: number, area: DeviceFilter = {}, target?: Values) =>
    db
      .select({
        ...standingColumns,
        devices: count(),
        already: target
          ? sql<number>`count(*) filter (where ${hasTargetValues(target)})`.mapWith(Number)
          : sql<number>`0`.mapWith(Number),
        dark: sql<number>`count(*) filter (where ${hasTargetValues({ [lightSwitchIdentifier]: 0 })})`.mapWith(
          Number,
        ),
      })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(whereDevice(projectId, area))
      .groupBy(...Object.values(standingColumns)),
  /** Returns the product type, or undefined if it is disabled. */
  productType: async (code: string) =>
    (
      await db
        .select()
        .from(productType)
        .where(and(eq(productType.code, code), eq(productType.status, 'enabled')))
    )[0],
  models: async () =>
    new Map(
      (await db.select({ id: product.id, model: product.model }).from(product)).map(
        ({ id, model }) => [id, model],
      ),
    ),
  /** Returns the ids of the products whose model marks one of these properties as deprecated. */
  async findDeprecating(identifiers: string[]) {
    const { rows } = await db.execute<{ id: string }>(sql`
      select id from ${product} where exists (
        select from jsonb_array_elements(${product.model} -> 'properties') as property
        where property -> 'isDeprecated' = 'true' and property ->> 'identifier' in (
          select jsonb_array_elements_text(${JSON.stringify(identifiers)}::jsonb)))`)
    return new Set(rows.map(({ id }) => id))
  },
  model: async (productId: string) =>
    (await db.select({ model: product.model }).from(product).where(eq(product.id, productId)))[0]
      ?.model,
  spaces: (projectId: number) =>
    db
      .select({ id: space.id, parentId: space.parentId, name: space.name })
      .from(space)
      .where(eq(space.projectId, projectId)),
  scene: async (projectId: number, id: string) =>
    (
      await db
        .select()
        .from(scene)
        .where(and(eq(scene.projectId, projectId), eq(scene.id, id)))
    )[0],
  sceneActions: (projectId: number, id: string) =>
    db
      .select()
      .from(sceneAction)
      .where(and(eq(sceneAction.projectId, projectId), eq(sceneAction.sceneId, id)))
      .orderBy(asc(sceneAction.sort)),
})

export type PlanningQueries = ReturnType<typeof planningQueries>
export type PlannedDevice = Awaited<ReturnType<PlanningQueries['devices']>>[number]

/** All ids travel as one JSON parameter, because PostgreSQL allows at most 65,535 parameters in a statement. */
export const whereIdIn = (column: PgColumn, ids: string[]) =>
  sql`${column} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

type DeviceFilter = {
  ids?: string[]
  exceptIds?: string[]
  spaceIds?: string[]
  isMember?: SQL
  type?: string
}
const whereDevice = (
  projectId: number,
  { ids, exceptIds, spaceIds, isMember, type }: DeviceFilter,
) =>
  and(
    eq(device.projectId, projectId),
    ids && whereIdIn(device.id, ids),
    exceptIds && sql`not ${whereIdIn(device.id, exceptIds)}`,
    spaceIds && whereIdIn(device.spaceId, spaceIds),
    isMember,
    type === undefined ? undefined : eq(product.productType, type),
  )
const standingColumns = {
  productId: device.productId,
  productType: product.productType,
  spaceId: device.spaceId,
  state: device.state,
  protected: device.protected,
}

const hasTargetValues = (
  target: Values,
) => sql`${device.reported} @> ${JSON.stringify(target)}::jsonb
  and not exists (select 1 from jsonb_object_keys(${JSON.stringify(target)}::jsonb) as asked where ${device.stale} ? asked)`
