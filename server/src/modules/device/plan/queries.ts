import { dayMs, getPastTime } from '@iot/shared/contract/duration'
import type { DeviceState, FloorMeasure } from '@iot/shared/contract/device/device.schema'
import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import { and, asc, desc, eq, inArray, isNotNull, or, sql, type SQL } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../core/db/db'
import { readPage } from '../../../core/db/page'
import { contains, whereIdIn } from '../../../core/db/rows'
import { compactColumn } from '../../../core/db/searchIndexes'
import { controlLedger } from '../../../tables/control'
import { device, product } from '../../../tables/device'
import { productType } from '../../../tables/productType'
import { space } from '../../../tables/space'
import { taskAuthorName } from '../../../tables/personName'
import { task } from '../../../tables/task'
import { createPinyinPattern } from './pinyin'

export type SearchWord = { text: string; spaceIds: string[] }
/** At most this many devices are recognised in one sentence. */
const maxMentionedDevices = 50

/** Reads what the floor plans and the overview of a project show. */
const deviceOverviewQueries = (db: Db) => ({
  listProductTypes: () =>
    db
      .select()
      .from(productType)
      .where(eq(productType.status, 'enabled'))
      .orderBy(asc(productType.sort), asc(productType.id)),
  /** Lists devices that have a position on a floor plan. */
  listPlaced(scope: 'all' | number[], floorId?: string, maxRows?: number) {
    const rows = db
      .select(mapColumns)
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(
        and(
          scope === 'all' ? undefined : inArray(device.projectId, scope),
          floorId ? eq(device.floorId, floorId) : undefined,
          ...placedConditions,
        ),
      )
    return maxRows === undefined ? rows : rows.limit(maxRows)
  },
  /** @param scopeCondition condition that limits the devices */
  countByType: (projectId: number, scopeCondition?: SQL) =>
    db
      .select({
        productType: product.productType,
        typeName: sql<string>`coalesce(min(${productType.name}), case when count(distinct ${product.id}) = 1 then min(${product.name}) end, ${product.productType})`,
        online: countInState('online'),
        offline: countInState('offline'),
        inactive: countInState('inactive'),
        disabled: countInState('disabled'),
      })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .leftJoin(productType, eq(productType.code, product.productType))
      .where(and(eq(device.projectId, projectId), scopeCondition))
      .groupBy(product.productType)
      .orderBy(desc(sql`count(*)`), asc(product.productType)),
  listSpaces: (projectId: number) =>
    db
      .select({ id: space.id, parentId: space.parentId, name: space.name })
      .from(space)
      .where(eq(space.projectId, projectId)),
  /**
   * Averages temperature and humidity and sums power per floor over online devices; only electricity meters count as
   * power.
   */
  async measureFloors(projectId: number): Promise<FloorMeasure[]> {
    const { rows } = await db.execute<FloorMeasure>(sql`
      select floor_id as "floorId",
        round(avg((reported ->> 'CurrentTemperature')::numeric), 1)::float8 as temperature,
        round(avg((reported ->> 'CurrentHumidity')::numeric), 0)::float8 as humidity,
        round(sum((reported ->> 'ActivePower')::numeric) filter (where product.product_type = 'ELECTRICITY_METER'), 1)::float8 as power
      from device join product on product.id = device.product_id
      where project_id = ${projectId} and state = 'online' and floor_id is not null
        and (jsonb_typeof(reported -> 'CurrentTemperature') = 'number'
          or jsonb_typeof(reported -> 'ActivePower') = 'number')
      group by floor_id`)
    return rows
  },
})

const deviceSearchQueries = (db: Db) => ({
  /** Finds devices that match each word by name or by location; those that match all words by name come first. */
  async search(projectId: number, words: SearchWord[], pageSize: number) {
    const nameConditions: SQL[] = []
    const wordConditions: SQL[] = []
    for (const { text, spaceIds } of words) {
      const pattern = await createPinyinPattern(text)
      const nameCondition = or(
        contains(device.name, text),
        contains(device.deviceName, text),
        pattern === undefined ? undefined : sql`${compactColumn(device.name)} ~ ${pattern}`,
      )!
      nameConditions.push(nameCondition)
      wordConditions.push(
        or(nameCondition, spaceIds.length > 0 ? inArray(device.spaceId, spaceIds) : undefined)!,
      )
    }
    const where = and(eq(device.projectId, projectId), ...wordConditions)
    return readPage(db, device, where, { pageNo: 1, pageSize }, ({ limit }) =>
      db
        .select(searchColumns)
        .from(device)
        .innerJoin(product, eq(product.id, device.productId))
        .where(where)
        .orderBy(sql`(${and(...nameConditions)}) desc`, asc(device.name), asc(device.id))
        .limit(limit),
    )
  },
  /** Lists devices whose name or DeviceName occurs in a sentence, ignoring case, letter width and white space. */
  findMentioned(projectId: number, sentence: string) {
    const foldSql = (text: SQL | PgColumn) =>
      sql`lower(regexp_replace(normalize(${text}, NFKC), '\\s', '', 'g'))`
    const occursInSentence = (column: PgColumn) =>
      sql`position(${foldSql(column)} in ${foldSql(sql`${sentence}::text`)}) > 0`
    return db
      .select(searchColumns)
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(
        and(
          eq(device.projectId, projectId),
          or(occursInSentence(device.name), occursInSentence(device.deviceName)),
        ),
      )
      .orderBy(sql`length(${device.name}) desc`, asc(device.id))
      .limit(maxMentionedDevices)
  },
})

/** Reads what the card of one device shows. */
const deviceCardQueries = (db: Db) => ({
  async findCard(id: string) {
    const gateway = alias(device, 'gateway')
    const [row] = await db
      .select({
        id: device.id,
        projectId: device.projectId,
        productName: product.name,
        ratedPower: product.ratedPower,
        model: product.model,
        gatewayName: gateway.name,
        gatewayState: gateway.state,
      })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .leftJoin(
        gateway,
        and(eq(gateway.projectId, device.projectId), eq(gateway.id, device.gatewayId)),
      )
      .where(eq(device.id, id))
    return row
  },
  /** Returns the last command of the device, its user and its outcome. */
  async findLastCommand(projectId: number, deviceId: string) {
    const [row] = await db
      .select({
        title: task.title,
        createBy: task.createBy,
        createByName: taskAuthorName,
        state: controlLedger.state,
        reason: controlLedger.reason,
        time: task.createTime,
      })
      .from(controlLedger)
      .innerJoin(task, eq(task.id, controlLedger.taskId))
      .where(and(eq(controlLedger.projectId, projectId), eq(controlLedger.deviceId, deviceId)))
      .orderBy(desc(controlLedger.taskId))
      .limit(1)
    return row ?? null
  },
  /**
   * Returns when the switch took the value that the device last reported: the first record after the last one with
   * another value.
   */
  async findSwitchTime(projectId: number, deviceId: string) {
    const recordsOfSwitch = sql`from property_history as record
      where record.project_id = ${projectId} and record.device_id = ${deviceId}
        and record.identifier = ${lightSwitchIdentifier}`
    const { rows } = await db.execute<{ time: string | null }>(sql`
      select min(record.time) as time ${recordsOfSwitch} and record.time > (
        select max(record.time) ${recordsOfSwitch} and record.value <> (
          select reported -> ${lightSwitchIdentifier} from device
          where project_id = ${projectId} and id = ${deviceId}))`)
    const time = rows[0]?.time
    return time ? new Date(time).toISOString() : null
  },
  listModels: (projectId: number, deviceIds: string[]) =>
    db
      .select({ id: device.id, model: product.model })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(and(eq(device.projectId, projectId), whereIdIn(device.id, deviceIds))),
  async averageHistory(projectId: number, deviceId: string, identifier: string) {
    const since = getPastTime(dayMs)
    const { rows } = await db.execute<{ time: string; value: number }>(sql`
      select date_bin('15 minutes', time, '2001-01-01') as time, avg(value::text::float8) as value
      from property_history
      where project_id = ${projectId} and device_id = ${deviceId} and identifier = ${identifier}
        and time > ${since}::timestamptz and jsonb_typeof(value) = 'number'
      group by 1 order by 1`)
    return rows.map(({ time, value }) => ({
      time: new Date(time).toISOString(),
      value: Math.round(Number(value) * 100) / 100,
    }))
  },
})

export const deviceQueries = (db: Db) => ({
  ...deviceOverviewQueries(db),
  ...deviceSearchQueries(db),
  ...deviceCardQueries(db),
})

export type FoundRow = Awaited<
  ReturnType<ReturnType<typeof deviceQueries>['findMentioned']>
>[number]
export type PlacedRow = Awaited<ReturnType<ReturnType<typeof deviceQueries>['listPlaced']>>[number]

const countInState = (state: DeviceState) =>
  sql<number>`count(*) filter (where ${device.state} = ${state})`.mapWith(Number)
const placedConditions = [isNotNull(device.x), isNotNull(device.y), isNotNull(device.floorId)]
const mapColumns = {
  id: device.id,
  name: device.name,
  productType: product.productType,
  spaceId: device.spaceId,
  floorId: device.floorId,
  x: device.x,
  y: device.y,
  protected: device.protected,
  state: device.state,
  reported: device.reported,
  reportedTime: device.reportedTime,
  stale: device.stale,
  desired: device.desired,
}
const searchColumns = { ...mapColumns, deviceName: device.deviceName }
