import { historyMost, type DeviceHistory } from '@iot/shared/contract/deviceHistory'
import type { Values } from '@iot/shared/contract/device'
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { complain } from '../core/db/outage'
import { openHistoryParts } from './historyParts'
import type { Subject } from './subject'

/** How long what devices report is kept. */
export const usualHistoryDays = 30
/** While the database is away the oldest are lost first. */
const most = 50_000
const day = 24 * 3600_000

/** What devices said and when it was so, also what came too late to be their state. */
export function openHistory(db: Db, keptDays = usualHistoryDays) {
  const parts = openHistoryParts(db)
  let waiting: { time: number; row: object }[] = []

  return {
    /** Answers false where it is older than what is kept. */
    add({ id, projectId }: Subject, identifier: string, value: Values[string], time: number) {
      // It would be gone with the next sweep, and each day of long ago would need a part.
      if (time < Date.now() - keptDays * day) return false
      const row = { id, projectId, identifier, value, time: new Date(time).toISOString() }
      waiting.push({ time, row })
      if (waiting.length > most) waiting = waiting.slice(most / 10)
      return true
    },
    async write() {
      const rows = waiting
      waiting = []
      if (rows.length === 0) return
      try {
        await parts.prepare(rows.map(({ time }) => time))
        // The same value again is no news: devices send again what was not acknowledged.
        await db.execute(sql`
          insert into property_history (project_id, device_id, identifier, value, time)
          select "projectId", id, identifier, value, time from jsonb_to_recordset(${JSON.stringify(rows.map(({ row }) => row))}::jsonb)
            as new(id uuid, "projectId" integer, identifier text, value jsonb, time timestamptz)
          on conflict do nothing`)
      } catch (error) {
        complain('设备历史暂未写入', error)
        parts.forget()
        waiting = [...rows, ...waiting].slice(-most)
      }
    },
  }
}

type Asked = Subject & {
  identifier: string
  /** Milliseconds. */
  from: number
  to: number
  /** Seconds; 0 for each value as it came. */
  step: number
  /** Zone whose midnights begin its days. */
  timeZone: string
  /** Numbers have a mean; of all others the last of each step stands for it. */
  isNumber: boolean
}

/** Shorter steps are the same length by every clock; longer ones begin where a day or a part of it does. */
const longestPlainStep = 3600

/** SQL for the beginning, in milliseconds, of the step that a time lies in. */
function beginOfStep(step: number, timeZone: string): SQL {
  if (step <= longestPlainStep) {
    // Hours begin at another minute in zones that are a quarter or half an hour off.
    const shift = sql`date_part('epoch', time at time zone ${timeZone}) - date_part('epoch', time)`
    return sql`((floor((date_part('epoch', time) + ${shift}) / ${step}::float8) * ${step}::float8 - (${shift})) * 1000)`
  }
  const beginSeconds = sql`floor(date_part('epoch', time at time zone ${timeZone}) / ${step}::float8) * ${step}::float8`
  return sql`(date_part('epoch', (timestamp '1970-01-01' + make_interval(secs => ${beginSeconds})) at time zone ${timeZone}) * 1000)`
}

/** What one property was, step by step. Of raw values one more than may be answered, so that one sees there are more. */
export async function readHistory(db: Db, asked: Asked): Promise<DeviceHistory> {
  const { step, isNumber } = asked
  const of = sql`project_id = ${asked.projectId} and device_id = ${asked.id} and identifier = ${asked.identifier}`
  const within = sql`${of} and time >= ${new Date(asked.from).toISOString()} and time < ${new Date(asked.to).toISOString()}`
  const at = sql`round(date_part('epoch', time) * 1000)`
  const begin = beginOfStep(step, asked.timeZone)
  const answer: DeviceHistory = {
    ...{ step, times: [], counts: [], avg: [], min: [], max: [], last: [], before: null },
  }
  // One row of columns: a month by the minute is 43,000 rows, and each would be read by itself.
  if (step > 0 && isNumber) {
    const { rows } = await db.execute<Columns>(sql`
      select json_agg(at) as times, json_agg(count) as counts, json_agg(avg) as avg, json_agg(min) as min, json_agg(max) as max
      from (
        select ${begin} as at, count(*)::integer as count, round(avg(value::float8)::numeric, 4) as avg,
          min(value::float8) as min, max(value::float8) as max
        from property_history where ${within} and jsonb_typeof(value) = 'number'
        group by 1 order by 1
      ) as step`)
    return filled(answer, rows[0]!)
  }
  const { rows } = await db.execute<Columns>(
    sql`select json_agg(at) as times, json_agg(value) as last from (${
      step > 0
        ? sql`select distinct on (at) ${begin} as at, value from property_history where ${within} order by at, time desc`
        : sql`select ${at} as at, value from property_history where ${within} order by time limit ${historyMost + 1}`
    }) as step`,
  )
  const { rows: former } = await db.execute<{ value: Values[string] }>(
    sql`select value from property_history where ${of} and time < ${new Date(asked.from).toISOString()} order by time desc limit 1`,
  )
  return { ...filled(answer, rows[0]!), before: former[0]?.value ?? null }
}

type Columns = {
  [K in 'times' | 'counts' | 'avg' | 'min' | 'max' | 'last']?: DeviceHistory[K] | null
}
/** Of nothing a database makes no list. */
const filled = (answer: DeviceHistory, columns: Columns): DeviceHistory => ({
  ...answer,
  ...Object.fromEntries(Object.entries(columns).filter(([, column]) => column !== null)),
})
