import { hourSeconds } from '@iot/shared/contract/duration'
import type {
  EnergyArea,
  EnergyLamp,
  EnergySource,
} from '@iot/shared/contract/control/energy.schema'
import { replaceSoonPercent } from '@iot/shared/contract/control/energy'
import { lightSwitchIdentifier, lightProductType } from '@iot/shared/contract/control/light'
import { createTree, formatTreePath, type TreeRow } from '@iot/shared/contract/tree'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { createFieldRefusal } from '../../core/refusal'
import type { Db } from '../../core/db/db'
import type { PageQuery } from '../../core/db/page'
import { energyRun } from '../../tables/energy'

type Range = { from: string; to: string }
type LampQuery = PageQuery &
  Range & {
    projectId: number
    spaceId?: string
    name?: string
    life?: 'due' | 'soon'
    sort?: string
  }

/** What a lamp has run since it was last replaced; `life` is null if it has never reported. */
export type LampRun = {
  id: string
  name: string
  life: number | null
  replacedTime: string | null
  replacedBy: string
}

const maxListedMeters = 100
const toIsoTime = (time: string | null) => time && new Date(time).toISOString()

const isSwitched = sql`d.reported ? ${lightSwitchIdentifier}`
const isLight = sql`d.product_id in (select id from product where product_type = ${lightProductType})`
/** A lamp is a light that has reported its switch; other devices with a switch are no lamps. */
const isLamp = sql`(${isLight} and ${isSwitched})`
const isMeter = sql`not (${isLight} or ${isSwitched})`

/**
 * SQL for the energy per floor and day: the sum of its meters if they reported that day, else of the switched devices.
 */
export const selectFloorEnergy = (where: SQL) => sql`
  select e.project_id, e.day, d.floor_id,
    coalesce(sum(e.measured) filter (where ${isMeter}), sum(e.measured)) as measured,
    case when sum(e.measured) filter (where ${isMeter}) is null then sum(e.reckoned) end as reckoned
  from energy_day e join device d on d.project_id = e.project_id and d.id = e.device_id
  where ${where} group by e.project_id, e.day, d.floor_id`
/** SQL for the seconds of a range that have passed since the device was registered. */
const elapsedSeconds = (projectId: number, { from, to }: Range) => {
  const zone = sql`(select time_zone from project where id = ${projectId})`
  return sql`greatest(0, extract(epoch from least(now(), (${to}::date + 1)::timestamp at time zone ${zone})
    - greatest(d.create_time, ${from}::date::timestamp at time zone ${zone})))::float8`
}

/** Energy in watt-hours; a sum is null only if all its parts are unknown. */
export type EnergyFigure = { wattHours: number | null; source: EnergySource }
export function sumFigures(figures: EnergyFigure[]): EnergyFigure {
  const knownFigures = figures.filter(({ wattHours }) => wattHours !== null)
  if (knownFigures.length === 0) return { wattHours: null, source: 'none' }
  const sources = new Set(knownFigures.map(({ source }) => source))
  return {
    wattHours: knownFigures.reduce((sum, { wattHours }) => sum + wattHours!, 0),
    source: sources.size === 1 ? [...sources][0]! : 'mixed',
  }
}
const toFigure = (measured: number | null, reckoned: number | null) =>
  sumFigures([
    { wattHours: measured, source: 'measured' },
    { wattHours: reckoned, source: 'reckoned' },
  ])

type Sums = { measured: number | null; reckoned: number | null }
type FloorDay = Sums & { day: string; floorId: string | null }
type SpaceSums = Sums & {
  spaceId: string | null
  floorId: string | null
  lamps: number
  on: number
  unknown: number
}

export const energyQueries = (db: Db) => ({
  async floorDays(projectId: number, { from, to }: Range): Promise<FloorDay[]> {
    const { rows } = await db.execute<FloorDay>(sql`
      select day::text as day, floor_id as "floorId", measured, reckoned
      from (${selectFloorEnergy(sql`e.project_id = ${projectId} and e.day between ${from}::date and ${to}::date`)}) as floor`)
    return rows
  },
  async spaces(projectId: number, range: Range): Promise<SpaceSums[]> {
    const { rows } = await db.execute<SpaceSums>(sql`
      select d.space_id as "spaceId", d.floor_id as "floorId", count(*)::int as lamps,
        sum(coalesce(e.on_seconds, 0)) as on,
        sum(greatest(0, ${elapsedSeconds(projectId, range)} - coalesce(e.on_seconds, 0) - coalesce(e.off_seconds, 0))) as unknown,
        sum(e.measured) as measured, sum(e.reckoned) as reckoned
      from device d left join (${selectRangeSums(projectId, range)}) e on e.device_id = d.id
      where d.project_id = ${projectId} and ${isLamp}
      group by d.space_id, d.floor_id`)
    return rows
  },
  async lifeCounts(projectId: number) {
    const { rows } = await db.execute<{ due: number; soon: number }>(sql`
      select (count(*) filter (where used >= 100))::int as due,
        (count(*) filter (where used >= ${replaceSoonPercent} and used < 100))::int as soon
      from (select ${usedPercent} as used from energy_run r
        join device d on d.project_id = r.project_id and d.id = r.device_id join product p on p.id = d.product_id
        where r.project_id = ${projectId} and ${isLamp}) as lamp`)
    return rows[0]!
  },
  async doubtfulMeterNames(projectId: number) {
    const { rows } = await db.execute<{ name: string }>(sql`
      select d.name from energy_run r join device d on d.project_id = r.project_id and d.id = r.device_id
      where r.project_id = ${projectId} and r.doubtful_counter is not null order by d.name, d.id limit ${maxListedMeters}`)
    return rows.map(({ name }) => name)
  },
  async lamps({
    projectId,
    spaceId,
    name,
    life,
    sort = '-used',
    pageNo,
    pageSize,
    ...range
  }: LampQuery) {
    const column = sortColumns[sort.replace(/^-/, '')]
    if (!column) throw createFieldRefusal('sort', '不能按此列排序')
    const spaceIds = spaceId
      ? [...createTree(await readSpaces(db, projectId)).within(spaceId)]
      : undefined
    const conditions = [
      sql`d.project_id = ${projectId} and ${isLamp}`,
      spaceIds &&
        sql`d.space_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(spaceIds)}::jsonb))`,
      name && sql`strpos(lower(d.name), lower(${name})) > 0`,
      life === 'due' && sql`${usedPercent} >= 100`,
      life === 'soon' && sql`${usedPercent} >= ${replaceSoonPercent} and ${usedPercent} < 100`,
    ].filter((candidate) => typeof candidate === 'object')
    const direction = sort.startsWith('-') ? sql`desc nulls last` : sql`asc nulls last`
    const { rows } = await db.execute<Lamp>(sql`
      select d.id, d.name, d.space_id as "spaceId", d.floor_id as "floorId", p.name as "productName",
        p.rated_power as "ratedPower", p.rated_life_hours as "ratedLifeHours",
        e.measured, e.reckoned, coalesce(e.on_seconds, 0) as on,
        greatest(0, ${elapsedSeconds(projectId, range)} - coalesce(e.on_seconds, 0) - coalesce(e.off_seconds, 0)) as unknown,
        coalesce(r.life_seconds, 0) as life, ${usedPercent} as used,
        r.replaced_time as "replacedTime", coalesce(r.replaced_by, '') as "replacedBy", (count(*) over ())::int as total
      from device d join product p on p.id = d.product_id
        left join energy_run r on r.project_id = d.project_id and r.device_id = d.id
        left join (${selectRangeSums(projectId, range)}) e on e.device_id = d.id
      where ${sql.join(conditions, sql` and `)}
      order by ${column} ${direction}, d.name, d.id limit ${pageSize} offset ${(pageNo - 1) * pageSize}`)
    const tree = createTree(await readSpaces(db, projectId))
    const list = rows.map((row): EnergyLamp => ({
      id: row.id,
      name: row.name,
      place: formatTreePath(tree, row.spaceId ?? row.floorId),
      productName: row.productName,
      ratedPower: row.ratedPower,
      ...roundFigure(toFigure(row.measured, row.reckoned)),
      onHours: toHours(row.on),
      unknownHours: toHours(row.unknown),
      lifeHours: toHours(row.life),
      ratedLifeHours: row.ratedLifeHours,
      // The percentage is rounded down, so that a lamp below its rated life never shows 100.
      used: row.used === null ? null : Math.floor(row.used * 10) / 10,
      replacedTime: toIsoTime(row.replacedTime),
      replacedBy: row.replacedBy,
    }))
    return { list, total: rows[0]?.total ?? 0 }
  },
  spaceRows: (projectId: number) => readSpaces(db, projectId),
  /** Serialises two users who record the replacement of the same lamps. */
  lockRuns: (projectId: number, ids: string[]) =>
    db
      .select({ id: energyRun.deviceId })
      .from(energyRun)
      .where(and(eq(energyRun.projectId, projectId), inArray(energyRun.deviceId, ids)))
      .orderBy(energyRun.deviceId)
      .for('update'),
  lampNames: async (projectId: number, ids: string[]): Promise<LampRun[]> => {
    const { rows } = await db.execute<LampRun>(sql`
      select d.id, d.name, r.life_seconds as life, r.replaced_time as "replacedTime",
        coalesce(r.replaced_by, '') as "replacedBy"
      from device d
        left join energy_run r on r.project_id = d.project_id and r.device_id = d.id
      where d.project_id = ${projectId} and ${isLamp}
        and d.id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`)
    return rows.map((row) => ({ ...row, replacedTime: toIsoTime(row.replacedTime) }))
  },
  replace: (projectId: number, ids: string[], lifeSeconds: number, by: string) =>
    db
      .update(energyRun)
      .set({ lifeSeconds, replacedTime: sql`now()`, replacedBy: by })
      .where(and(eq(energyRun.projectId, projectId), inArray(energyRun.deviceId, ids))),
})

type Lamp = Sums & {
  id: string
  name: string
  spaceId: string | null
  floorId: string | null
  productName: string
  ratedPower: number | null
  ratedLifeHours: number | null
  on: number
  unknown: number
  life: number
  used: number | null
  replacedTime: string | null
  replacedBy: string
  total: number
}
const selectRangeSums = (projectId: number, { from, to }: Range) => sql`
  select device_id, sum(on_seconds) as on_seconds, sum(off_seconds) as off_seconds,
    sum(reckoned) as reckoned, sum(measured) as measured
  from energy_day where project_id = ${projectId} and day between ${from}::date and ${to}::date group by device_id`
const usedPercent = sql`(r.life_seconds / 36.0 / nullif(p.rated_life_hours, 0))`
const sortColumns: Record<string, ReturnType<typeof sql>> = {
  used: usedPercent,
  name: sql`d.name`,
  onHours: sql`e.on_seconds`,
  lifeHours: sql`r.life_seconds`,
  wattHours: sql`coalesce(e.measured, e.reckoned)`,
}
const toHours = (seconds: number) => Math.round((seconds / hourSeconds) * 10) / 10
const roundFigure = ({ wattHours, source }: EnergyFigure): EnergyFigure => ({
  wattHours: wattHours === null ? null : Math.round(wattHours * 10) / 10,
  source,
})

type SpaceRow = TreeRow & { name: string; type: string; sort: number }
async function readSpaces(db: Db, projectId: number) {
  const { rows } = await db.execute<SpaceRow>(sql`
    select id, parent_id as "parentId", name, type, sort from space where project_id = ${projectId} order by sort, id`)
  return rows
}

/** Sums energy and lamp hours per space; a space above floors is the sum of its floors. */
export function summarizeAreas(spaces: SpaceRow[], floorDays: FloorDay[], sums: SpaceSums[]) {
  const tree = createTree(spaces)
  const toFloorFigure = (row: FloorDay) => toFigure(row.measured, row.reckoned)
  const days = [...new Set(floorDays.map(({ day }) => day))].sort()
  const byDay = days.map((day) => ({
    day,
    ...roundFigure(sumFigures(floorDays.filter((row) => row.day === day).map(toFloorFigure))),
  }))
  const area = (
    id: string,
    parentId: string,
    name: string,
    ids?: ReadonlySet<string>,
  ): EnergyArea => {
    const isInArea = (spaceId: string | null, floorId: string | null) =>
      !ids || ids.has(spaceId ?? floorId ?? '') || (!spaceId && !!floorId && ids.has(floorId))
    const areaSums = sums.filter((row) => isInArea(row.spaceId, row.floorId))
    const lamps = sumFigures(areaSums.map((row) => toFigure(row.measured, row.reckoned)))
    // A meter counts for its whole floor, so a room is the sum of its lamps.
    const floors = floorDays.filter(({ floorId }) => !ids || (floorId !== null && ids.has(floorId)))
    const hasFloor = !ids || floors.length > 0
    return {
      id,
      parentId,
      name,
      ...roundFigure(hasFloor ? sumFigures(floors.map(toFloorFigure)) : lamps),
      lampWattHours: roundFigure(lamps).wattHours,
      lamps: areaSums.reduce((sum, row) => sum + row.lamps, 0),
      onHours: toHours(areaSums.reduce((sum, row) => sum + row.on, 0)),
      unknownHours: toHours(areaSums.reduce((sum, row) => sum + row.unknown, 0)),
    }
  }
  const areas = [
    area('', '', '整个项目'),
    ...spaces.map(({ id, parentId, name }) =>
      area(id, parentId ?? '', name, new Set(tree.within(id))),
    ),
  ]
  return {
    days: byDay,
    areas: areas.filter(({ lamps, wattHours }) => lamps > 0 || wattHours !== null),
  }
}
