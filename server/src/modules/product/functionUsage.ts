import { dayMs } from '@iot/shared/contract/duration'
import { unusedAfterDays } from '@iot/shared/contract/product/product'
import { listMissingFunctions } from '@iot/shared/contract/product/conformance'
import { listFunctions, type ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { createMissingRefusal } from '../../core/refusal'
import { alarmRule } from '../../tables/alarm'
import { device, deviceEvent } from '../../tables/device'
import { deviceCall } from '../../tables/deviceRecords'
import { productType } from '../../tables/productType'
import { scene, sceneAction } from '../../tables/scene'
import { whereStartsByCondition } from '../scene/policy'
import type { ProductRow } from './queries'

/** Maximum device names in the answer. */
const maxNames = 5

type UserRow = { id: string; name: string }
/** Use of one function: by devices, which report it, and by rows, which would stop to work without it. */
type FunctionUsage = {
  kind: ThingFunction['kind']
  name: string
  lastTime: string | null
  deviceCount: number
  devices: string[]
  references: { id: string; name: string; entity: string }[]
  requiredBy: string[]
}

export const findFunction = (model: ThingModel, identifier: string) => {
  const thingFunction = listFunctions(model).find(
    (candidate) => candidate.identifier === identifier,
  )
  if (!thingFunction) throw createMissingRefusal('功能')
  return thingFunction
}

/** Returns the model without the function. */
export const removeFunction = (model: ThingModel, { kind, identifier }: ThingFunction) => ({
  ...model,
  [kind]: model[kind].filter((candidate) => candidate.identifier !== identifier),
})

/** Returns devices that used the function, the last first, whatever their project: all of them lose it. */
async function findDeviceUses(db: Db, product: ProductRow, { kind, identifier }: ThingFunction) {
  const isOfDevice = (table: { projectId: unknown; deviceId: unknown }) =>
    sql`${table.projectId} = ${device.projectId} and ${table.deviceId} = ${device.id}`
  const lastUse: Record<ThingFunction['kind'], SQL> = {
    // A reported value counts as use even if it was dropped because it does not fit the model.
    properties: sql`greatest(
      to_timestamp((${device.reportedAt} ->> ${identifier})::float8 / 1000),
      (${device.dropped} -> ${identifier} ->> 'time')::timestamptz)`,
    events: sql`(select max(${deviceEvent.time}) from ${deviceEvent}
      where ${isOfDevice(deviceEvent)} and ${deviceEvent.identifier} = ${identifier})`,
    services: sql`(select max(${deviceCall.createTime}) from ${deviceCall}
      where ${isOfDevice(deviceCall)} and ${deviceCall.identifier} = ${identifier})`,
  }
  const uses = db
    .select({ name: device.name, lastTime: lastUse[kind].as('last_time') })
    .from(device)
    .where(eq(device.productId, product.id))
    .as('uses')
  const rows = await db
    .select({ name: uses.name, lastTime: sql<string>`${uses.lastTime}` })
    .from(uses)
    .where(sql`${uses.lastTime} is not null`)
    .orderBy(sql`${uses.lastTime} desc`)
  return rows.map(({ name, lastTime }) => ({ name, lastTime: new Date(lastTime).toISOString() }))
}

/** Returns scenes that set the function, or start by it, on devices of the product or its type. */
async function findScenes(db: Db, product: ProductRow, identifier: string): Promise<UserRow[]> {
  const isJoined = and(
    eq(scene.projectId, sceneAction.projectId),
    eq(scene.id, sceneAction.sceneId),
  )
  const settingScenes = await db
    .selectDistinct({ id: scene.id, name: scene.name })
    .from(sceneAction)
    .innerJoin(scene, isJoined)
    .where(
      and(
        eq(sceneAction.productType, product.productType),
        sql`jsonb_exists(${sceneAction.values}, ${identifier})`,
        sql`exists (select 1 from ${device} where ${device.projectId} = ${scene.projectId} and ${device.productId} = ${product.id})`,
      ),
    )
  const startedScenes = await db
    .selectDistinct({ id: scene.id, name: scene.name })
    .from(scene)
    .where(
      whereStartsByCondition(sql`condition ->> 'identifier' = ${identifier} and condition ->> 'deviceId' in
        (select ${device.id}::text from ${device} where ${device.productId} = ${product.id})`),
    )
  return [...new Map([...settingScenes, ...startedScenes].map((row) => [row.id, row])).values()]
}

const findRules = (db: Db, product: ProductRow, identifier: string): Promise<UserRow[]> =>
  db
    .select({ id: alarmRule.id, name: alarmRule.name })
    .from(alarmRule)
    .where(
      and(
        eq(alarmRule.productId, product.id),
        sql`${alarmRule.source} ->> 'identifier' = ${identifier}`,
      ),
    )

const findTypes = (db: Db, product: ProductRow, identifier: string): Promise<UserRow[]> =>
  db
    .select({ id: productType.id, name: productType.name })
    .from(productType)
    .where(
      and(
        inArray(productType.code, [product.productType]),
        sql`${productType.actions} @> ${JSON.stringify([{ identifier }])}::jsonb`,
      ),
    )

type ControlFunctions = { name: string; functions: string[] }

/** Collects who is affected if the product loses a function. */
export async function findFunctionUsage(
  db: Db,
  product: ProductRow,
  identifier: string,
  controls: ControlFunctions[],
): Promise<FunctionUsage> {
  const thingFunction = findFunction(product.model, identifier)
  const uses = await findDeviceUses(db, product, thingFunction)
  const toReferences = (entity: string, rows: UserRow[]) => rows.map((row) => ({ ...row, entity }))
  const remainingModel = removeFunction(product.model, thingFunction)
  return {
    kind: thingFunction.kind,
    name: thingFunction.name,
    lastTime: uses[0]?.lastTime ?? null,
    deviceCount: uses.length,
    devices: uses.slice(0, maxNames).map(({ name }) => name),
    references: [
      ...toReferences('场景', await findScenes(db, product, identifier)),
      ...toReferences('告警规则', await findRules(db, product, identifier)),
      ...toReferences('产品类型', await findTypes(db, product, identifier)),
    ],
    requiredBy: controls
      .filter(({ functions }) =>
        listMissingFunctions(remainingModel, functions).includes(identifier),
      )
      .map(({ name }) => name),
  }
}

/** Returns why the function must stay, or undefined if the product can do without it. */
export function getDropRefusal(
  { kind, name, lastTime, references, requiredBy, devices, deviceCount }: FunctionUsage,
  { properties }: ThingModel,
  nowMs = Date.now(),
): string | undefined {
  if (kind === 'properties' && properties.length === 1) return '产品至少要有一个属性'
  if (requiredBy.length > 0) return `控制类型“${requiredBy.join('”“')}”必须有“${name}”`
  if (lastTime && nowMs - Date.parse(lastTime) < unusedAfterDays * dayMs)
    return `${unusedAfterDays} 天内还在使用“${name}”：${devices.join('、')}${deviceCount > devices.length ? ` 等 ${deviceCount} 台` : ''}`
  if (references.length > 0)
    return `正被使用，请先改掉：${references.map(({ entity, name: user }) => `${entity}“${user}”`).join('、')}`
  return undefined
}
