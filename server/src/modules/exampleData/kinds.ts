import { inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { actionLog } from '../../tables/actionLog'
import { alarmIncident } from '../../tables/alarm'
import { brand } from '../../tables/brand'
import { calendar } from '../../tables/calendar'
import { categoryVersion, productCategory } from '../../tables/category'
import { controlType } from '../../tables/controlType'
import {
  device,
  deviceCredential,
  deviceEvent,
  product,
  propertyHistory,
} from '../../tables/device'
import { controlHold, controlLedger } from '../../tables/control'
import { deviceGroup } from '../../tables/deviceGroup'
import { deviceMessage, productConfig } from '../../tables/deviceRecords'
import { energyMark } from '../../tables/energy'
import { errorLog } from '../../tables/errorLog'
import { icon } from '../../tables/icon'
import { loginLog } from '../../tables/loginLog'
import { manufacturer } from '../../tables/manufacturer'
import { project } from '../../tables/project'
import { productCredential, registrationRecord, registrationRule } from '../../tables/registration'
import { scene, sceneRun } from '../../tables/scene'
import { projectSnapshot, snapshotSchedule } from '../../tables/snapshot'
import { space } from '../../tables/space'
import { task } from '../../tables/task'
import { user } from '../../tables/user'
import { view } from '../../tables/view'

/** Author of the rows of the example site; no user name contains these characters. */
export const exampleAuthor = '示例数据'

/** A person refers to an example row in a way that the registry of references does not know. */
export type OtherReference = { to: string; text: string }

export type ExampleKind = {
  title: string
  table: PgTable
  key: PgColumn
  /** The key is a number. */
  hasNumericKey?: true
  /** Rows without a name are removed without a further check. */
  name?: PgColumn | SQL<string>
  updateBy?: PgColumn
  /** Name in the registry of references. */
  reference?: string
  /** A row with children stays. */
  parent?: PgColumn
  findOthers?: (db: Db, ids: string[]) => Promise<OtherReference[]>
  /** Removes what depends on the rows and has no cascading foreign key. */
  removeDependents?: (tx: Db, ids: string[]) => Promise<void>
}

/** Selects the rows of a table whose column is one of these ids; arrays keep the number of parameters small. */
const whereIdIn = (column: PgColumn, ids: string[]) =>
  sql`${column} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

async function removeDeviceDependents(tx: Db, ids: string[]) {
  for (const table of [deviceCredential, deviceMessage, deviceEvent, propertyHistory])
    await tx.delete(table).where(whereIdIn(table.deviceId, ids))
}

async function removeProductDependents(tx: Db, ids: string[]) {
  const keys = await tx
    .select({ productKey: product.productKey })
    .from(product)
    .where(inArray(product.id, ids))
  await tx.delete(productCredential).where(
    inArray(
      productCredential.productKey,
      keys.map(({ productKey }) => productKey),
    ),
  )
}

async function removeProjectDependents(tx: Db, ids: string[]) {
  const projectIds = ids.map(Number)
  await tx.delete(snapshotSchedule).where(inArray(snapshotSchedule.projectId, projectIds))
  await tx.delete(energyMark).where(inArray(energyMark.projectId, projectIds))
}

/** Kinds of example rows. A kind stands before those that its rows refer to, because it is removed first. */
export const exampleKinds = {
  loginLog: { title: '登录日志', table: loginLog, key: loginLog.id },
  actionLog: { title: '操作日志', table: actionLog, key: actionLog.id },
  errorLog: { title: '错误日志', table: errorLog, key: errorLog.id },
  incident: { title: '告警', table: alarmIncident, key: alarmIncident.id },
  sceneRun: { title: '场景执行记录', table: sceneRun, key: sceneRun.id },
  controlTask: {
    title: '控制记录',
    table: task,
    key: task.id,
    name: task.title,
    findOthers: async (db, ids) =>
      (
        await db
          .select({ to: controlHold.taskId, by: controlHold.createBy })
          .from(controlHold)
          .where(inArray(controlHold.taskId, ids))
      ).map(({ to, by }) => ({ to, text: `有 ${by} 的值班备注` })),
    removeDependents: async (tx, ids) =>
      void (await tx.delete(controlLedger).where(whereIdIn(controlLedger.taskId, ids))),
  },
  registrationRecord: {
    title: '注册记录',
    table: registrationRecord,
    key: registrationRecord.id,
  },
  snapshot: {
    title: '快照',
    table: projectSnapshot,
    key: projectSnapshot.id,
    name: projectSnapshot.name,
    updateBy: projectSnapshot.updateBy,
  },
  scene: {
    title: '场景',
    table: scene,
    key: scene.id,
    name: scene.name,
    updateBy: scene.updateBy,
  },
  view: {
    title: '视图',
    table: view,
    key: view.id,
    name: view.name,
    updateBy: view.updateBy,
    parent: view.parentId,
  },
  deviceGroup: {
    title: '设备组',
    table: deviceGroup,
    key: deviceGroup.id,
    name: deviceGroup.name,
    updateBy: deviceGroup.updateBy,
    reference: 'deviceGroup',
  },
  registrationRule: {
    title: '自注册规则',
    table: registrationRule,
    key: registrationRule.id,
    name: sql<string>`(select ${product.name} from ${product} where ${product.id} = ${registrationRule.productId})`,
    updateBy: registrationRule.updateBy,
  },
  user: {
    title: '用户',
    table: user,
    key: user.id,
    name: user.name,
    updateBy: user.updateBy,
    findOthers: async (db, ids) =>
      (
        await db
          .selectDistinct({ to: alarmIncident.assigneeId, title: alarmIncident.title })
          .from(alarmIncident)
          .where(inArray(alarmIncident.assigneeId, ids))
      ).map(({ to, title }) => ({ to: to!, text: `是告警“${title}”的负责人` })),
  },
  device: {
    title: '设备',
    table: device,
    key: device.id,
    name: device.name,
    updateBy: device.updateBy,
    reference: 'device',
    removeDependents: removeDeviceDependents,
  },
  space: {
    title: '空间',
    table: space,
    key: space.id,
    name: space.name,
    updateBy: space.updateBy,
    reference: 'space',
    parent: space.parentId,
  },
  product: {
    title: '产品',
    table: product,
    key: product.id,
    name: product.name,
    updateBy: product.updateBy,
    reference: 'product',
    findOthers: async (db, ids) =>
      (
        await db
          .select({ to: productConfig.productId })
          .from(productConfig)
          .where(inArray(productConfig.productId, ids))
      ).map(({ to }) => ({ to, text: '已有远程配置' })),
    removeDependents: removeProductDependents,
  },
  controlType: {
    title: '控制类型',
    table: controlType,
    key: controlType.id,
    name: controlType.name,
    updateBy: controlType.updateBy,
    reference: 'controlType',
  },
  brand: {
    title: '品牌',
    table: brand,
    key: brand.id,
    name: brand.name,
    updateBy: brand.updateBy,
    reference: 'brand',
  },
  manufacturer: {
    title: '厂商',
    table: manufacturer,
    key: manufacturer.id,
    name: manufacturer.name,
    updateBy: manufacturer.updateBy,
    reference: 'manufacturer',
  },
  category: {
    title: '品类',
    table: productCategory,
    key: productCategory.id,
    name: productCategory.name,
    updateBy: productCategory.updateBy,
    reference: 'productCategory',
    parent: productCategory.parentId,
    removeDependents: async (tx, ids) =>
      void (await tx.delete(categoryVersion).where(inArray(categoryVersion.categoryId, ids))),
  },
  icon: {
    title: '图标',
    table: icon,
    key: icon.id,
    name: icon.name,
    updateBy: icon.updateBy,
    reference: 'icon',
  },
  project: {
    title: '项目',
    table: project,
    key: project.projectId,
    hasNumericKey: true,
    name: project.name,
    updateBy: project.updateBy,
    reference: 'project',
    findOthers: async (db, ids) =>
      (
        await db
          .select({ to: projectSnapshot.projectId, name: projectSnapshot.name })
          .from(projectSnapshot)
          .where(inArray(projectSnapshot.projectId, ids.map(Number)))
      ).map(({ to, name }) => ({ to: String(to), text: `有快照“${name}”` })),
    removeDependents: removeProjectDependents,
  },
  calendar: {
    title: '日历',
    table: calendar,
    key: calendar.id,
    name: calendar.name,
    updateBy: calendar.updateBy,
    reference: 'calendar',
  },
} satisfies Record<string, ExampleKind>
export type ExampleKindName = keyof typeof exampleKinds

/** Lists the children of these rows. */
export async function listChildren(
  db: Db,
  { table, name, parent }: ExampleKind,
  ids: string[],
): Promise<OtherReference[]> {
  if (!parent || ids.length === 0) return []
  const rows = await db
    .select({ to: sql<string>`${parent}::text`, name: sql<string>`${name!}` })
    .from(table)
    .where(whereIdIn(parent, ids))
  return rows.map(({ to, name: childName }) => ({ to, text: `下面还有“${childName}”` }))
}

/** Returns a condition for the rows with these ids. */
export const whereKeyIn = ({ key, hasNumericKey }: ExampleKind, ids: string[]) =>
  hasNumericKey ? inArray(key, ids.map(Number)) : whereIdIn(key, ids)
