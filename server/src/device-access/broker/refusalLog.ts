import { dayMs, getPastTime } from '@iot/shared/contract/duration'
import { createHash } from 'node:crypto'
import type { RefusalReason } from '@iot/shared/contract/device/connectionRefusal.schema'
import { and, desc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { createWriteBehind } from '../../core/db/writeBehind'
import { cutText } from '../../core/cutText'
import { addressGroup, stripIpv4Prefix } from '../../core/http/addressGroup'
import { connectionRefusal as table } from '../../tables/connectionRefusal'
import { product } from '../../tables/device'
import { edgeHost } from '../../tables/deviceRecords'
import { alinkCode, type AlinkError, type Identity } from '../protocol/alink'
import type { KnownDevice } from '../directory'

const flushEveryMs = 1000
/** Maximum distinct refusals between two flushes; further ones in that second are not recorded. */
const maxPending = 500
/** Row limits for registered devices and for unknown names, which a stranger may invent. */
const maxRows = { known: 5_000, unknown: 2_000 }
const retentionDays = 30

export type RefusedConnection = Identity & {
  clientId: string
  address: string
  reason: RefusalReason
  device?: Pick<KnownDevice, 'id' | 'projectId'>
  /** Project of the gateway that logged the device in, if the device does not exist. */
  projectId?: number
}
type Pending = RefusedConnection & {
  kind: string
  count: number
  firstTime: string
  lastTime: string
}

const reasonByCode: Record<number, RefusalReason> = {
  [alinkCode.deviceMissing]: 'unknownDevice',
  [alinkCode.productMissing]: 'unknownProduct',
  [alinkCode.productSignature]: 'wrongProductSecret',
  [alinkCode.alreadyActive]: 'alreadyActive',
  [alinkCode.signMethod]: 'wrongSignMethod',
  [alinkCode.disabled]: 'disabled',
}
/**
 * Maps a registration error to a refusal reason. If a rule refused the device, its registration record holds the
 * details.
 */
export const describeRegistrationError = ({ code }: AlinkError) =>
  reasonByCode[code] ?? 'registration'

/**
 * PostgreSQL stores neither U+0000 nor half a surrogate pair; one such text would keep all rows of its batch from being
 * written.
 */
const toStorableText = (text: string, length: number) =>
  cutText(text, length).replace(/\0|\p{Surrogate}/gu, '\ufffd')

/**
 * Records why connections were refused. Equal refusals share one row with a counter, written once a second, so that a
 * storm costs neither memory nor disk. The oldest rows are deleted first; rows of invented names never displace those
 * of devices.
 */
export function createRefusalLog(db: Db) {
  const writer = createWriteBehind<Pending>({
    name: '接入拒绝',
    delayMs: flushEveryMs,
    retryDelayMs: flushEveryMs,
    maxRows: maxPending,
    // The first refusals of a storm name the devices that caused it.
    keepAtLimit: 'oldest',
    merge: (failed, newer) => ({
      ...newer,
      count: failed.count + newer.count,
      firstTime: failed.firstTime,
    }),
    write: (rows) => writeRefusals(db, rows),
  })

  const counts = new Map<RefusalReason, number>()

  function record(refusal: RefusedConnection) {
    counts.set(refusal.reason, (counts.get(refusal.reason) ?? 0) + 1)
    const time = new Date().toISOString()
    const row = {
      ...refusal,
      address: toStorableText(stripIpv4Prefix(refusal.address), 100),
      productKey: toStorableText(refusal.productKey, 64),
      deviceName: toStorableText(refusal.deviceName, 64),
      clientId: toStorableText(refusal.clientId, 128),
    }
    const key = [row.productKey, row.deviceName, row.reason, addressGroup(row.address)].join('\n')
    const kind = createHash('sha256').update(key).digest('base64url')
    writer.change(kind, (pendingRow) =>
      pendingRow
        ? Object.assign(pendingRow, row, { count: pendingRow.count + 1, lastTime: time })
        : { ...row, kind, count: 1, firstTime: time, lastTime: time },
    )
  }

  /** Returns the newest refusals of a device or a product within the projects of `scope`. */
  async function findNewest(
    filter: { deviceId: string } | { productKey: string },
    scope: 'all' | number[],
    limit = 5,
  ) {
    await writer.flush()
    return db
      .select()
      .from(table)
      .where(
        and(
          'deviceId' in filter
            ? eq(table.deviceId, filter.deviceId)
            : eq(table.productKey, filter.productKey),
          scope === 'all' ? undefined : inArray(table.projectId, scope),
        ),
      )
      .orderBy(desc(table.lastTime))
      .limit(limit)
  }

  /** Returns the failed connections of a device for its page. */
  async function describe(device: { id: string; projectId: number; slowedUntil: string | null }) {
    const { id, projectId, slowedUntil } = device
    const isSlowed = slowedUntil !== null && Date.parse(slowedUntil) > Date.now()
    return {
      slowedUntil: isSlowed ? slowedUntil : null,
      refusals: await findNewest({ deviceId: id }, [projectId]),
    }
  }

  return {
    record,
    /** Refusals since the process started. */
    counts: counts as ReadonlyMap<RefusalReason, number>,
    flush: writer.flush,
    close: writer.close,
    findNewest,
    describe,
  }
}
export type RefusalLog = ReturnType<typeof createRefusalLog>

async function writeRefusals(db: Db, rows: Pending[]) {
  await refineReasons(db, rows)
  await db
    .insert(table)
    .values(
      rows.map(({ device, projectId, ...row }) => ({
        ...row,
        deviceId: device?.id ?? null,
        projectId: device?.projectId ?? projectId ?? null,
      })),
    )
    .onConflictDoUpdate({
      target: table.kind,
      set: {
        count: sql`${table.count} + excluded.count`,
        lastTime: sql`excluded.last_time`,
        address: sql`excluded.address`,
        clientId: sql`excluded.client_id`,
        deviceId: sql`excluded.device_id`,
        projectId: sql`excluded.project_id`,
        reason: sql`excluded.reason`,
      },
    })
  // The counters are stored already and must not be added again if only the clean-up fails.
  await deleteOldRows(db).catch((error) => logError('接入拒绝暂未清理', error))
}

/**
 * Refines the reasons by facts that the connection does not know: an unknown product, or a disabled edge host that
 * was replaced.
 */
async function refineReasons(db: Db, rows: Pending[]) {
  const unknownRows = rows.filter(({ reason }) => reason === 'unknownDevice')
  if (unknownRows.length > 0) {
    const keys = [...new Set(unknownRows.map(({ productKey }) => productKey))]
    const knownProducts = await db
      .select({ productKey: product.productKey })
      .from(product)
      .where(inArray(product.productKey, keys))
    const knownProductKeys = new Set(knownProducts.map(({ productKey }) => productKey))
    for (const row of unknownRows)
      if (!knownProductKeys.has(row.productKey)) row.reason = 'unknownProduct'
  }
  const disabledRows = rows.filter(({ reason, device }) => reason === 'disabled' && device)
  if (disabledRows.length === 0) return
  const ids = disabledRows.map(({ device }) => device!.id)
  const replacedRows = await db
    .select({ id: edgeHost.deviceId })
    .from(edgeHost)
    .where(and(inArray(edgeHost.deviceId, ids), isNotNull(edgeHost.replacedBy)))
  const replacedIds = new Set(replacedRows.map(({ id }) => id))
  for (const row of disabledRows) if (replacedIds.has(row.device!.id)) row.reason = 'replaced'
}

async function deleteOldRows(db: Db) {
  const cutoffTime = getPastTime(retentionDays * dayMs)
  await db.delete(table).where(lt(table.lastTime, cutoffTime))
  for (const [condition, max] of [
    [isNotNull(table.deviceId), maxRows.known],
    [isNull(table.deviceId), maxRows.unknown],
  ] as const) {
    const [lastKeptRow] = await db
      .select({ time: table.lastTime })
      .from(table)
      .where(condition)
      .orderBy(desc(table.lastTime))
      .offset(max)
      .limit(1)
    if (lastKeptRow)
      await db.delete(table).where(and(condition, sql`${table.lastTime} <= ${lastKeptRow.time}`))
  }
}
