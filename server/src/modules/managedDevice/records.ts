import type { DeviceEvent } from '@iot/shared/contract/managedDevice'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { kept } from '../../device-access/messages'
import { controlLedger } from '../../tables/control'
import { now } from '../../tables/columns'
import { device, deviceEvent } from '../../tables/device'
import { deviceCall, deviceFirmware, deviceMessage, deviceTag } from '../../tables/deviceRecords'
import { task } from '../../tables/task'
import type { DeviceRow } from './queries'

const eventsShown = 100
const commandsShown = 20
const callsKept = 100
/** Maximum number of stored characters of a call's output. */
const outputKept = 4000

/** Queries for the records of a device: events, messages, commands and service calls. */
export const recordQueries = (db: Db) => {
  const of = (table: { projectId: PgColumn; deviceId: PgColumn }, row: DeviceRow) =>
    and(eq(table.projectId, row.projectId), eq(table.deviceId, row.id))

  const gatewayOf = async ({ projectId, gatewayId }: DeviceRow) =>
    gatewayId === null
      ? undefined
      : (
          await db
            .select({ gateway: device.name, state: device.state })
            .from(device)
            .where(and(eq(device.projectId, projectId), eq(device.id, gatewayId)))
        )[0]

  return {
    async said(row: DeviceRow) {
      const [tags, firmware] = await Promise.all([
        db.select().from(deviceTag).where(of(deviceTag, row)).orderBy(deviceTag.key),
        db
          .select()
          .from(deviceFirmware)
          .where(of(deviceFirmware, row))
          .orderBy(deviceFirmware.module),
      ])
      return { tags, firmware }
    },
    async events(row: DeviceRow) {
      const rows = await db
        .select()
        .from(deviceEvent)
        .where(of(deviceEvent, row))
        .orderBy(desc(deviceEvent.time), desc(deviceEvent.id))
        .limit(eventsShown)
      return rows as (Omit<(typeof rows)[number], 'type'> & Pick<DeviceEvent, 'type'>)[]
    },
    /** Returns the stored messages of both directions, newest first. */
    async messages(row: DeviceRow) {
      const ways = await Promise.all(
        (['up', 'down'] as const).map((direction) =>
          db
            .select()
            .from(deviceMessage)
            .where(and(of(deviceMessage, row), eq(deviceMessage.direction, direction)))
            .orderBy(desc(deviceMessage.id))
            .limit(kept),
        ),
      )
      return ways.flat().sort((a, b) => b.id.localeCompare(a.id))
    },
    /** Returns the latest commands and service calls, newest first. */
    async commands(row: DeviceRow): Promise<CommandRow[]> {
      const [set, called] = await Promise.all([this.sent(row), this.called(row)])
      return [...set, ...called]
        .sort((a, b) => b.time.localeCompare(a.time) || b.taskId.localeCompare(a.taskId))
        .slice(0, commandsShown)
    },
    async called(row: DeviceRow) {
      const rows = await db
        .select()
        .from(deviceCall)
        .where(of(deviceCall, row))
        .orderBy(desc(deviceCall.id))
        .limit(commandsShown)
      return rows.map(({ id, createTime, params, identifier, ...one }) => ({
        ...one,
        taskId: id,
        time: createTime,
        sentTime: createTime,
        target: params,
        service: identifier,
      }))
    },
    async call(row: DeviceRow, call: Pick<Call, 'identifier' | 'title' | 'params' | 'createBy'>) {
      const gateway = await gatewayOf(row)
      const [made] = await db
        .insert(deviceCall)
        .values({
          ...call,
          projectId: row.projectId,
          deviceId: row.id,
          createTime: now(),
          state: 'sent',
          reason: '',
          route: gateway ?? {},
        })
        .returning({ id: deviceCall.id })
      const old = db
        .select({ id: deviceCall.id })
        .from(deviceCall)
        .where(of(deviceCall, row))
        .orderBy(desc(deviceCall.id))
        .offset(callsKept)
      await db.delete(deviceCall).where(inArray(deviceCall.id, old))
      return made!.id
    },
    async ended(
      row: DeviceRow,
      id: string,
      end: Pick<Call, 'state' | 'reason'> & { output?: string },
    ) {
      const gateway = await gatewayOf(row)
      await db
        .update(deviceCall)
        .set({
          ...end,
          output: end.output?.slice(0, outputKept),
          doneTime: now(),
          ...(gateway && {
            route: sql`${deviceCall.route} || ${JSON.stringify({ end: gateway.state })}::jsonb`,
          }),
        })
        .where(eq(deviceCall.id, id))
    },
    sent: (row: DeviceRow) =>
      db
        .select({
          taskId: controlLedger.taskId,
          title: task.title,
          createBy: task.createBy,
          time: task.createTime,
          state: controlLedger.state,
          reason: controlLedger.reason,
          target: controlLedger.target,
          sentTime: controlLedger.sentTime,
          doneTime: controlLedger.doneTime,
          route: controlLedger.route,
        })
        .from(controlLedger)
        .innerJoin(task, eq(task.id, controlLedger.taskId))
        .where(of(controlLedger, row))
        .orderBy(desc(controlLedger.taskId))
        .limit(commandsShown),
  }
}
type Ledger = typeof controlLedger.$inferSelect
type Call = typeof deviceCall.$inferSelect
export type CommandRow = Omit<Ledger, 'projectId' | 'deviceId' | 'before'> & {
  title: string
  createBy: string
  time: string
  /** Identifier of the called service and its output; both are undefined for a command. */
  service?: string
  output?: string
}
