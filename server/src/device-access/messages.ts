import { isUtf8 } from 'node:buffer'
import { sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { isStorable } from '../core/db/storable'
import { complain } from '../core/db/outage'
import { deviceMessage } from '../tables/deviceRecords'
import type { Subject } from './subject'

type Message = Omit<typeof deviceMessage.$inferInsert, 'id'>

const every = 500
const sweepEvery = 60_000
export const kept = 200
const day = 24 * 3600_000
const payloadMost = 16_384
/** Maximum messages buffered while the database is away. */
const waitingMost = 2000

/**
 * Stores raw device messages for a day, up to 200 per device and direction. They are written twice a second; the oldest
 * are dropped while the database is away.
 */
export function openMessages(db: Db) {
  /** Messages counted since this process started, for benchmarks. */
  const counts = { up: 0, down: 0 }
  let waiting: Message[] = []
  const full = new Map<string, Subject>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write() {
    clearTimeout(timer)
    timer = undefined
    const rows = waiting
    waiting = []
    if (rows.length === 0) return
    try {
      await db.insert(deviceMessage).values(rows)
    } catch (error) {
      complain('设备消息暂未写入', error)
      waiting = [...rows, ...waiting].slice(-waitingMost)
      timer ??= setTimeout(() => void flush(), 2000)
    }
  }
  const flush = () => (writing = writing.then(write))

  /**
   * Deletes messages older than a day and, for each device that sent some since the last run, those beyond its limit.
   */
  async function sweep() {
    await flush()
    const ids = [...full.keys()]
    full.clear()
    try {
      await db.execute(
        sql`delete from device_message where time < ${new Date(Date.now() - day).toISOString()}`,
      )
      if (ids.length > 0)
        await db.execute(sql`
          delete from device_message using (
            select project_id, id, row_number() over (partition by project_id, device_id, direction order by id desc) as place
            from device_message where device_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
          ) as ring
          where ring.place > ${kept} and device_message.project_id = ring.project_id and device_message.id = ring.id`)
    } catch (error) {
      complain('设备消息暂未清理', error)
    }
  }
  const sweeping = setInterval(() => void sweep(), sweepEvery).unref()

  return {
    keep(
      { id, projectId }: Subject,
      direction: Message['direction'],
      topic: string,
      payload: Buffer,
    ) {
      counts[direction]++
      full.set(id, { id, projectId })
      waiting.push({
        projectId,
        deviceId: id,
        direction,
        topic,
        payload: readable(payload),
        time: new Date().toISOString(),
      })
      if (waiting.length >= waitingMost) waiting = waiting.slice(-waitingMost)
      timer ??= setTimeout(() => void flush(), every)
    },
    counts,
    flush,
    sweep,
    async close() {
      clearInterval(sweeping)
      await flush()
      clearTimeout(timer)
    },
  }
}
export type Messages = ReturnType<typeof openMessages>

/** Registration replies to a gateway contain the secrets of its sub-devices, which must not be stored. */
const secret = /("(?:deviceSecret|deviceToken|productSecret)"\s*:\s*")[^"]*/g

function readable(payload: Buffer) {
  const text = isUtf8(payload) ? payload.toString('utf8') : undefined
  return text !== undefined && isStorable(text)
    ? Array.from(text.replace(secret, '$1******')).slice(0, payloadMost).join('')
    : `0x${payload.subarray(0, payloadMost / 2).toString('hex')}`
}
