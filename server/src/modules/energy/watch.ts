import { lightSwitch } from '@iot/shared/contract/light'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { complain } from '../../core/db/outage'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { Changed } from '../../device-access/states'
import { job } from '../../tables/job'
import { mark } from './marks'
import { energyCounter, ofDevices, ofProject, settleAll } from './settle'

const every = 1000
const beatEvery = 20_000
/** The state of lamps is unknown for a time in which no process received reports for this many milliseconds. */
const standstill = 90_000
/** Data that was settled within this many milliseconds is not settled again for a read. */
const freshFor = 15_000
/** Interval in milliseconds to settle devices whose state does not change. */
const closeEvery = 10 * 60_000
/** Devices that any process has settled within this many milliseconds are skipped by the periodic settlement. */
const behind = 60_000
const name = 'energy'

/**
 * Records lamp hours and meter readings as devices report, and the time until which reports were received.
 * @param alone the platform has a single process, so no reports were received while it was down, however short
 */
export function openEnergy(db: Db, devices: DeviceAccess, alone: boolean) {
  const known = new Map<string, string>()
  const fresh = new Map<number, number>()
  /** Last counter reading of each device in kWh. */
  const counters = new Map<string, number>()
  let lastCounters = new Map<string, number>()
  let moved = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isBegun = false
  let working: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    const mine = working.then(work)
    working = mine.catch((error) => complain('能耗暂未写入', error))
    return mine
  }

  async function begin() {
    const [row] = await db.select({ last: job.lastTime }).from(job).where(eq(job.name, name))
    const last = row && new Date(row.last)
    if (last && (alone || Date.now() - last.getTime() > standstill)) {
      await settleAll(db, last, sql`true`)
      await settleAll(db, new Date(), sql`true`, { isLost: true })
    }
    isBegun = true
    await beat()
  }
  const beat = () =>
    db
      .insert(job)
      .values({ name, lastTime: sql`now()` as never })
      .onConflictDoUpdate({ target: job.name, set: { lastTime: sql`now()` } })

  const flush = () =>
    inTurn(async () => {
      clearTimeout(timer)
      timer = undefined
      const [ids, ended] = [[...moved], lastCounters]
      ;[moved, lastCounters] = [new Set(), new Map()]
      if (ids.length === 0) return
      try {
        await settleAll(db, new Date(), ofDevices(ids), { lastCounters: ended })
      } catch (error) {
        moved = new Set([...ids, ...moved])
        lastCounters = new Map([...lastCounters, ...ended])
        timer ??= setTimeout(() => void flush(), 10 * every)
        throw error
      }
    }).catch(() => {})

  /**
   * Settles a device at once on its first counter reading and after a counter reset, because both begin a new count.
   */
  const noteCounter = (id: string, value: unknown) => {
    if (typeof value !== 'number') return
    const last = counters.get(id)
    counters.set(id, value)
    if (last !== undefined && value >= last) return
    if (last !== undefined) lastCounters.set(id, last)
    moved.add(id)
  }
  const onChanged = (rows: Changed[]) => {
    for (const { id, state, reported, stale } of rows) {
      noteCounter(id, reported[energyCounter])
      if (!(lightSwitch in reported)) continue
      const { [lightSwitch]: isOn, Brightness, ActivePower } = reported
      const now = [state, isOn, Brightness, ActivePower, lightSwitch in stale].join()
      if (known.get(id) === now) continue
      known.set(id, now)
      moved.add(id)
    }
    if (moved.size > 0) timer ??= setTimeout(() => void flush(), every)
  }
  const beating = setInterval(() => {
    if (isBegun) beat().catch(() => {})
  }, beatEvery).unref()
  const closing = setInterval(
    () =>
      void inTurn(async () => {
        await settleAll(db, new Date(), sql`true`, { before: new Date(Date.now() - behind) })
        await mark(db)
      }).catch(() => {}),
    closeEvery,
  ).unref()
  devices.states.events.on('changed', onChanged)
  void inTurn(begin).catch(() => {})

  return {
    /** Settles a project up to now before its energy is read. */
    async upToDate(projectId: number) {
      if ((fresh.get(projectId) ?? 0) > Date.now()) return
      fresh.set(projectId, Date.now() + freshFor)
      await devices.states.flush()
      await inTurn(() => settleAll(db, new Date(), ofProject(projectId)))
    },
    async close() {
      clearInterval(beating)
      clearInterval(closing)
      devices.states.events.off('changed', onChanged)
      await flush()
      clearTimeout(timer)
    },
  }
}
export type Energy = ReturnType<typeof openEnergy>
