import { dayMs, hourSeconds } from '@iot/shared/contract/duration'
import { maxHistoryPoints } from '@iot/shared/contract/device/deviceHistory'
import type { DeviceHistory } from '@iot/shared/contract/device/deviceHistory.schema'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { createWriteBehind } from '../../core/db/writeBehind'
import { LeaseLostError } from '../../core/lease/leaseQueries'
import type { WriteAsHolder } from '../../core/lease/leases'
import { createHistoryPartitions } from '../../core/db/historyPartitions'
import type { DeviceRef } from '../deviceRef'

/** Default retention of reported values in days. */
export const defaultHistoryDays = 30
/** Maximum rows buffered while the database is away; the oldest rows are dropped first. */
const maxBufferedRows = 50_000
/** The history is usually written sooner, right after the states. */
const flushDelayMs = 1000

/** Stores all reported values with their times, including values that arrive too late to change the device state. */
export function createHistoryWriter(
  db: Db,
  retentionDays = defaultHistoryDays,
  writeAsHolder: WriteAsHolder = (work) => work(db),
) {
  const partitions = createHistoryPartitions(db)
  const writer = createWriteBehind<{ time: number; row: object }>({
    name: '设备历史',
    delayMs: flushDelayMs,
    retryDelayMs: flushDelayMs,
    maxRows: maxBufferedRows,
    shouldRetry: (error) => !(error instanceof LeaseLostError),
    async write(rows) {
      try {
        await partitions.prepare(rows.map(({ time }) => time))
        // A duplicate row is ignored, because devices resend values that were not acknowledged.
        await writeAsHolder((tx) =>
          tx.execute(sql`
          insert into property_history (project_id, device_id, identifier, value, time)
          select "projectId", id, identifier, value, time from jsonb_to_recordset(${JSON.stringify(rows.map(({ row }) => row))}::jsonb)
            as new(id uuid, "projectId" integer, identifier text, value jsonb, time timestamptz)
          on conflict do nothing`),
        )
      } catch (error) {
        partitions.forget()
        throw error
      }
    },
  })

  return {
    /** Returns false if the value is older than the retention. */
    add({ id, projectId }: DeviceRef, identifier: string, value: Values[string], time: number) {
      // An older row would be deleted by the next clean-up, and each of those days would need its own partition.
      if (time < Date.now() - retentionDays * dayMs) return false
      const row = { id, projectId, identifier, value, time: new Date(time).toISOString() }
      writer.add({ time, row })
      return true
    },
    write: writer.flush,
    /** Drops rows that are not written, because another process has taken over. */
    discard: writer.discard,
    close: writer.close,
  }
}

type HistoryQuery = DeviceRef & {
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
const maxPlainStepSeconds = hourSeconds

/** Returns SQL for the start, in ms, of the step that contains a time. */
function buildStepStartSql(step: number, timeZone: string): SQL {
  if (step <= maxPlainStepSeconds) {
    // Hours begin at a quarter or half past in zones with such an offset.
    const zoneOffsetSeconds = sql`date_part('epoch', time at time zone ${timeZone}) - date_part('epoch', time)`
    return sql`((floor((date_part('epoch', time) + ${zoneOffsetSeconds}) / ${step}::float8) * ${step}::float8 - (${zoneOffsetSeconds})) * 1000)`
  }
  const beginSeconds = sql`floor(date_part('epoch', time at time zone ${timeZone}) / ${step}::float8) * ${step}::float8`
  return sql`(date_part('epoch', (timestamp '1970-01-01' + make_interval(secs => ${beginSeconds})) at time zone ${timeZone}) * 1000)`
}

/**
 * Reads one property step by step. Raw values may exceed the limit by one, which tells the caller that there are more.
 */
export async function readHistory(db: Db, query: HistoryQuery): Promise<DeviceHistory> {
  const { step, isNumber } = query
  const propertyCondition = sql`project_id = ${query.projectId} and device_id = ${query.id} and identifier = ${query.identifier}`
  const periodCondition = sql`${propertyCondition} and time >= ${new Date(query.from).toISOString()} and time < ${new Date(query.to).toISOString()}`
  const timeMs = sql`round(date_part('epoch', time) * 1000)`
  const stepStart = buildStepStartSql(step, query.timeZone)
  const result: DeviceHistory = {
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
        select ${stepStart} as at, count(*)::integer as count, round(avg(value::float8)::numeric, 4) as avg,
          min(value::float8) as min, max(value::float8) as max
        from property_history where ${periodCondition} and jsonb_typeof(value) = 'number'
        group by 1 order by 1
      ) as step`)
    return fillColumns(result, rows[0]!)
  }
  const { rows } = await db.execute<Columns>(
    sql`select json_agg(at) as times, json_agg(value) as last from (${
      step > 0
        ? sql`select distinct on (at) ${stepStart} as at, value from property_history where ${periodCondition} order by at, time desc`
        : sql`select ${timeMs} as at, value from property_history where ${periodCondition} order by time limit ${maxHistoryPoints + 1}`
    }) as step`,
  )
  const { rows: previousRows } = await db.execute<{ value: Values[string] }>(
    sql`select value from property_history where ${propertyCondition} and time < ${new Date(query.from).toISOString()} order by time desc limit 1`,
  )
  return { ...fillColumns(result, rows[0]!), before: previousRows[0]?.value ?? null }
}

type Columns = {
  [K in 'times' | 'counts' | 'avg' | 'min' | 'max' | 'last']?: DeviceHistory[K] | null
}
/** `json_agg` returns null for no rows, so those columns keep their empty lists. */
const fillColumns = (result: DeviceHistory, columns: Columns): DeviceHistory => ({
  ...result,
  ...Object.fromEntries(Object.entries(columns).filter(([, column]) => column !== null)),
})
