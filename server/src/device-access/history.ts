import type { Values } from '@iot/shared/contract/device'
import { lt, sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { complain } from '../core/db/outage'
import { propertyHistory } from '../tables/device'
import type { Subject } from './subject'

/** While the database is away the oldest are lost first. */
const most = 50_000
const days = 30
const day = 24 * 3600_000

/** What devices said and when it was so, also what came too late to be their state. Kept for a month. */
export function openHistory(db: Db) {
  let waiting: object[] = []
  let swept = 0

  return {
    add({ id, projectId }: Subject, identifier: string, value: Values[string], at: number) {
      waiting.push({ id, projectId, identifier, value, time: new Date(at).toISOString() })
      if (waiting.length > most) waiting = waiting.slice(most / 10)
    },
    async write() {
      const rows = waiting
      waiting = []
      if (rows.length === 0) return
      try {
        // The same value again is no news: devices send again what was not acknowledged.
        await db.execute(sql`
          insert into property_history (project_id, device_id, identifier, value, time)
          select "projectId", id, identifier, value, time from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as new(id uuid, "projectId" integer, identifier text, value jsonb, time timestamptz)
          on conflict do nothing`)
        if (Date.now() - swept > day) {
          swept = Date.now()
          const end = new Date(swept - days * day).toISOString()
          await db.delete(propertyHistory).where(lt(propertyHistory.time, end))
        }
      } catch (error) {
        complain('设备历史暂未写入', error)
        waiting = [...rows, ...waiting].slice(-most)
      }
    },
  }
}
