import { listFunctions } from '@iot/shared/contract/thingModel/modelDifference'
import type { managedDeviceSchemas } from '@iot/shared/contract/device/managedDevice.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { createTree, type Tree } from '@iot/shared/contract/tree'
import { nodeText } from '@iot/shared/contract/product/product'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { getSqlState } from '../../core/db/outage'
import { applyPerRow, getIds } from '../../core/http/applyPerRow'
import type { Handlers } from '../../core/http/serve'
import { createMissingRefusal, createRefusal } from '../../core/refusal'
import { alarmRule } from '../../tables/alarm'
import { device as table, deviceCredential, product } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { scene } from '../../tables/scene'
import { listProjectSpaces } from '../deviceGroup/policy'
import { listScenesUsing, whereStartsByCondition } from '../scene/policy'
import { entity, findVisibleDevices, toDeviceAuditEntry, withoutState } from './actions'
import { assertProductAcceptsDevices } from './policy/management'
import { managedDeviceQueries, type DeviceRow } from './queries'

/** An alarm rule of this project applies to every project. */
const allProjects = 0
type ProductRow = typeof product.$inferSelect

const keepKnown = <T>(values: Record<string, T>, identifiers: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(values).filter(([identifier]) => identifiers.has(identifier)))

/** Returns the names of the properties that a device has reported and the other model lacks. */
const listLackingProperties = (
  { reported }: DeviceRow,
  { properties }: ThingModel,
  identifiers: ReadonlySet<string>,
) =>
  Object.keys(reported)
    .filter((identifier) => !identifiers.has(identifier))
    .map(
      (identifier) =>
        properties.find((property) => property.identifier === identifier)?.name ?? identifier,
    )

const describeTakenName = (deviceName: string) => `这个产品下已有 DeviceName“${deviceName}”`

/** Returns why each device cannot become a device of the product; movable devices have no entry. */
async function findRefusals(db: Db, list: DeviceRow[], target: ProductRow) {
  const queries = managedDeviceQueries(db)
  const takenNames = new Set(
    (
      await db
        .select({ deviceName: deviceCredential.deviceName })
        .from(deviceCredential)
        .where(
          and(
            eq(deviceCredential.productKey, target.productKey),
            inArray(
              deviceCredential.deviceName,
              list.map(({ deviceName }) => deviceName),
            ),
          ),
        )
    ).map(({ deviceName }) => deviceName),
  )
  const namedRows = await queries.addNames(list)
  const seenNames = new Set<string>()
  const refusals = new Map<string, string>()
  for (const { id, productId, node, deviceName } of namedRows) {
    if (productId === target.id) refusals.set(id, '已是这个产品的设备')
    else if (node !== target.node)
      refusals.set(id, `节点类型不同：设备是${nodeText[node]}，产品是${nodeText[target.node]}`)
    else if (takenNames.has(deviceName) || seenNames.has(deviceName))
      refusals.set(id, describeTakenName(deviceName))
    else seenNames.add(deviceName)
  }
  return refusals
}

/** Returns the scenes that name these devices in an action or start by one of their values. */
async function findSceneNames(db: Db, ids: string[]) {
  const acting = await listScenesUsing(db, 'deviceId', ids)
  const startedScenes = await db
    .select({ name: scene.name })
    .from(scene)
    .where(
      whereStartsByCondition(
        sql`condition ->> 'deviceId' in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
      ),
    )
  return [...new Set([...acting, ...startedScenes].map(({ name }) => name))]
}

/** Returns groups of the projects whose rule selects one of the products that the devices leave. */
async function findGroupNames(db: Db, list: DeviceRow[]) {
  const productIds = [...new Set(list.map(({ productId }) => productId))]
  const groups = await db
    .select({ name: deviceGroup.name, productIds: deviceGroup.productIds })
    .from(deviceGroup)
    .where(inArray(deviceGroup.projectId, [...new Set(list.map(({ projectId }) => projectId))]))
  return groups
    .filter((group) => group.productIds.some((id) => productIds.includes(id)))
    .map(({ name }) => name)
}

/** Returns the rules for the products that the devices leave, as far as the devices are in the space of the rule. */
async function findAlarmRuleNames(db: Db, list: DeviceRow[]) {
  const projectIds = [...new Set(list.map(({ projectId }) => projectId))]
  const rules = await db
    .select({
      name: alarmRule.name,
      projectId: alarmRule.projectId,
      productId: alarmRule.productId,
      spaceId: alarmRule.spaceId,
    })
    .from(alarmRule)
    .where(
      and(
        inArray(alarmRule.projectId, [allProjects, ...projectIds]),
        inArray(alarmRule.productId, [...new Set(list.map(({ productId }) => productId))]),
      ),
    )
    .orderBy(alarmRule.name)
  const trees = new Map<number, Tree<{ id: string; parentId: string | null }>>()
  for (const id of projectIds) trees.set(id, createTree(await listProjectSpaces(db, id)))
  return rules
    .filter((rule) =>
      list.some(
        ({ projectId, productId, spaceId }) =>
          productId === rule.productId &&
          [allProjects, projectId].includes(rule.projectId) &&
          (rule.spaceId === null ||
            (spaceId !== null && trees.get(projectId)!.within(rule.spaceId).has(spaceId))),
      ),
    )
    .map(({ name }) => name)
}

type ChangeHandlers = Pick<
  Handlers<typeof managedDeviceSchemas>,
  'changeProductCheck' | 'changeProduct'
>

/** Handlers that make devices those of another product: they keep name, secret and history. */
export function createChangeProductHandlers(app: FastifyInstance): ChangeHandlers {
  const { db, devices } = app
  const queries = managedDeviceQueries(db)
  const findTarget = async (productId: string) =>
    assertProductAcceptsDevices(await queries.findProduct(productId))

  return {
    async changeProductCheck({ ids, productId }, context) {
      const target = await findTarget(productId)
      await devices.states.flush()
      const list = await findVisibleDevices(ids, context, queries)
      if (list.length < new Set(ids).size) throw createMissingRefusal(entity)
      const refusals = await findRefusals(db, list, target)
      const identifiers = new Set(listFunctions(target.model).map(({ identifier }) => identifier))
      const movableRows = list.filter(({ id }) => !refusals.has(id))
      const formerProducts = await queries.findProductsWithType([
        ...new Set(list.map((row) => row.productId)),
      ])
      const models = new Map(formerProducts.map(({ id, model }) => [id, model]))
      return {
        productKey: target.productKey,
        devices: list.map((row) => ({
          id: row.id,
          name: row.name,
          refusal: refusals.get(row.id) ?? null,
          lacking: listLackingProperties(row, models.get(row.productId)!, identifiers),
        })),
        scenes: movableRows.length > 0 ? await findSceneNames(db, getIds(movableRows)) : [],
        groups: movableRows.length > 0 ? await findGroupNames(db, movableRows) : [],
        alarmRules: movableRows.length > 0 ? await findAlarmRuleNames(db, movableRows) : [],
      }
    },

    async changeProduct({ ids, productId }, context) {
      const target = await findTarget(productId)
      if (target.status !== 'published') throw createRefusal('产品还没有发布，不能移入设备')
      await devices.states.flush()
      const list = await findVisibleDevices(ids, context, queries)
      const refusals = await findRefusals(db, list, target)
      const formerIdentities = await queries.findIdentities(
        getIds(list.filter(({ id }) => !refusals.has(id))),
      )
      const answer = await applyPerRow(
        ids,
        list,
        ({ id }) => refusals.get(id),
        (movableRows) =>
          context.write(managedDeviceQueries, async (rows, recordAudit, tx) => {
            const previousRows = await rows.addNames(movableRows)
            for (const row of movableRows)
              await moveToProduct(tx, row, target, context.user.username)
            const movedRows = await rows.addNames(await rows.many(getIds(movableRows)))
            for (const previousRow of previousRows)
              recordAudit(
                toDeviceAuditEntry(previousRow, {
                  before: withoutState(previousRow),
                  after: withoutState(movedRows.find(({ id }) => id === previousRow.id)!),
                }),
              )
          }),
      )
      // The devices connect again with the ProductKey of their new product.
      devices.endCalls(formerIdentities, '等待应答时设备已移到别的产品')
      await devices.forget(formerIdentities, true)
      // The new identity may have been looked up in vain before.
      const { productKey } = target
      await devices.forget(
        formerIdentities.map(({ deviceName }) => ({ productKey, deviceName })),
        false,
      )
      return answer
    },
  }
}

async function moveToProduct(tx: Db, row: DeviceRow, target: ProductRow, actor: string) {
  const identifiers = new Set(target.model.properties.map(({ identifier }) => identifier))
  await tx
    .update(table)
    .set({
      productId: target.id,
      // Values that the new model does not know would never change again.
      reported: keepKnown(row.reported, identifiers),
      reportedAt: keepKnown(row.reportedAt, identifiers),
      stale: keepKnown(row.stale, identifiers),
      desired: {},
      wishes: {},
      dropped: {},
      ...(row.state === 'online' && { state: 'offline' as const }),
      revision: sql`${table.revision} + 1`,
      version: sql`${table.version} + 1`,
      updateBy: actor,
      updateTime: new Date().toISOString(),
    })
    .where(and(eq(table.projectId, row.projectId), eq(table.id, row.id)))
  await tx
    .update(deviceCredential)
    .set({ productKey: target.productKey })
    .where(
      and(eq(deviceCredential.projectId, row.projectId), eq(deviceCredential.deviceId, row.id)),
    )
    .catch((error: unknown) => {
      // Another call has registered the name since `findRefusals`.
      throw getSqlState(error) === '23505'
        ? createRefusal(describeTakenName(row.deviceName))
        : error
    })
}
