import type { DeviceEvent } from '@iot/shared/contract/managedDevice'
import { and, desc, eq } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../core/db/db'
import { kept } from '../../device-access/messages'
import { controlLedger } from '../../tables/control'
import { deviceEvent } from '../../tables/device'
import { deviceFirmware, deviceMessage, deviceTag } from '../../tables/deviceRecords'
import { task } from '../../tables/task'
import type { DeviceRow } from './queries'

const eventsShown = 100
const commandsShown = 20

/** What is kept of a device beside its row. */
export const recordQueries = (db: Db) => {
  const of = (table: { projectId: PgColumn; deviceId: PgColumn }, row: DeviceRow) =>
    and(eq(table.projectId, row.projectId), eq(table.deviceId, row.id))

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
    /** Of both ways, the newest first. */
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
    commands: (row: DeviceRow) =>
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
        })
        .from(controlLedger)
        .innerJoin(task, eq(task.id, controlLedger.taskId))
        .where(of(controlLedger, row))
        .orderBy(desc(controlLedger.taskId))
        .limit(commandsShown),
  }
}
export type CommandRow = Awaited<ReturnType<ReturnType<typeof recordQueries>['commands']>>[number]
