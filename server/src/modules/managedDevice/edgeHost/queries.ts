import {
  beatsMissed,
  usageMost,
  type edgeHostApi,
  type EdgeState,
} from '@iot/shared/contract/edgeHost'
import { treeOf } from '@iot/shared/contract/tree'
import { and, eq, exists, inArray, ne, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../../../core/db/db'
import { contains } from '../../../core/db/rows'
import { configModule } from '../../../device-access/configFile'
import { liveColumns } from '../../../device-access/states'
import { device, product } from '../../../tables/device'
import { deviceFirmware, deviceTag, edgeHost } from '../../../tables/deviceRecords'
import { registrationRecord as record } from '../../../tables/registration'
import { managedDeviceQueries, type DeviceRow } from '../queries'

type Page = z.output<typeof edgeHostApi.page.input>
export type HostRow = typeof edgeHost.$inferSelect
type Of = { projectId: number; id: string }

/** Device tag in which an edge host reports its operating system. */
const osTag = 'OS'

/**
 * SQL for a usage percentage; it is null if the host is not online or has not reported the value since it connected.
 */
const usageOf = (identifier: string): SQL<number | null> => {
  const name = sql.raw(`'${identifier}'`)
  return sql`case when ${device.state} = 'online' and jsonb_typeof(${device.reported} -> ${name}) = 'number' and not ${device.stale} ? ${name} then (${device.reported} ->> ${name})::float8 end`
}
const usage = {
  cpu: usageOf('CpuUsage'),
  memory: usageOf('MemoryUsage'),
  disk: usageOf('DiskUsage'),
}
const interval = sql<number>`coalesce((select ${edgeHost.heartbeatInterval} from ${edgeHost} where ${edgeHost.projectId} = ${device.projectId} and ${edgeHost.deviceId} = ${device.id}), 60)`
const beat = sql`greatest(${device.reportedTime}, ${device.onlineTime})`
const isFull = (word: string, value: SQL) =>
  sql`case when ${value} >= ${usageMost} then ${word}::text || ' 使用率 ' || ${value} || '%' end`
const why = sql<string>`case when ${device.state} = 'online' then concat_ws('；',
  case when ${beat} < now() - make_interval(secs => ${beatsMissed} * ${interval}) then '超过 ' || ${beatsMissed} * ${interval} || ' 秒没有心跳' end,
  ${isFull('CPU', usage.cpu)}, ${isFull('内存', usage.memory)}, ${isFull('磁盘', usage.disk)}) else '' end`
const state = sql<EdgeState>`case when ${why} <> '' then 'degraded' else ${device.state} end`

export const edgeHostQueries = (db: Db) => {
  const devices = managedDeviceQueries(db)
  const child = alias(device, 'child')
  const next = alias(device, 'next')
  const config = alias(deviceFirmware, 'config')
  const of = (table: typeof edgeHost | typeof deviceTag | typeof deviceFirmware | typeof config) =>
    and(eq(table.projectId, device.projectId), eq(table.deviceId, device.id))
  const children = (which?: SQL) =>
    sql<number>`(select count(*)::int from ${device} ${child} where ${child.projectId} = ${device.projectId} and ${child.gatewayId} = ${device.id} and ${which ?? sql`true`})`

  return {
    ...devices,
    async hosts({ projectId, name, spaceId, state: wanted, ...page }: Page) {
      const inside = spaceId && [...treeOf(await devices.spaces(projectId)).within(spaceId)]
      const gateways = db
        .select({ id: product.id })
        .from(product)
        .where(eq(product.node, 'gateway'))
      const { list, ...count } = await devices.list(
        and(
          eq(device.projectId, projectId),
          inArray(device.productId, gateways),
          name ? or(contains(device.name, name), contains(device.deviceName, name)) : undefined,
          inside ? inArray(device.spaceId, inside) : undefined,
          wanted && sql`${state} = ${wanted}`,
        ),
        page,
      )
      return { list: await this.asHosts(list), ...count }
    },
    /** Adds reported values, configuration state and child counts to edge hosts. */
    async asHosts(list: DeviceRow[]) {
      const named = await devices.named(list)
      const ids = list.map(({ id }) => id)
      const said = await db
        .select({
          id: device.id,
          state,
          why,
          ...usage,
          os: deviceTag.value,
          firmware: deviceFirmware.version,
          heartbeatInterval: interval,
          childCount: children(),
          childOnline: children(sql`${child.state} = 'online'`),
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
          replacedBy: sql<string>`coalesce(${next.name} || '（' || ${next.deviceName} || '）', '')`,
          canRestart: sql<boolean>`exists (select 1 from jsonb_array_elements(${product.model} -> 'services') as service where service ->> 'identifier' = 'Restart')`,
        })
        .from(device)
        .innerJoin(product, eq(product.id, device.productId))
        .leftJoin(edgeHost, of(edgeHost))
        .leftJoin(deviceTag, and(of(deviceTag), eq(deviceTag.key, osTag)))
        .leftJoin(deviceFirmware, and(of(deviceFirmware), eq(deviceFirmware.module, 'default')))
        .leftJoin(config, and(of(config), eq(config.module, configModule)))
        .leftJoin(next, and(eq(next.projectId, device.projectId), eq(next.id, edgeHost.replacedBy)))
        .where(inArray(device.id, ids))
      return named.map((row) => ({
        ...row,
        ...said.find(({ id }) => id === row.id)!,
        heartbeatTime: row.reportedTime,
      }))
    },
    async settings({ projectId, id }: Of): Promise<HostRow | undefined> {
      const [row] = await db
        .select()
        .from(edgeHost)
        .where(and(eq(edgeHost.projectId, projectId), eq(edgeHost.deviceId, id)))
      return row
    },
    keep: ({ projectId, id }: Of, set: Partial<HostRow>) =>
      db
        .insert(edgeHost)
        .values({ ...set, projectId, deviceId: id })
        .onConflictDoUpdate({ target: [edgeHost.projectId, edgeHost.deviceId], set }),
    /** Saves a new configuration version; returns false if another user saved one after the given version. */
    async nextConfig({ projectId, id }: Of, version: number, content: string, by: string) {
      await db.insert(edgeHost).values({ projectId, deviceId: id }).onConflictDoNothing()
      const rows = await db
        .update(edgeHost)
        .set({
          content,
          configVersion: version + 1,
          configBy: by,
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
    childIds: async ({ projectId, id }: Of) =>
      (
        await db
          .select({ id: device.id })
          .from(device)
          .where(and(eq(device.projectId, projectId), eq(device.gatewayId, id)))
          .for('update')
      ).map((row) => row.id),
    /** The children of the former host become offline until they reconnect through the new one. */
    adopt: ({ projectId, id }: Of, from: Of, by: string) =>
      db
        .update(device)
        .set({
          gatewayId: id,
          via: null,
          state: sql`case when ${device.state} = 'online' then 'offline' else ${device.state} end`,
          revision: sql`${device.revision} + 1`,
          version: sql`${device.version} + 1`,
          updateBy: by,
          updateTime: new Date().toISOString(),
        })
        .where(and(eq(device.projectId, projectId), eq(device.gatewayId, from.id))),
    /**
     * Moves open registration records of the former host to the new one; serials that the new host reported itself win.
     */
    async inherit({ projectId, id }: Of, from: Of) {
      const own = alias(record, 'own')
      const open = and(
        eq(record.projectId, projectId),
        eq(record.gatewayId, from.id),
        ne(record.state, 'done'),
      )
      const known = db
        .select({ id: own.id })
        .from(own)
        .where(
          and(
            eq(own.projectId, projectId),
            eq(own.productKey, record.productKey),
            eq(own.deviceName, record.deviceName),
            eq(own.gatewayId, id),
          ),
        )
      await db.delete(record).where(and(open, exists(known)))
      await db.update(record).set({ gatewayId: id }).where(open)
    },
    shown: (ids: string[]) => db.select(liveColumns).from(device).where(inArray(device.id, ids)),
    async byName(productKey: string, deviceName: string) {
      const [row] = await db
        .select()
        .from(device)
        .innerJoin(product, eq(product.id, device.productId))
        .where(and(eq(product.productKey, productKey), eq(device.deviceName, deviceName)))
      return row?.device
    },
  }
}
