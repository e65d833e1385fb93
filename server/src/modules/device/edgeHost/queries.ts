import { maxMissedHeartbeats, degradedUsagePercent } from '@iot/shared/contract/device/edgeHost'
import type { EdgeState, edgeHostSchemas } from '@iot/shared/contract/device/edgeHost.schema'
import { createTree } from '@iot/shared/contract/tree'
import { and, eq, exists, inArray, ne, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../../../core/db/db'
import { contains } from '../../../core/db/rows'
import { configModule } from '../../../device-access/commands/configFile'
import { liveColumns } from '../../../device-access/ingest/deviceStates'
import { device, product } from '../../../tables/device'
import { deviceFirmware, deviceTag, edgeHost } from '../../../tables/deviceRecords'
import { registrationRecord as record } from '../../../tables/registration'
import { managedDeviceQueries, type DeviceRow } from '../queries'

type PageInput = z.output<typeof edgeHostSchemas.page.input>
export type HostRow = typeof edgeHost.$inferSelect
type DeviceKey = { projectId: number; id: string }

/** Device tag in which an edge host reports its operating system. */
const osTagKey = 'OS'

/**
 * SQL for a usage percentage; it is null if the host is not online or has not reported the value since it connected.
 */
const usageColumn = (identifier: string): SQL<number | null> => {
  const name = sql.raw(`'${identifier}'`)
  return sql`case when ${device.state} = 'online' and jsonb_typeof(${device.reported} -> ${name}) = 'number' and not ${device.stale} ? ${name} then (${device.reported} ->> ${name})::float8 end`
}
const usage = {
  cpu: usageColumn('CpuUsage'),
  memory: usageColumn('MemoryUsage'),
  disk: usageColumn('DiskUsage'),
}
const heartbeatSeconds = sql<number>`coalesce((select ${edgeHost.heartbeatInterval} from ${edgeHost} where ${edgeHost.projectId} = ${device.projectId} and ${edgeHost.deviceId} = ${device.id}), 60)`
const lastHeartbeat = sql`greatest(${device.reportedTime}, ${device.onlineTime})`
const fullUsageText = (label: string, value: SQL) =>
  sql`case when ${value} >= ${degradedUsagePercent} then ${label}::text || ' 使用率 ' || ${value} || '%' end`
const degradedReason = sql<string>`case when ${device.state} = 'online' then concat_ws('；',
  case when ${lastHeartbeat} < now() - make_interval(secs => ${maxMissedHeartbeats} * ${heartbeatSeconds}) then '超过 ' || ${maxMissedHeartbeats} * ${heartbeatSeconds} || ' 秒没有心跳' end,
  ${fullUsageText('CPU', usage.cpu)}, ${fullUsageText('内存', usage.memory)}, ${fullUsageText('磁盘', usage.disk)}) else '' end`
const hostState = sql<EdgeState>`case when ${degradedReason} <> '' then 'degraded' else ${device.state} end`

const child = alias(device, 'child')
const replacement = alias(device, 'next')
const config = alias(deviceFirmware, 'config')
const belongsToDevice = (
  table: typeof edgeHost | typeof deviceTag | typeof deviceFirmware | typeof config,
) => and(eq(table.projectId, device.projectId), eq(table.deviceId, device.id))
const countChildren = (condition?: SQL) =>
  sql<number>`(select count(*)::int from ${device} ${child} where ${child.projectId} = ${device.projectId} and ${child.gatewayId} = ${device.id} and ${condition ?? sql`true`})`
const hostDetailColumns = {
  id: device.id,
  state: hostState,
  why: degradedReason,
  ...usage,
  os: deviceTag.value,
  firmware: deviceFirmware.version,
  heartbeatInterval: heartbeatSeconds,
  childCount: countChildren(),
  childOnline: countChildren(sql`${child.state} = 'online'`),
  configVersion: sql<number>`coalesce(${edgeHost.configVersion}, 0)`,
  configBy: sql<string>`coalesce(${edgeHost.configBy}, '')`,
  configTime: edgeHost.configTime,
  configApplied: sql<string | null>`nullif(${config.version}, '')`,
  configAppliedTime: sql<
    string | null
  >`case when ${config.step} is null then ${config.time} end`.mapWith(config.time),
  configFault: sql<string>`case when ${config.step} < 0 and ${config.time} >= ${edgeHost.configTime} then coalesce(nullif(${config.description}, ''), '原因未知') else '' end`,
  pushTime: edgeHost.pushTime,
  pushFailure: sql<string>`coalesce(${edgeHost.pushFailure}, '')`,
  replacedBy: sql<string>`coalesce(${replacement.name} || '（' || ${replacement.deviceName} || '）', '')`,
  canRestart: sql<boolean>`exists (select 1 from jsonb_array_elements(${product.model} -> 'services') as service where service ->> 'identifier' = 'Restart')`,
}

export const edgeHostQueries = (db: Db) => {
  const devices = managedDeviceQueries(db)
  return {
    ...devices,
    ...hostListQueries(db, devices),
    ...settingsQueries(db),
    ...replacementQueries(db),
    findLiveRows: (ids: string[]) =>
      db.select(liveColumns).from(device).where(inArray(device.id, ids)),
    async findByName(productKey: string, deviceName: string) {
      const [row] = await db
        .select()
        .from(device)
        .innerJoin(product, eq(product.id, device.productId))
        .where(and(eq(product.productKey, productKey), eq(device.deviceName, deviceName)))
      return row?.device
    },
  }
}

const hostListQueries = (db: Db, devices: ReturnType<typeof managedDeviceQueries>) => {
  /** Adds reported values, configuration state and child counts to edge hosts. */
  async function addHostDetails(list: DeviceRow[]) {
    const namedDevices = await devices.addNames(list)
    const ids = list.map(({ id }) => id)
    const hostDetails = await db
      .select(hostDetailColumns)
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .leftJoin(edgeHost, belongsToDevice(edgeHost))
      .leftJoin(deviceTag, and(belongsToDevice(deviceTag), eq(deviceTag.key, osTagKey)))
      .leftJoin(
        deviceFirmware,
        and(belongsToDevice(deviceFirmware), eq(deviceFirmware.module, 'default')),
      )
      .leftJoin(config, and(belongsToDevice(config), eq(config.module, configModule)))
      .leftJoin(
        replacement,
        and(eq(replacement.projectId, device.projectId), eq(replacement.id, edgeHost.replacedBy)),
      )
      .where(inArray(device.id, ids))
    return namedDevices.map((row) => ({
      ...row,
      ...hostDetails.find(({ id }) => id === row.id)!,
      heartbeatTime: row.reportedTime,
    }))
  }

  return {
    addHostDetails,
    async listHosts({ projectId, name, spaceId, state: stateFilter, ...page }: PageInput) {
      const spaceIdsWithin = spaceId && [
        ...createTree(await devices.spaces(projectId)).within(spaceId),
      ]
      const gateways = db
        .select({ id: product.id })
        .from(product)
        .where(eq(product.node, 'gateway'))
      const { list, ...count } = await devices.list(
        and(
          eq(device.projectId, projectId),
          inArray(device.productId, gateways),
          name ? or(contains(device.name, name), contains(device.deviceName, name)) : undefined,
          spaceIdsWithin ? inArray(device.spaceId, spaceIdsWithin) : undefined,
          stateFilter && sql`${hostState} = ${stateFilter}`,
        ),
        page,
      )
      return { list: await addHostDetails(list), ...count }
    },
  }
}

/** Queries for the settings and the configuration of edge hosts. */
const settingsQueries = (db: Db) => ({
  async findSettings({ projectId, id }: DeviceKey): Promise<HostRow | undefined> {
    const [row] = await db
      .select()
      .from(edgeHost)
      .where(and(eq(edgeHost.projectId, projectId), eq(edgeHost.deviceId, id)))
    return row
  },
  saveSettings: ({ projectId, id }: DeviceKey, changes: Partial<HostRow>) =>
    db
      .insert(edgeHost)
      .values({ ...changes, projectId, deviceId: id })
      .onConflictDoUpdate({ target: [edgeHost.projectId, edgeHost.deviceId], set: changes }),
  /** Saves a new configuration version; returns false if another user saved one after the given version. */
  async saveConfigVersion(
    { projectId, id }: DeviceKey,
    version: number,
    content: string,
    actor: string,
  ) {
    await db.insert(edgeHost).values({ projectId, deviceId: id }).onConflictDoNothing()
    const rows = await db
      .update(edgeHost)
      .set({
        content,
        configVersion: version + 1,
        configBy: actor,
        configTime: new Date().toISOString(),
        pushTime: null,
        pushFailure: '',
      })
      .where(
        and(
          eq(edgeHost.projectId, projectId),
          eq(edgeHost.deviceId, id),
          eq(edgeHost.configVersion, version),
        ),
      )
      .returning({ version: edgeHost.configVersion })
    return rows.length === 1
  },
})

/** Queries that move the children and registrations of a replaced edge host. */
const replacementQueries = (db: Db) => ({
  lockChildIds: async ({ projectId, id }: DeviceKey) =>
    (
      await db
        .select({ id: device.id })
        .from(device)
        .where(and(eq(device.projectId, projectId), eq(device.gatewayId, id)))
        .for('update')
    ).map((row) => row.id),
  /** The children of the former host become offline until they reconnect through the new one. */
  moveChildren: ({ projectId, id }: DeviceKey, formerHost: DeviceKey, actor: string) =>
    db
      .update(device)
      .set({
        gatewayId: id,
        via: null,
        state: sql`case when ${device.state} = 'online' then 'offline' else ${device.state} end`,
        revision: sql`${device.revision} + 1`,
        version: sql`${device.version} + 1`,
        updateBy: actor,
        updateTime: new Date().toISOString(),
      })
      .where(and(eq(device.projectId, projectId), eq(device.gatewayId, formerHost.id))),
  /**
   * Moves open registration records of the former host to the new one; serials that the new host reported itself win.
   */
  async moveRegistrations({ projectId, id }: DeviceKey, formerHost: DeviceKey) {
    const ownRecord = alias(record, 'own')
    const openRecords = and(
      eq(record.projectId, projectId),
      eq(record.gatewayId, formerHost.id),
      ne(record.state, 'done'),
    )
    const ownRecords = db
      .select({ id: ownRecord.id })
      .from(ownRecord)
      .where(
        and(
          eq(ownRecord.projectId, projectId),
          eq(ownRecord.productKey, record.productKey),
          eq(ownRecord.deviceName, record.deviceName),
          eq(ownRecord.gatewayId, id),
        ),
      )
    await db.delete(record).where(and(openRecords, exists(ownRecords)))
    await db.update(record).set({ gatewayId: id }).where(openRecords)
  },
})
