import { isUtf8 } from 'node:buffer'
import { sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { isStorable } from '../../core/db/storable'
import { logError, runInBackground } from '../../core/db/outage'
import { deviceMessage } from '../../tables/deviceRecords'
import type { DeviceRef } from '../deviceRef'

type Message = Omit<typeof deviceMessage.$inferInsert, 'id'>

const flushIntervalMs = 500
const sweepIntervalMs = 60_000
export const maxMessagesPerDirection = 200
const dayMs = 24 * 3600_000
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
  let bufferedMessages: Message[] = []
  const sweepCandidates = new Map<string, DeviceRef>()
  let timer: NodeJS.Timeout | undefined
  let lastWrite: Promise<void> = Promise.resolve()

  async function writeBuffered() {
    clearTimeout(timer)
    timer = undefined
    const rows = bufferedMessages
    bufferedMessages = []
    if (rows.length === 0) return
    try {
      await db.insert(deviceMessage).values(rows)
    } catch (error) {
      logError('设备消息暂未写入', error)
      bufferedMessages = [...rows, ...bufferedMessages].slice(-maxBufferedMessages)
      timer ??= setTimeout(() => runInBackground(flush(), '设备消息暂未写入'), 2000)
    }
  }
  const flush = () => (lastWrite = lastWrite.then(writeBuffered))

  /**
   * Deletes messages older than a day and, for each device that sent some since the last run, those beyond its limit.
   */
  async function sweep() {
    await flush()
    const ids = [...sweepCandidates.keys()]
    sweepCandidates.clear()
    try {
      await db.execute(
        sql`delete from device_message where time < ${new Date(Date.now() - dayMs).toISOString()}`,
      )
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
      bufferedMessages.push({
        projectId,
        deviceId: id,
        direction,
        topic,
        payload: formatPayload(payload),
        time: new Date().toISOString(),
      })
      if (bufferedMessages.length >= maxBufferedMessages)
        bufferedMessages = bufferedMessages.slice(-maxBufferedMessages)
      timer ??= setTimeout(() => runInBackground(flush(), '设备消息暂未写入'), flushIntervalMs)
    },
    counts,
    flush,
    sweep,
    async close() {
      clearInterval(sweepTimer)
      await flush()
      clearTimeout(timer)
    },
  }
}
export type MessageLog = ReturnType<typeof openMessageLog>

/** Registration replies to a gateway contain the secrets of its sub-devices, which must not be stored. */
const secretPattern = /("(?:deviceSecret|deviceToken|productSecret)"\s*:\s*")[^"]*/g

function formatPayload(payload: Buffer) {
  const text = isUtf8(payload) ? payload.toString('utf8') : undefined
  return text !== undefined && isStorable(text)
    ? Array.from(text.replace(secretPattern, '$1******')).slice(0, maxPayloadLength).join('')
    : `0x${payload.subarray(0, maxPayloadLength / 2).toString('hex')}`
}
