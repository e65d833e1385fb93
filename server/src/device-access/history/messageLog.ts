import { dayMs, getPastTime } from '@iot/shared/contract/duration'
import { isUtf8 } from 'node:buffer'
import { sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { isStorable } from '../../core/db/storable'
import { logError, runInBackground } from '../../core/db/outage'
import { createWriteBehind } from '../../core/db/writeBehind'
import { deviceMessage } from '../../tables/deviceRecords'
import type { DeviceRef } from '../deviceRef'

type Message = Required<typeof deviceMessage.$inferInsert>

const flushIntervalMs = 500
const flushRetryMs = 2000
const sweepIntervalMs = 60_000
export const maxMessagesPerDirection = 200
const maxPayloadLength = 16_384
/** Maximum messages buffered while the database is away. */
const maxBufferedMessages = 2000

/**
 * Stores raw device messages for a day, up to 200 per device and direction. They are written twice a second; the oldest
 * are dropped while the database is away.
 */
export function openMessageLog(db: Db) {
  /** Messages counted since this process started, for benchmarks. */
  const counts = { up: 0, down: 0 }
  const sweepCandidates = new Map<string, DeviceRef>()
  const writer = createWriteBehind<Message>({
    name: '设备消息',
    delayMs: flushIntervalMs,
    retryDelayMs: flushRetryMs,
    maxRows: maxBufferedMessages,
    async write(messages) {
      await insertMessages(db, messages)
    },
  })

  /**
   * Deletes messages older than a day and, for each device that sent some since the last run, those beyond its limit.
   */
  async function sweep() {
    await writer.flush()
    const ids = [...sweepCandidates.keys()]
    sweepCandidates.clear()
    try {
      await db.execute(sql`delete from device_message where time < ${getPastTime(dayMs)}`)
      if (ids.length > 0)
        await db.execute(sql`
          delete from device_message using (
            select project_id, id, row_number() over (partition by project_id, device_id, direction order by id desc) as place
            from device_message where device_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
          ) as ring
          where ring.place > ${maxMessagesPerDirection} and device_message.project_id = ring.project_id and device_message.id = ring.id`)
    } catch (error) {
      logError('设备消息暂未清理', error)
    }
  }
  const sweepTimer = setInterval(
    () => runInBackground(sweep(), '设备消息暂未清理'),
    sweepIntervalMs,
  ).unref()

  return {
    record(
      { id, projectId }: DeviceRef,
      direction: Message['direction'],
      topic: string,
      payload: Buffer,
    ) {
      counts[direction]++
      sweepCandidates.set(id, { id, projectId })
      writer.add({
        id: uuidv7(),
        projectId,
        deviceId: id,
        direction,
        topic,
        payload: formatPayload(payload),
        time: new Date().toISOString(),
      })
    },
    counts,
    flush: writer.flush,
    sweep,
    async close() {
      clearInterval(sweepTimer)
      await writer.close()
    },
  }
}
export type MessageLog = ReturnType<typeof openMessageLog>

/** One parameter for all rows: Drizzle inspects each value of an insert, which took a sixth of the time of ingest. */
const insertMessages = (db: Db, messages: Message[]) =>
  db.execute(sql`
    insert into device_message (id, project_id, device_id, direction, topic, payload, time)
    select id, "projectId", "deviceId", direction, topic, payload, time
    from json_to_recordset(${JSON.stringify(messages)}::json) as new(
      id uuid, "projectId" integer, "deviceId" uuid, direction text, topic text, payload text, time timestamptz)`)

/** Registration replies to a gateway contain the secrets of its sub-devices, which must not be stored. */
const secretPattern = /("(?:deviceSecret|deviceToken|productSecret)"\s*:\s*")[^"]*/g

function formatPayload(payload: Buffer) {
  const text = isUtf8(payload) ? payload.toString('utf8') : undefined
  return text !== undefined && isStorable(text)
    ? shorten(text.replace(secretPattern, '$1******'))
    : `0x${payload.subarray(0, maxPayloadLength / 2).toString('hex')}`
}

/** Counts characters, not their halves, so that none is cut in two. */
const shorten = (text: string) =>
  text.length <= maxPayloadLength ? text : Array.from(text).slice(0, maxPayloadLength).join('')
