import { historyMost, type DeviceHistory } from '@iot/shared/contract/deviceHistory'
import type { Values } from '@iot/shared/contract/device'
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { complain } from '../core/db/outage'
import { openHistoryParts } from './historyParts'
import type { Subject } from './subject'

/** Default retention of reported values in days. */
export const usualHistoryDays = 30
/** Maximum rows buffered while the database is away; the oldest rows are dropped first. */
const most = 50_000
const day = 24 * 3600_000

/** Stores all reported values with their times, including values that arrive too late to change the device state. */
export function openHistory(db: Db, keptDays = usualHistoryDays) {
  const parts = openHistoryParts(db)
  let waiting: { time: number; row: object }[] = []

  return {
    /** Returns false if the value is older than the retention. */
    add({ id, projectId }: Subject, identifier: string, value: Values[string], time: number) {
      // An older row would be deleted by the next clean-up, and each of those days would need its own partition.
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
        // A duplicate row is ignored, because devices resend values that were not acknowledged.
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
  /** The period is given in ms since 1970; `to` is excluded. */
  from: number
  to: number
  /** Step in seconds; 0 returns every raw value. */
  step: number
  /** Time zone in which the days begin. */
  timeZone: string
  /** Numbers are averaged; all other types show the last value of each step. */
  isNumber: boolean
}

/**
 * Steps up to this length in seconds have the same length in every zone; longer ones align to local days or parts of a
 * day.
 */
const longestPlainStep = 3600

/** Returns SQL for the start, in ms, of the step that contains a time. */
function beginOfStep(step: number, timeZone: string): SQL {
  if (step <= longestPlainStep) {
    // Hours begin at a quarter or half past in zones with such an offset.
    const shift = sql`date_part('epoch', time at time zone ${timeZone}) - date_part('epoch', time)`
    return sql`((floor((date_part('epoch', time) + ${shift}) / ${step}::float8) * ${step}::float8 - (${shift})) * 1000)`
  }
  const beginSeconds = sql`floor(date_part('epoch', time at time zone ${timeZone}) / ${step}::float8) * ${step}::float8`
  return sql`(date_part('epoch', (timestamp '1970-01-01' + make_interval(secs => ${beginSeconds})) at time zone ${timeZone}) * 1000)`
}

/**
 * Reads one property step by step. Raw values may exceed the limit by one, which tells the caller that there are more.
 */
export async function readHistory(db: Db, asked: Asked): Promise<DeviceHistory> {
  const { step, isNumber } = asked
  const of = sql`project_id = ${asked.projectId} and device_id = ${asked.id} and identifier = ${asked.identifier}`
  const within = sql`${of} and time >= ${new Date(asked.from).toISOString()} and time < ${new Date(asked.to).toISOString()}`
  const at = sql`round(date_part('epoch', time) * 1000)`
  const begin = beginOfStep(step, asked.timeZone)
  const answer: DeviceHistory = {
    step,
    times: [],
    counts: [],
    avg: [],
    min: [],
    max: [],
    last: [],
    before: null,
  }
  // The database returns whole columns as one row, because a month by the minute has 43,000 rows and parsing each is
  // slow.
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
/** `json_agg` returns null for no rows, so those columns keep their empty lists. */
const filled = (answer: DeviceHistory, columns: Columns): DeviceHistory => ({
  ...answer,
  ...Object.fromEntries(Object.entries(columns).filter(([, column]) => column !== null)),
})
