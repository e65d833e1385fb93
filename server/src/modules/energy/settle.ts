import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import { platformTimeZone } from '@iot/shared/contract/timeZone'
import { sql, type SQL } from 'drizzle-orm'
import { transaction, type Db } from '../../core/db/db'

const powerIdentifier = 'ActivePower'
export const energyCounter = 'TotalActiveEnergy'
const counterIdentifier = energyCounter
const maxRowsPerBatch = 2000

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
        select r.project_id, r.device_id, r.since, r.look, r.watts, r.is_measured, r.counter,
          ${lightState} as new_look, ${currentWatts} as new_watts, ${isMeasured} as new_measured, ${counterReading} as new_counter,
          ${lastCounter} as last_counter, coalesce(j.time_zone, ${platformTimeZone}) as zone
        from energy_run r join device d on d.project_id = r.project_id and d.id = r.device_id
          join product p on p.id = d.product_id left join project j on j.id = r.project_id
        where r.since < ${before.toISOString()}::timestamptz and (${condition})
        order by r.project_id, r.device_id limit ${maxRowsPerBatch} for update of r
      ), part as (
        select due.*, day::date as day,
          extract(epoch from least(${now}, (day + interval '1 day') at time zone zone) - greatest(since, day at time zone zone)) as seconds,
          extract(epoch from ${now} - since) as whole
        from due cross join lateral generate_series(
          date_trunc('day', since at time zone zone), date_trunc('day', ${now} at time zone zone), interval '1 day') as day
      ), added as (
        insert into energy_day as old (project_id, device_id, day, on_seconds, off_seconds, reckoned, measured)
        select project_id, device_id, day,
          case when look = 'on' and ${isKnown} then seconds else 0 end,
          case when look = 'off' and ${isKnown} then seconds else 0 end,
          case when not is_measured and counter is null and ${isKnown} then watts * seconds / 3600 end,
          case when new_counter >= counter then (new_counter - counter) * 1000 * seconds / whole
            when last_counter > counter then (last_counter - counter) * 1000 * seconds / whole
            when counter is null and is_measured and ${isKnown} then watts * seconds / 3600 end
        from part where seconds > 0
        on conflict (project_id, device_id, day) do update set
          on_seconds = old.on_seconds + excluded.on_seconds,
          off_seconds = old.off_seconds + excluded.off_seconds,
          reckoned = case when coalesce(old.reckoned, excluded.reckoned) is not null then coalesce(old.reckoned, 0) + coalesce(excluded.reckoned, 0) end,
          measured = case when coalesce(old.measured, excluded.measured) is not null then coalesce(old.measured, 0) + coalesce(excluded.measured, 0) end
      )
      update energy_run r set since = ${now}, look = due.new_look, watts = due.new_watts, is_measured = due.new_measured,
        counter = coalesce(due.new_counter, due.counter),
        life_seconds = r.life_seconds + case when due.look = 'on' and ${isKnown} then extract(epoch from ${now} - due.since) else 0 end
      from due where r.project_id = due.project_id and r.device_id = due.device_id
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
