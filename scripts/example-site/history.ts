import { dayMs, hourMs, minuteMs } from '@iot/shared/contract/duration'
import { platformTimeZone, toEpochMs, toZonedDate } from '@iot/shared/contract/timeZone'
import { shiftDate } from '@iot/shared/contract/project/calendarDay'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from 'server/src/core/db/db'
import { device } from 'server/src/tables/device'
import { energyMark } from 'server/src/tables/energy'
import { behaviours } from '../simulate-building/building'
import { getOccupancyShare } from '../simulate-building/occupancy'
import { projectId, type BuildingRows } from '../simulate-building/seed'
import { createRandom, createSensor, getFloorKilowatts } from '../simulate-building/sensors'

const historyDays = 14
const energyDays = 28
/** Recent days have more reports than older ones, because writing them takes most of the time of this site. */
const detailedDays = 3
const detailedStepMs = 30 * minuteMs
const historyStepMs = hourMs
const lampWatts = 40 * 0.8

/** Returns the share of the lamps of a floor that are lit at a moment: a little more than people are there. */
const getLitShare = (momentMs: number) => Math.min(1, getOccupancyShare(momentMs) * 1.1)

export function listHistoryTimes(nowMs: number) {
  const times: number[] = []
  for (
    let momentMs = nowMs - historyDays * dayMs;
    momentMs < nowMs;
    momentMs += momentMs < nowMs - detailedDays * dayMs ? historyStepMs : detailedStepMs
  )
    times.push(momentMs)
  return times
}

type SensorKind = 'climate' | 'presence' | 'meter'
const productTypes: Record<SensorKind, string> = {
  climate: 'CLIMATE_SENSOR',
  presence: 'PRESENCE_SENSOR',
  meter: 'ELECTRICITY_METER',
}

/**
 * Adds what the sensors reported in two weeks, and lets them continue from there. The sensors are those of the
 * simulation; a meter counts on between two reports.
 */
export async function addSensorHistory(tx: Db, { devices, products }: BuildingRows, nowMs: number) {
  const times = listHistoryTimes(nowMs)
  for (const kind of Object.keys(productTypes) as SensorKind[]) {
    const rows: { device: string; identifier: string; time: string; value: unknown }[] = []
    const members = devices.filter(({ productId }) => productId === products[kind].id)
    for (const { id, deviceName } of members) {
      const sensor = createSensor(productTypes[kind], createRandom(`history ${deviceName}`))!
      let values: ReturnType<typeof sensor> = {}
      for (const [index, momentMs] of times.entries()) {
        const elapsedMs = momentMs - (times[index - 1] ?? momentMs)
        const reading = sensor(values, getLitShare(momentMs), momentMs)
        if (kind === 'meter')
          reading.TotalActiveEnergy =
            Math.round(
              (Number(values.TotalActiveEnergy ?? 1200) +
                (Number(reading.ActivePower) * elapsedMs) / hourMs) *
                1000,
            ) / 1000
        for (const [identifier, value] of Object.entries(reading))
          if (kind !== 'presence' || value !== values[identifier])
            rows.push({ device: id!, identifier, time: new Date(momentMs).toISOString(), value })
        values = reading
      }
      await tx.update(device).set({ reported: values }).where(eq(device.id, id!))
    }
    await tx.execute(sql`
      insert into property_history (project_id, device_id, identifier, time, value)
      select ${projectId}::integer, device, identifier, time, value
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as new(device uuid, identifier text, time timestamptz, value jsonb)
      on conflict do nothing`)
  }
}

/**
 * Switches the lamps as people would have left them: corridors are lit, and rooms while somebody is there. The
 * simulation continues from there.
 */
export async function setLamps(tx: Db, { devices, products, spaces }: BuildingRows, nowMs: number) {
  const random = createRandom('lamps')
  const presenceRows = await tx
    .select({ spaceId: device.spaceId, reported: device.reported })
    .from(device)
    .where(eq(device.productId, products.presence.id))
  const occupiedBySpace = new Map(
    presenceRows.map(({ spaceId, reported }) => [spaceId, reported.PresenceState === 1]),
  )
  const litSpaceIds = spaces
    .filter(({ id, name }) =>
      /走廊|电梯厅/.test(name) ? true : (occupiedBySpace.get(id!) ?? random() < getLitShare(nowMs)),
    )
    .map(({ id }) => id!)
  const darkLampIds = devices
    .filter(
      (row) =>
        row.productId === products.lamp.id && !row.protected && !litSpaceIds.includes(row.spaceId!),
    )
    .map(({ id }) => id!)
  if (darkLampIds.length === 0) return
  await tx
    .update(device)
    .set({ reported: { PowerSwitch: 0, Brightness: 80 } })
    .where(inArray(device.id, darkLampIds))
}

/** Returns the hours that lamps are lit and the energy of a floor's meter, for one day until a moment. */
function summarizeDay(startMs: number, endMs: number) {
  let litHours = 0
  let meterKilowattHours = 0
  for (let momentMs = startMs; momentMs < endMs; momentMs += hourMs) {
    const hours = Math.min(hourMs, endMs - momentMs) / hourMs
    const litShare = getLitShare(momentMs)
    litHours += litShare * hours
    meterKilowattHours +=
      getFloorKilowatts(litShare, getOccupancyShare(momentMs), () => 0.5) * hours
  }
  return { hours: (endMs - startMs) / hourMs, litHours, meterKilowattHours }
}

/** Adds the energy of the last weeks per device and day, the running count of lamps, and the marks of yesterday. */
export async function addEnergy(tx: Db, { devices, products }: BuildingRows, nowMs: number) {
  const today = toZonedDate(nowMs, platformTimeZone)
  const lamps = devices.filter(
    ({ productId, deviceName }) =>
      productId === products.lamp.id && behaviours[deviceName]?.kind !== 'absent',
  )
  const meters = devices.filter(({ productId }) => productId === products.meter.id)
  const random = createRandom('energy')
  const rows: object[] = []
  for (let age = energyDays; age >= 0; age--) {
    const day = shiftDate(today, -age)
    const startMs = toEpochMs(day, '00:00', platformTimeZone)
    const { hours, litHours, meterKilowattHours } = summarizeDay(
      startMs,
      Math.min(nowMs, startMs + dayMs),
    )
    for (const { id } of lamps) {
      const onHours = Math.min(hours, litHours * (0.85 + 0.3 * random()))
      rows.push({
        device: id,
        day,
        on: Math.round(onHours * 3600),
        off: Math.round((hours - onHours) * 3600),
        reckoned: Math.round(onHours * lampWatts),
      })
    }
    for (const { id } of meters)
      rows.push({
        device: id,
        day,
        on: 0,
        off: 0,
        measured: Math.round(meterKilowattHours * 1000 * (0.9 + 0.2 * random())),
      })
  }
  await tx.execute(sql`
    insert into energy_day (project_id, device_id, day, on_seconds, off_seconds, reckoned, measured)
    select ${projectId}::integer, device, day, "on", off, reckoned, measured
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as new(device uuid, day date, "on" float8, off float8, reckoned float8, measured float8)`)
  const lives = lamps.map(({ id }) => ({
    device: id,
    life: Math.round(2000 + 4000 * random()) * 3600,
  }))
  await tx.execute(sql`
    insert into energy_run (project_id, device_id, since, look, is_measured, life_seconds)
    select ${projectId}::integer, device, ${new Date(nowMs).toISOString()}::timestamptz, 'unknown', false, life
    from jsonb_to_recordset(${JSON.stringify(lives)}::jsonb) as new(device uuid, life float8)`)
  await addMarks(tx, today, nowMs, meters.length)
}

const markStepMs = 10 * minuteMs
/** Home compares today with yesterday at the same time, for which it needs yesterday's course. */
async function addMarks(tx: Db, today: string, nowMs: number, floorCount: number) {
  const startMs = toEpochMs(shiftDate(today, -1), '00:00', platformTimeZone)
  const marks: (typeof energyMark.$inferInsert)[] = []
  let dayStartMs = startMs
  for (let momentMs = startMs + markStepMs; momentMs < nowMs; momentMs += markStepMs) {
    if (momentMs - dayStartMs >= dayMs) dayStartMs += dayMs
    marks.push({
      projectId,
      time: new Date(momentMs).toISOString(),
      wattHours: Math.round(
        summarizeDay(dayStartMs, momentMs).meterKilowattHours * 1000 * floorCount,
      ),
    })
  }
  await tx.insert(energyMark).values(marks).onConflictDoNothing()
}
