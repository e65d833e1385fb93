import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { complain } from '../core/db/outage'
import { device, deviceCredential } from '../tables/device'
import type { Commands } from './commands'
import type { Changed, States } from './states'

export type AskOptions = {
  /**
   * Delay before the first query: most devices report all values when they reconnect, so only the silent ones are
   * queried.
   */
  firstPauseMs?: number
  maxPauseMs?: number
  tickMs?: number
  /** A gateway forwards queries one by one over a line that commands need too, so they are limited per gateway. */
  maxPerGatewayPerTick?: number
  maxPerTick?: number
}
type Waiting = {
  attempts: number
  dueMs: number
  /** The gateway is unknown before the first query. */
  gateway?: string
}

/**
 * Returns the pause before an attempt in ms: the doubled pause times a jitter of 0.5–1.5, so that devices which lost
 * the platform together are not queried together.
 */
export const pauseBeforeAttempt = (
  attempts: number,
  { firstPauseMs = 3000, maxPauseMs = 5 * 60_000 }: AskOptions = {},
  random = Math.random(),
) =>
  attempts === 0
    ? firstPauseMs
    : Math.min(maxPauseMs, firstPauseMs * 2 ** attempts) * (0.5 + random)

/**
 * Queries online devices for stale values, with backoff, until they report. The stale value stays visible as unknown,
 * with its time, in the meantime.
 */
export function openAskAgain(
  db: Db,
  states: States,
  commands: Pick<Commands, 'get'>,
  options: AskOptions = {},
) {
  const { tickMs = 500, maxPerGatewayPerTick = 16, maxPerTick = 200 } = options
  const waiting = new Map<string, Waiting>()
  let timer: { id: NodeJS.Timeout; atMs: number } | undefined
  let asking: Promise<void> | undefined
  let isClosed = false

  /** Sets the timer for the earliest due device; a timer that fires sooner is kept. */
  function schedule() {
    if (isClosed || asking || waiting.size === 0) return
    let dueMs = Infinity
    for (const one of waiting.values()) dueMs = Math.min(dueMs, one.dueMs)
    const now = Date.now()
    const atMs = Math.max(now + tickMs, dueMs)
    if (timer && timer.atMs <= atMs) return
    clearTimeout(timer?.id)
    timer = { id: setTimeout(tick, atMs - now), atMs }
  }
  function look(rows: Changed[]) {
    const dueMs = Date.now() + pauseBeforeAttempt(0, options)
    for (const { id, state, stale } of rows) {
      if (state !== 'online' || Object.keys(stale).length === 0) waiting.delete(id)
      else if (!waiting.has(id)) waiting.set(id, { attempts: 0, dueMs })
    }
    schedule()
  }
  function tick() {
    timer = undefined
    asking = ask().finally(() => {
      asking = undefined
      schedule()
    })
  }

  /** Returns the ids of due devices, at most `maxPerGatewayPerTick` for each gateway. */
  function takeDue(now: number) {
    const perGateway = new Map<string, number>()
    const ids: string[] = []
    for (const [id, { dueMs, gateway }] of waiting) {
      if (ids.length === maxPerTick) break
      const count = perGateway.get(gateway ?? id) ?? 0
      if (dueMs > now || count >= maxPerGatewayPerTick) continue
      perGateway.set(gateway ?? id, count + 1)
      ids.push(id)
    }
    return ids
  }

  async function ask() {
    const now = Date.now()
    const ids = takeDue(now)
    const rows =
      ids.length > 0 &&
      (await readStale(db, ids).catch((error: unknown) => complain('设备状态暂未询问', error)))
    if (!rows) return
    // Devices that were deleted or have reported in the meantime are missing from the rows.
    const known = new Set(rows.map(({ id }) => id))
    for (const id of ids) if (!known.has(id)) waiting.delete(id)
    const perGateway = new Map<string, number>()
    for (const { id, gatewayId, stale, ...identity } of rows) {
      const one = waiting.get(id)
      if (!one) continue
      one.gateway = gatewayId ?? id
      const count = perGateway.get(one.gateway) ?? 0
      if (count >= maxPerGatewayPerTick) continue
      perGateway.set(one.gateway, count + 1)
      one.attempts++
      one.dueMs = now + pauseBeforeAttempt(one.attempts, options)
      commands.get(identity, Object.keys(stale))
    }
  }

  states.events.on('changed', look)
  return {
    async close() {
      isClosed = true
      states.events.off('changed', look)
      waiting.clear()
      clearTimeout(timer?.id)
      await asking
    },
  }
}

const readStale = (db: Db, ids: string[]) =>
  db
    .select({
      id: device.id,
      gatewayId: device.gatewayId,
      stale: device.stale,
      productKey: deviceCredential.productKey,
      deviceName: deviceCredential.deviceName,
    })
    .from(device)
    .innerJoin(
      deviceCredential,
      and(
        eq(deviceCredential.projectId, device.projectId),
        eq(deviceCredential.deviceId, device.id),
      ),
    )
    .where(and(inArray(device.id, ids), eq(device.state, 'online'), sql`${device.stale} <> '{}'`))
