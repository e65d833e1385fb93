import type { DeviceEvent } from '@iot/shared/contract/device/deviceLive.schema'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { maxMessagesPerDirection } from '../../device-access/history/messageLog'
import { controlLedger } from '../../tables/control'
import { now } from '../../tables/columns'
import { device, deviceEvent } from '../../tables/device'
import { deviceCall, deviceFirmware, deviceMessage, deviceTag } from '../../tables/deviceRecords'
import { task } from '../../tables/task'
import type { DeviceRow } from './queries'

const maxEvents = 100
const maxCommands = 20
const maxStoredCalls = 100
/** Maximum number of stored characters of a call's output. */
const maxOutputChars = 4000

const belongsToDevice = (table: { projectId: PgColumn; deviceId: PgColumn }, row: DeviceRow) =>
  and(eq(table.projectId, row.projectId), eq(table.deviceId, row.id))

/** Queries for the records of a device: events, messages, commands and service calls. */
export const recordQueries = (db: Db) => ({
  ...reportQueries(db),
  ...commandQueries(db),
  ...callQueries(db),
})

/** Queries for what a device reported itself. */
const reportQueries = (db: Db) => ({
  async findTagsAndFirmware(row: DeviceRow) {
    const [tags, firmware] = await Promise.all([
      db.select().from(deviceTag).where(belongsToDevice(deviceTag, row)).orderBy(deviceTag.key),
      db
        .select()
        .from(deviceFirmware)
        .where(belongsToDevice(deviceFirmware, row))
        .orderBy(deviceFirmware.module),
    ])
    return { tags, firmware }
  },
  async listEvents(row: DeviceRow) {
    const rows = await db
      .select()
      .from(deviceEvent)
      .where(belongsToDevice(deviceEvent, row))
      .orderBy(desc(deviceEvent.time), desc(deviceEvent.id))
      .limit(maxEvents)
    return rows as (Omit<(typeof rows)[number], 'type'> & Pick<DeviceEvent, 'type'>)[]
  },
  /** Returns the stored messages of both directions, newest first. */
  async listMessages(row: DeviceRow) {
    const messagesByDirection = await Promise.all(
      (['up', 'down'] as const).map((direction) =>
        db
          .select()
          .from(deviceMessage)
          .where(and(belongsToDevice(deviceMessage, row), eq(deviceMessage.direction, direction)))
          .orderBy(desc(deviceMessage.id))
          .limit(maxMessagesPerDirection),
      ),
    )
    return messagesByDirection.flat().sort((a, b) => b.id.localeCompare(a.id))
  },
})

const commandQueries = (db: Db) => {
  const findCommands = (row: DeviceRow) =>
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
      .where(belongsToDevice(controlLedger, row))
      .orderBy(desc(controlLedger.taskId))
      .limit(maxCommands)
  async function findCalls(row: DeviceRow) {
    const rows = await db
      .select()
      .from(deviceCall)
      .where(belongsToDevice(deviceCall, row))
      .orderBy(desc(deviceCall.id))
      .limit(maxCommands)
    return rows.map(({ id, createTime, params, identifier, ...one }) => ({
      ...one,
      taskId: id,
      time: createTime,
      sentTime: createTime,
      target: params,
      service: identifier,
    }))
  }

  return {
    findCommands,
    findCalls,
    /** Returns the latest commands and service calls, newest first. */
    async listCommands(row: DeviceRow): Promise<CommandRow[]> {
      const [commandRows, callRows] = await Promise.all([findCommands(row), findCalls(row)])
      return [...commandRows, ...callRows]
        .sort((a, b) => b.time.localeCompare(a.time) || b.taskId.localeCompare(a.taskId))
        .slice(0, maxCommands)
    },
  }
}

/** Queries that record the calls of services. */
const callQueries = (db: Db) => {
  const findGateway = async ({ projectId, gatewayId }: DeviceRow) =>
    gatewayId === null
      ? undefined
      : (
          await db
            .select({ gateway: device.name, state: device.state })
            .from(device)
            .where(and(eq(device.projectId, projectId), eq(device.id, gatewayId)))
        )[0]

  return {
    async insertCall(
      row: DeviceRow,
      call: Pick<CallRow, 'identifier' | 'title' | 'params' | 'createBy'>,
    ) {
      const gateway = await findGateway(row)
      const [callRow] = await db
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
      const expiredCalls = db
        .select({ id: deviceCall.id })
        .from(deviceCall)
        .where(belongsToDevice(deviceCall, row))
        .orderBy(desc(deviceCall.id))
        .offset(maxStoredCalls)
      await db.delete(deviceCall).where(inArray(deviceCall.id, expiredCalls))
      return callRow!.id
    },
    async finishCall(
      row: DeviceRow,
      id: string,
      end: Pick<CallRow, 'state' | 'reason'> & { output?: string },
    ) {
      const gateway = await findGateway(row)
      await db
        .update(deviceCall)
        .set({
          ...end,
          output: end.output?.slice(0, maxOutputChars),
          doneTime: now(),
          ...(gateway && {
            route: sql`${deviceCall.route} || ${JSON.stringify({ end: gateway.state })}::jsonb`,
          }),
        })
        .where(eq(deviceCall.id, id))
    },
  }
}

type LedgerRow = typeof controlLedger.$inferSelect
type CallRow = typeof deviceCall.$inferSelect
export type CommandRow = Omit<LedgerRow, 'projectId' | 'deviceId' | 'before'> & {
  title: string
  createBy: string
  time: string
  /** Identifier of the called service and its output; both are undefined for a command. */
  service?: string
  output?: string
}
