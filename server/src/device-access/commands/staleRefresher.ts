import { getBackoffMs } from '@iot/shared/contract/backoff'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { isOwnCredential } from '../credentialJoin'
import { device, deviceCredential } from '../../tables/device'
import type { Identity } from '../protocol/alink'
import type { Commands } from './commands'
import { getCommandTimeouts, type CommandTimeoutOptions } from './timeouts'
import type { States } from '../ingest/deviceStates'
import type { ChangedDevice } from '../ingest/writeDeviceRows'

export type RefreshOptions = Pick<
  CommandTimeoutOptions,
  'staleFirstQueryMs' | 'staleMaxPauseMs'
> & {
  tickMs?: number
  /** A gateway forwards queries one by one over a line that commands need too, so they are limited per gateway. */
  maxPerGatewayPerTick?: number
  maxPerTick?: number
}
type PendingRefresh = {
  attempts: number
  dueMs: number
  /** The gateway is unknown before the first query. */
  gateway?: string
}

/** Returns the pause before an attempt in ms; only the pause before the first one has no jitter. */
export const pauseBeforeAttempt = (
  attempts: number,
  options: RefreshOptions = {},
  random = Math.random(),
) => {
  const { staleFirstQueryMs: firstMs, staleMaxPauseMs: maxMs } = getCommandTimeouts(options)
  return attempts === 0 ? firstMs : getBackoffMs(attempts, { firstMs, maxMs }, random)
}

/**
 * Queries online devices for stale values, with backoff, until they report. The stale value stays visible as unknown,
 * with its time, in the meantime.
 */
export function openStaleRefresher(
  db: Db,
  states: States,
  commands: Pick<Commands, 'get'>,
  options: RefreshOptions = {},
  /** Tells whether this process holds the partition of the device. */
  owns: (identity: Identity) => boolean = () => true,
) {
  const { tickMs = 500, maxPerGatewayPerTick = 16, maxPerTick = 200 } = options
  const pendingRefreshes = new Map<string, PendingRefresh>()
  let timer: { id: NodeJS.Timeout; atMs: number } | undefined
  let runningRefresh: Promise<void> | undefined
  let isClosed = false

  /** Sets the timer for the earliest due device; a timer that fires sooner is kept. */
  function schedule() {
    if (isClosed || runningRefresh || pendingRefreshes.size === 0) return
    let dueMs = Infinity
    for (const pending of pendingRefreshes.values()) dueMs = Math.min(dueMs, pending.dueMs)
    const now = Date.now()
    const atMs = Math.max(now + tickMs, dueMs)
    if (timer && timer.atMs <= atMs) return
    clearTimeout(timer?.id)
    timer = { id: setTimeout(runRefresh, atMs - now), atMs }
  }
  function updatePending(rows: Pick<ChangedDevice, 'id' | 'state' | 'stale'>[]) {
    const dueMs = Date.now() + pauseBeforeAttempt(0, options)
    for (const { id, state, stale } of rows) {
      if (state !== 'online' || Object.keys(stale).length === 0) pendingRefreshes.delete(id)
      else if (!pendingRefreshes.has(id)) pendingRefreshes.set(id, { attempts: 0, dueMs })
    }
    schedule()
  }
  function runRefresh() {
    timer = undefined
    runningRefresh = refreshStale().finally(() => {
      runningRefresh = undefined
      schedule()
    })
  }

  /** Returns the ids of due devices, at most `maxPerGatewayPerTick` for each gateway. */
  function selectDue(now: number) {
    const perGateway = new Map<string, number>()
    const ids: string[] = []
    for (const [id, { dueMs, gateway }] of pendingRefreshes) {
      if (ids.length === maxPerTick) break
      const count = perGateway.get(gateway ?? id) ?? 0
      if (dueMs > now || count >= maxPerGatewayPerTick) continue
      perGateway.set(gateway ?? id, count + 1)
      ids.push(id)
    }
    return ids
  }

  async function refreshStale() {
    const now = Date.now()
    const ids = selectDue(now)
    const rows =
      ids.length > 0 &&
      (await readStale(db, ids).catch((error: unknown) => logError('设备状态暂未询问', error)))
    if (!rows) return
    // Devices that were deleted or have reported in the meantime are missing from the rows.
    const staleIds = new Set(rows.map(({ id }) => id))
    for (const id of ids) if (!staleIds.has(id)) pendingRefreshes.delete(id)
    const perGateway = new Map<string, number>()
    for (const { id, gatewayId, stale, productKey, deviceName } of rows) {
      const identity = { productKey, deviceName }
      const pending = pendingRefreshes.get(id)
      if (!pending) continue
      // The new holder of the partition asks.
      if (!owns(identity)) {
        pendingRefreshes.delete(id)
        continue
      }
      pending.gateway = gatewayId ?? id
      const count = perGateway.get(pending.gateway) ?? 0
      if (count >= maxPerGatewayPerTick) continue
      perGateway.set(pending.gateway, count + 1)
      pending.attempts++
      pending.dueMs = now + pauseBeforeAttempt(pending.attempts, options)
      commands.get(identity, Object.keys(stale))
    }
  }

  states.events.on('changed', updatePending)
  return {
    /**
     * Takes over the devices that are stored as stale, because a former holder may have stopped before they answered,
     * and nothing changes until they do.
     */
    async takeOver() {
      await readStale(db).then(
        (rows) => updatePending(rows.filter(owns)),
        (error: unknown) => logError('设备状态暂未询问', error),
      )
    },
    async close() {
      isClosed = true
      states.events.off('changed', updatePending)
      pendingRefreshes.clear()
      clearTimeout(timer?.id)
      await runningRefresh
    },
  }
}

const readStale = (db: Db, ids?: string[]) =>
  db
    .select({
      id: device.id,
      state: device.state,
      gatewayId: device.gatewayId,
      stale: device.stale,
      productKey: deviceCredential.productKey,
      deviceName: deviceCredential.deviceName,
    })
    .from(device)
    .innerJoin(deviceCredential, isOwnCredential)
    .where(
      and(ids && inArray(device.id, ids), eq(device.state, 'online'), sql`${device.stale} <> '{}'`),
    )
