import type { DeviceState, Values } from '@iot/shared/contract/device/device.schema'
import { and, asc, eq, gt, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { groupBy } from '../../core/groupBy'
import { device } from '../../tables/device'
import { describeObservation } from './describe'
import type { CompiledRule, RuleIndex } from './ruleIndex'
import { toDeviceKey, writeStateChanges, type StateChange } from './stateQueries'

const pageSize = 2000
/** Devices are compared in this many parts, so that one that was moved does not cost a reading of all. */
const bucketCount = 256
const deviceBucket = sql<number>`(hashtext(${device.id}::text) & ${sql.raw(String(bucketCount - 1))})`

type StoredState = {
  ruleId: string
  projectId: number
  subjectKey: string
  deviceId: string
  isMet: boolean
  isUnknown: boolean
  /** With all its digits, because it is compared with what is stored then. */
  since: string
  productId: string | null
  spaceId: string | null
  state: DeviceState | null
  reported: Values
  stale: Record<string, number>
}

/** The devices that rules may judge, apart from their places and groups. Project 0 and no product stand for all. */
type JudgedDevices = { isForOffline: boolean; projectId: number; productId: string | null }
const getJudgedDevices = ({ source, projectId, productId }: CompiledRule): JudgedDevices => ({
  isForOffline: source.kind === 'offline',
  projectId,
  productId,
})

const reconcileQueries = (db: Db) => ({
  async listStates() {
    const { rows } = await db.execute<StoredState>(sql`
      select s.rule_id as "ruleId", s.project_id as "projectId", s.subject_key as "subjectKey", s.device_id as "deviceId",
        s.is_met as "isMet", s.since::text as since, s.gap_since is not null as "isUnknown", d.product_id as "productId", d.space_id as "spaceId",
        d.state, d.reported, d.stale
      from alarm_state s left join device d on d.project_id = s.project_id and d.id = s.device_id
      where s.device_id is not null`)
    return rows
  },
  /** Removes conditions of rules that no longer apply and of devices that are deleted. */
  remove: (states: StoredState[]) =>
    db.execute(sql`
      delete from alarm_state s using jsonb_to_recordset(${JSON.stringify(
        states.map(({ ruleId, projectId, subjectKey, since }) => ({
          ruleId,
          projectId,
          subjectKey,
          since,
        })),
      )}::jsonb) as gone("ruleId" uuid, "projectId" integer, "subjectKey" text, since timestamptz)
      where s.project_id = gone."projectId" and s.rule_id = gone."ruleId" and s.subject_key = gone."subjectKey"
        and s.since = gone.since`),
  /** Reads devices in the order of their ids; for offline rules the offline ones alone, otherwise those online. */
  listDevices: (
    { isForOffline, projectId, productId }: JudgedDevices,
    after: string | undefined,
    buckets: number[] | undefined,
  ) =>
    db
      .select({
        id: device.id,
        projectId: device.projectId,
        productId: device.productId,
        spaceId: device.spaceId,
        state: device.state,
        reported: device.reported,
        stale: device.stale,
      })
      .from(device)
      .where(
        and(
          projectId === 0 ? undefined : eq(device.projectId, projectId),
          productId === null ? undefined : eq(device.productId, productId),
          after === undefined ? undefined : gt(device.id, after),
          buckets && inArray(deviceBucket, buckets),
          isForOffline
            ? and(
                eq(device.state, 'offline'),
                or(isNotNull(device.reportedTime), isNotNull(device.onlineTime)),
              )
            : eq(device.state, 'online'),
        ),
      )
      .orderBy(asc(device.id))
      .limit(pageSize),
})

/**
 * Compares all stored conditions with the current values. It finds what a process missed that ended before it could
 * write, and what an edited rule sees differently.
 * @param refreshScopes reads places and groups again, because a device may be in a place that was created a moment ago
 * @returns the number of conditions that it changed or removed
 */
export async function reconcileStates(
  db: Db,
  index: RuleIndex,
  refreshScopes: () => Promise<unknown>,
) {
  const queries = reconcileQueries(db)
  const changes: StateChange[] = []
  const orphanedStates: StoredState[] = []
  const storedStates = await queries.listStates()
  const findRule = (storedState: StoredState) => {
    const rule = index.find(storedState.ruleId)
    const { deviceId: id, productId } = storedState
    // A disabled device reports nothing that could end its incident.
    const isCovered =
      storedState.state &&
      storedState.state !== 'disabled' &&
      rule?.covers({ ...storedState, id, productId: productId! })
    return isCovered ? rule : undefined
  }
  if (!storedStates.every(findRule)) await refreshScopes()
  for (const storedState of storedStates) {
    const rule = findRule(storedState)
    if (!rule) orphanedStates.push(storedState)
    else if (rule.source.kind !== 'event') {
      const observed = {
        state: storedState.state!,
        reported: storedState.reported,
        stale: storedState.stale,
      }
      const signal = rule.judge(observed)
      const isSame =
        signal === 'met'
          ? storedState.isMet && !storedState.isUnknown
          : signal === 'over' && !storedState.isMet && !storedState.isUnknown
      if (!isSame)
        changes.push({
          ruleId: rule.id,
          projectId: storedState.projectId,
          subjectKey: storedState.subjectKey,
          deviceId: storedState.deviceId,
          readSince: storedState.since,
          signal,
          detail: signal === 'met' ? describeObservation(rule, observed) : '',
        })
    }
  }
  if (orphanedStates.length > 0) await queries.remove(orphanedStates)
  if (changes.length > 0) await writeStateChanges(db, changes)
  return orphanedStates.length + changes.length
}

export type Placements = ReadonlyMap<string, ReadonlyMap<number, string>>

/**
 * Returns digests of the places of devices by product and part of its devices. A digest changes when a device is added,
 * moved or removed, whoever writes it.
 */
export async function readPlacements(db: Db): Promise<Placements> {
  const rows = await db
    .select({
      productId: device.productId,
      bucket: deviceBucket,
      digest: sql<string>`sum(hashtext(concat(${device.id}, ${device.projectId}, ${device.spaceId})))::text`,
    })
    .from(device)
    .groupBy(device.productId, deviceBucket)
  const placements = new Map<string, Map<number, string>>()
  for (const { productId, bucket, digest } of rows) {
    const digests = placements.get(productId) ?? new Map<number, string>()
    placements.set(productId, digests.set(bucket, digest))
  }
  return placements
}

/** Returns the parts of a product's devices in which one was added or moved. */
export const findChangedBuckets = (former: Placements, current: Placements, productId: string) =>
  [...(current.get(productId) ?? [])]
    .filter(([bucket, digest]) => former.get(productId)?.get(bucket) !== digest)
    .map(([bucket]) => bucket)

/**
 * Applies rules to the values that are stored, because a value may not change again for a long time. Rules of the same
 * devices read them once.
 * @param buckets only the devices in these parts; without them, all
 * @returns the number of conditions that are met
 */
export async function sweepRules(db: Db, rules: CompiledRule[], buckets?: number[]) {
  const judgingRules = rules.filter(
    ({ source }) => source.kind !== 'event' && source.kind !== 'check',
  )
  const groups = groupBy(judgingRules, (rule) => JSON.stringify(getJudgedDevices(rule)))
  let metCount = 0
  for (const group of groups.values())
    metCount += await sweepDevices(db, getJudgedDevices(group[0]!), group, buckets)
  return metCount
}

async function sweepDevices(
  db: Db,
  judgedDevices: JudgedDevices,
  rules: CompiledRule[],
  buckets?: number[],
) {
  const queries = reconcileQueries(db)
  let metCount = 0
  for (let after: string | undefined; ;) {
    const rows = await queries.listDevices(judgedDevices, after, buckets)
    const changes = rules.flatMap((rule) =>
      rows
        .filter((row) => rule.covers(row) && rule.judge(row) === 'met')
        .map((row) => ({
          ruleId: rule.id,
          projectId: row.projectId,
          subjectKey: toDeviceKey(row.id),
          deviceId: row.id,
          signal: 'met' as const,
          detail: describeObservation(rule, row),
        })),
    )
    if (changes.length > 0) await writeStateChanges(db, changes)
    metCount += changes.length
    if (rows.length < pageSize) return metCount
    after = rows.at(-1)!.id
  }
}
