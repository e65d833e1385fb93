import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import { platformTimeZone } from '@iot/shared/contract/timeZone'
import { sql, type SQL } from 'drizzle-orm'
import { transaction, type Db } from '../../core/db/db'

const powerIdentifier = 'ActivePower'
export const energyCounter = 'TotalActiveEnergy'
const counterIdentifier = energyCounter
const maxRowsPerBatch = 2000
/** A count that dropped is a new one after it has risen for this many minutes, because wrong readings end sooner. */
const newCountMinutes = 30
/** A rise of more kWh between two readings is a wrong reading; 10 MW use this in four days. */
const maxRiseKwh = 1_000_000
/** From zero a count rises by at most this many kWh, because gateways report 0 until they have read the meter. */
const maxRiseFromZeroKwh = 1000

/** SQL for one field of a property's specification in the product model. */
const readSpec = (identifier: string, name: string) =>
  sql`(select one -> 'dataType' -> 'specs' ->> ${name} from jsonb_array_elements(p.model -> 'properties') as one
    where one ->> 'identifier' = ${identifier} limit 1)`
const readNumber = (identifier: string) =>
  sql`case when jsonb_typeof(d.reported -> ${identifier}) = 'number' and not d.stale ? ${identifier} then (d.reported ->> ${identifier})::float8 end`
const isOnline = sql`d.state = 'online'`
const switchValue = sql`d.reported ->> ${lightSwitchIdentifier}`
const lightState = sql`case when ${isOnline} and d.reported ? ${lightSwitchIdentifier} and not d.stale ? ${lightSwitchIdentifier}
  then case when ${switchValue} = '1' then 'on' else 'off' end else 'unknown' end`
const reportedWatts = sql`case when ${isOnline} then ${readNumber(powerIdentifier)} * case when lower(${readSpec(powerIdentifier, 'unit')}) = 'kw' then 1000 else 1 end end`
/** SQL for the brightness as a share of its maximum; a lamp without dimming counts as full. */
const brightnessShare = sql`least(1, greatest(0, coalesce(${readNumber('Brightness')} / nullif(${readSpec('Brightness', 'max')}::float8, 0), 1)))`
const currentWatts = sql`coalesce(${reportedWatts}, case ${lightState} when 'on' then p.rated_power * ${brightnessShare} when 'off' then 0 end)`
const isMeasured = sql`${reportedWatts} is not null`
const counterReading = sql`case when jsonb_typeof(d.reported -> ${counterIdentifier}) = 'number' then (d.reported ->> ${counterIdentifier})::float8 end`

/** SQL condition that a counter reading continues an earlier one; null if either is unknown. */
const continues = (reading: SQL, earlier: SQL) =>
  sql`${reading} between ${earlier} and ${earlier} + case when ${earlier} = 0 then ${maxRiseFromZeroKwh}::float8 else ${maxRiseKwh}::float8 end`

/**
 * SQL columns that judge the new counter reading of a row: `count_kwh` was used since the last settlement, and the other
 * columns are stored. A reading that does not continue the former count is doubtful and adds nothing. If the former
 * count returns, its readings continue; if the doubtful readings go on rising, they are a new count.
 */
const judgedCounter = (now: SQL) => {
  const isContinued = sql`coalesce(${continues(sql`new_counter`, sql`counter`)}, false)`
  const isRising = sql`new_counter > doubtful_counter and ${continues(sql`new_counter`, sql`doubtful_counter`)}`
  const isNewCount = sql`coalesce(${isRising} and doubtful_since <= ${now} - make_interval(mins => ${newCountMinutes}::int), false)`
  const isSettled = sql`(counter is null or ${isContinued} or ${isNewCount})`
  const hasUnsettled = continues(sql`last_counter`, sql`counter`)
  return sql`
    case when ${isContinued} then new_counter - counter when ${isNewCount} then new_counter - doubtful_counter
      when ${hasUnsettled} then last_counter - counter end as count_kwh,
    case when new_counter is not null and ${isSettled} then new_counter when ${hasUnsettled} then last_counter else counter end as next_counter,
    case when new_counter is null or ${isRising} then doubtful_counter else new_counter end as next_doubtful,
    case when new_counter is null or ${isRising} then doubtful_since else ${now} end as next_doubtful_since,
    new_counter is not null and ${isSettled} as is_settled`
}

type SettleOptions = {
  /** No process received reports since the last settlement, so only meter readings count. */
  isLost?: boolean
  /** Limits the settlement to devices that were last settled before this moment. */
  before?: Date
  /** Last counter reading in kWh before a counter was reset, by device id. */
  lastCounters?: ReadonlyMap<string, number>
}

/**
 * Adds the time and energy of each device since its last settlement to its days, up to `settleTime`, and starts a new interval
 * from its current state. A repeated or concurrent settlement counts once, because each interval row is locked and
 * begins where the last one ended. Time in an unknown state is added to no column.
 * @param condition condition on `device d` that selects the devices to settle or to start
 * @returns number of settled devices, at most one batch
 */
export async function settleBatch(
  db: Db,
  settleTime: Date,
  condition: SQL,
  { isLost = false, before = settleTime, lastCounters = new Map() }: SettleOptions = {},
): Promise<number> {
  const now = sql`${settleTime.toISOString()}::timestamptz`
  const isKnown = isLost ? sql`false` : sql`true`
  const lastCounter = sql`(${JSON.stringify(Object.fromEntries(lastCounters))}::jsonb ->> d.id::text)::float8`
  return transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(sql`
      with due as (
        select r.project_id, r.device_id, r.since, r.look, r.watts, r.is_measured, r.counter, r.doubtful_counter, r.doubtful_since,
          ${lightState} as new_look, ${currentWatts} as new_watts, ${isMeasured} as new_measured, ${counterReading} as new_counter,
          ${lastCounter} as last_counter, coalesce(j.time_zone, ${platformTimeZone}) as zone
        from energy_run r join device d on d.project_id = r.project_id and d.id = r.device_id
          join product p on p.id = d.product_id left join project j on j.id = r.project_id
        where r.since < ${before.toISOString()}::timestamptz and (${condition})
        order by r.project_id, r.device_id limit ${maxRowsPerBatch} for update of r
      ), judged as (
        select due.*, ${judgedCounter(now)} from due
      ), part as (
        select judged.*, day::date as day,
          extract(epoch from least(${now}, (day + interval '1 day') at time zone zone) - greatest(since, day at time zone zone)) as seconds,
          extract(epoch from ${now} - since) as whole
        from judged cross join lateral generate_series(
          date_trunc('day', since at time zone zone), date_trunc('day', ${now} at time zone zone), interval '1 day') as day
      ), added as (
        insert into energy_day as old (project_id, device_id, day, on_seconds, off_seconds, reckoned, measured)
        select project_id, device_id, day,
          case when look = 'on' and ${isKnown} then seconds else 0 end,
          case when look = 'off' and ${isKnown} then seconds else 0 end,
          case when not is_measured and counter is null and ${isKnown} then watts * seconds / 3600 end,
          case when counter is not null then count_kwh * 1000 * seconds / whole
            when is_measured and ${isKnown} then watts * seconds / 3600 end
        from part where seconds > 0
        on conflict (project_id, device_id, day) do update set
          on_seconds = old.on_seconds + excluded.on_seconds,
          off_seconds = old.off_seconds + excluded.off_seconds,
          reckoned = case when coalesce(old.reckoned, excluded.reckoned) is not null then coalesce(old.reckoned, 0) + coalesce(excluded.reckoned, 0) end,
          measured = case when coalesce(old.measured, excluded.measured) is not null then coalesce(old.measured, 0) + coalesce(excluded.measured, 0) end
      )
      update energy_run r set since = ${now}, look = judged.new_look, watts = judged.new_watts, is_measured = judged.new_measured,
        counter = judged.next_counter,
        doubtful_counter = case when not judged.is_settled then judged.next_doubtful end,
        doubtful_since = case when not judged.is_settled then judged.next_doubtful_since end,
        life_seconds = r.life_seconds + case when judged.look = 'on' and ${isKnown} then extract(epoch from ${now} - judged.since) else 0 end
      from judged where r.project_id = judged.project_id and r.device_id = judged.device_id
      returning r.device_id as id`)
    await tx.execute(sql`
      insert into energy_run (project_id, device_id, since, look, watts, is_measured, counter)
      select d.project_id, d.id, ${now}, ${lightState}, ${currentWatts}, ${isMeasured}, ${counterReading}
      from device d join product p on p.id = d.product_id
      where (d.reported ? ${lightSwitchIdentifier} or d.reported ? ${counterIdentifier}) and (${condition})
        and not exists (select 1 from energy_run r where r.project_id = d.project_id and r.device_id = d.id)
      order by d.project_id, d.id limit ${maxRowsPerBatch}
      on conflict do nothing`)
    return rows.length
  })
}

export const whereDeviceIn = (ids: string[]) =>
  sql`d.id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`
export const whereProject = (projectId: number) => sql`d.project_id = ${projectId}`

/** Settles all selected devices in batches. */
export async function settleAll(
  db: Db,
  settleTime: Date,
  condition: SQL,
  options: SettleOptions = {},
) {
  while ((await settleBatch(db, settleTime, condition, options)) === maxRowsPerBatch);
}
