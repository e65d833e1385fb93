import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { createWriteBehind } from '../../core/db/writeBehind'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { ChangedDevice } from '../../device-access/ingest/writeDeviceRows'
import { job } from '../../tables/job'
import { recordMarks } from './marks'
import { energyCounter, whereDeviceIn, whereProject, settleAll } from './settle'

const flushDelayMs = 1000
const heartbeatIntervalMs = 20_000
/** The state of lamps is unknown for a time in which no process received reports for this many milliseconds. */
const maxReportGapMs = 90_000
/** Data that was settled within this many milliseconds is not settled again for a read. */
const freshnessMs = 15_000
/** Interval in milliseconds to settle devices whose state does not change. */
const settleIntervalMs = 10 * 60_000
/** Devices that any process has settled within this many milliseconds are skipped by the periodic settlement. */
const minSettleAgeMs = 60_000
const jobName = 'energy'
/** Devices with an unsettled change while the database is away. */
const maxChangedDevices = 100_000

/** A device to settle; after a counter reset with the last reading in kWh before it. */
type ChangedMeter = { id: string; lastCounter?: number }

/**
 * Records lamp hours and meter readings as devices report, and the time until which reports were received.
 * @param isSingleProcess the platform has a single process, so no reports were received while it was down, however short
 * @param isJobHolder returns true if this process runs the periodic jobs
 */
export function createEnergyRecorder(
  db: Db,
  devices: DeviceAccess,
  isSingleProcess: boolean,
  isJobHolder: () => boolean,
) {
  const lastStates = new Map<string, string>()
  const freshUntil = new Map<number, number>()
  /** Last counter reading of each device in kWh. */
  const counters = new Map<string, number>()
  let isStarted = false
  const writer = createWriteBehind<ChangedMeter>({
    name: '能耗',
    delayMs: flushDelayMs,
    retryDelayMs: 10 * flushDelayMs,
    maxRows: maxChangedDevices,
    // The earlier reading ended the former count; a later one may be a wrong reading.
    merge: (failed, newer) => ({ ...newer, ...failed }),
    async write(rows) {
      const lastCounters = new Map(
        rows.flatMap(({ id, lastCounter }) =>
          lastCounter === undefined ? [] : [[id, lastCounter] as const],
        ),
      )
      const ids = rows.map(({ id }) => id)
      await settleAll(db, new Date(), whereDeviceIn(ids), { lastCounters })
    },
  })
  const markChanged = (change: ChangedMeter) =>
    writer.change(change.id, (pending) => ({ ...change, ...pending }))
  const runInSequence = (work: () => Promise<void>) =>
    writer.runInSequence(work).catch((error: unknown) => {
      logError('能耗暂未写入', error)
      throw error
    })

  async function settleDowntime() {
    const [row] = await db.select({ last: job.lastTime }).from(job).where(eq(job.name, jobName))
    const lastHeartbeat = row && new Date(row.last)
    if (
      lastHeartbeat &&
      (isSingleProcess || Date.now() - lastHeartbeat.getTime() > maxReportGapMs)
    ) {
      await settleAll(db, lastHeartbeat, sql`true`)
      await settleAll(db, new Date(), sql`true`, { isLost: true })
    }
    isStarted = true
    await writeHeartbeat()
  }
  const writeHeartbeat = () =>
    db
      .insert(job)
      .values({ name: jobName, lastTime: sql`now()` as never })
      .onConflictDoUpdate({ target: job.name, set: { lastTime: sql`now()` } })

  /**
   * Settles a device at once on its first counter reading and after a counter reset, because both begin a new count.
   */
  const trackCounter = (id: string, value: unknown) => {
    if (typeof value !== 'number') return
    const lastValue = counters.get(id)
    counters.set(id, value)
    if (lastValue !== undefined && value >= lastValue) return
    markChanged(lastValue === undefined ? { id } : { id, lastCounter: lastValue })
  }
  const onChanged = (rows: ChangedDevice[]) => {
    for (const { id, state, reported, stale } of rows) {
      trackCounter(id, reported[energyCounter])
      if (!(lightSwitchIdentifier in reported)) continue
      const { [lightSwitchIdentifier]: isOn, Brightness, ActivePower } = reported
      const currentState = [
        state,
        isOn,
        Brightness,
        ActivePower,
        lightSwitchIdentifier in stale,
      ].join()
      if (lastStates.get(id) === currentState) continue
      lastStates.set(id, currentState)
      markChanged({ id })
    }
  }
  const heartbeatTimer = setInterval(() => {
    if (isStarted && devices.partitions.holdsAny()) writeHeartbeat().catch(() => {})
  }, heartbeatIntervalMs).unref()
  const settleTimer = setInterval(
    () =>
      void runInSequence(async () => {
        if (!isJobHolder()) return
        await settleAll(db, new Date(), sql`true`, {
          before: new Date(Date.now() - minSettleAgeMs),
        })
        await recordMarks(db)
      }).catch(() => {}),
    settleIntervalMs,
  ).unref()
  devices.states.events.on('changed', onChanged)
  void runInSequence(settleDowntime).catch(() => {})

  return {
    /** Settles a project up to now before its energy is read. */
    async bringUpToDate(projectId: number) {
      if ((freshUntil.get(projectId) ?? 0) > Date.now()) return
      freshUntil.set(projectId, Date.now() + freshnessMs)
      await devices.states.flush()
      await runInSequence(() => settleAll(db, new Date(), whereProject(projectId)))
    },
    async close() {
      clearInterval(heartbeatTimer)
      clearInterval(settleTimer)
      devices.states.events.off('changed', onChanged)
      await writer.close()
    },
  }
}
export type EnergyRecorder = ReturnType<typeof createEnergyRecorder>
