import { dayMs, minuteMs } from '@iot/shared/contract/duration'
import { toZonedText } from '@iot/shared/contract/timeZone'
import type { FastifyInstance } from 'fastify'
import { inArray, like, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { jobsLease } from '../../core/lease/members'
import { job } from '../../tables/job'
import { createCalendarLookup, type CalendarLookup } from './calendarLookup'
import { dueTimes } from './dueTimes'
import { sceneQueries, type SceneRow } from './queries'
import { catchUpWindowMs, type SceneRunner } from './sceneRunner'

/** Delay in milliseconds before the first tick, so that devices can reconnect first. */
const startupDelayMs = 15_000
/** A process without the jobs looks this often if it holds them now. */
const leaseCheckMs = 1000
/** Missed runs older than this are not recorded. */
const missedRunRetentionMs = 7 * dayMs
/** Only this many of the latest missed runs are recorded per scene. */
const maxMissedRuns = 100

const jobName = 'sceneTimers'
const toSceneJobName = ({ id }: SceneRow) => `${jobName}/${id}`

/** Stores up to which time schedules were checked, for all scenes and for those whose check failed. */
const tickQueries = (db: Db) => ({
  /** Returns the time up to which schedules were checked; the first call stores `tickTime` as the start. */
  async readLastTick(tickTime: number) {
    const [row] = await db
      .insert(job)
      .values({ name: jobName, lastTime: new Date(tickTime).toISOString() })
      .onConflictDoUpdate({ target: job.name, set: { name: jobName } })
      .returning()
    return Date.parse(row!.lastTime)
  },
  /**
   * Returns, by job name, since when the schedule of a scene could not be checked. A due time that is checked twice
   * starts only one run.
   */
  async readFailedSince() {
    const rows = await db
      .select()
      .from(job)
      .where(like(job.name, `${jobName}/%`))
    return new Map(rows.map((row) => [row.name, Date.parse(row.lastTime)]))
  },
  /**
   * The failed scenes are saved before the time moves on, so that a crash in between finds the same due times again.
   */
  async saveFailedJobs(failedJobs: (typeof job.$inferInsert)[], previousNames: string[]) {
    if (failedJobs.length > 0)
      await db
        .insert(job)
        .values(failedJobs)
        .onConflictDoUpdate({
          target: job.name,
          set: { lastTime: sql`least(${job.lastTime}, excluded.last_time)` },
        })
    const recoveredNames = previousNames.filter(
      (name) => !failedJobs.some((row) => row.name === name),
    )
    if (recoveredNames.length > 0) await db.delete(job).where(inArray(job.name, recoveredNames))
  },
  /** The stored time never moves back, because several processes check the schedules. */
  saveLastTick: (tickTime: number) =>
    db
      .update(job)
      .set({
        lastTime: sql`greatest(${job.lastTime}, ${new Date(tickTime).toISOString()}::timestamptz)`,
      })
      .where(sql`${job.name} = ${jobName}`),
})

/** Starts the runs of a scene that became due in a period, and records those that were missed. */
async function startDue(
  scenes: SceneRunner,
  scene: SceneRow,
  calendarLookup: CalendarLookup,
  period: {
    from: number
    at: number
    last: number | undefined
    wasTried: (dueMs: number) => boolean
  },
) {
  const { at } = period
  // A trigger that was changed after a due time must not catch it up.
  const from = Math.max(period.from, Date.parse(scene.timingTime ?? scene.createTime))
  const [calendar, site] = [await calendarLookup.calendar(scene), await calendarLookup.site(scene)]
  const dueMoments = [...dueTimes(scene, calendar, site, from, at, period.last)].filter(
    ({ runs }) => runs,
  )
  const missedMoments = dueMoments.filter((moment) => at - moment.at > catchUpWindowMs)
  for (const moment of missedMoments.slice(-maxMissedRuns)) {
    const missCause = period.wasTried(moment.at) ? '启动失败' : '平台没有运行'
    const checkedText = toZonedText(at, site.timeZone).slice(5, 16)
    const reason = `${missCause}，到 ${checkedText} 已过 10 分钟，没有补执行`
    await scenes.leave(scene, { cause: 'timer', status: 'missed', reason, due: moment.at })
  }
  for (const moment of dueMoments.slice(missedMoments.length))
    await scenes.start(scene, 'timer', { dueMs: moment.at })
}

/**
 * Starts scenes by their schedules. The time of the last tick is stored in the database, so that a restart finds missed
 * runs; the row of the run decides which process starts it.
 */
export function openSceneScheduler({
  db,
  scenes,
  leases,
  devices,
}: Pick<FastifyInstance, 'db' | 'scenes' | 'leases'> & {
  devices: Pick<FastifyInstance['devices'], 'broker'>
}) {
  const queries = sceneQueries(db)
  const { readLastTick, readFailedSince, saveFailedJobs, saveLastTick } = tickQueries(db)

  /** Time of the first failed tick since the last successful one. */
  let failingSince: number | undefined

  /**
   * Starts what became due since the last tick, up to `tickTime`.
   * @returns false if this process could send no command: nothing was started or recorded
   */
  async function tick(tickTime = Date.now()) {
    failingSince ??= tickTime
    if (devices.broker() === 'away') return false
    await checkSchedules(tickTime, failingSince)
    failingSince = undefined
    return true
  }
  /** Leaves the jobs to a process that may reach the broker; a process on its own tries again. */
  async function leaveJobs() {
    if (!leases.isOnlyProcess) await leases.handOver(jobsLease)
    scheduleTick(leaseCheckMs)
  }

  async function checkSchedules(tickTime: number, firstFailedTick: number) {
    await scenes.sweep(tickTime)
    const since = Math.max(await readLastTick(tickTime), tickTime - missedRunRetentionMs)
    if (since >= tickTime) return
    const failedSinceByJob = await readFailedSince()
    const calendarLookup = createCalendarLookup(
      db,
      Math.min(since, ...failedSinceByJob.values()),
      tickTime,
    )
    const timedScenes = await queries.listTimed()
    const lastTimes = await queries.getLastRunTimes(timedScenes.map(({ id }) => id))
    const failedJobs: (typeof job.$inferInsert)[] = []
    for (const scene of timedScenes) {
      const from = Math.max(
        failedSinceByJob.get(toSceneJobName(scene)) ?? since,
        tickTime - missedRunRetentionMs,
      )
      // A run that would have been caught up if the tick had not failed counts as "failed to start".
      const wasTried = (dueMs: number) =>
        dueMs <= since || dueMs > firstFailedTick - catchUpWindowMs
      try {
        await startDue(scenes, scene, calendarLookup, {
          from,
          at: tickTime,
          last: lastTimes.get(scene.id),
          wasTried,
        })
      } catch (error) {
        // A failing scene must not stop the others.
        failedJobs.push({ name: toSceneJobName(scene), lastTime: new Date(from).toISOString() })
        logError(`场景“${scene.name}”的定时未检查`, error)
      }
    }
    await saveFailedJobs(failedJobs, [...failedSinceByJob.keys()])
    await saveLastTick(tickTime)
  }

  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let pendingTick: Promise<void> = Promise.resolve()
  const scheduleTick = (delayMs: number) => {
    if (isClosed) return
    timer = setTimeout(() => {
      // A process that takes the jobs over checks at once what became due in between.
      if (!leases.isHeld(jobsLease)) return scheduleTick(leaseCheckMs)
      pendingTick = tick()
        .catch((error: unknown) => logError('定时场景未检查', error))
        .then((isDone) =>
          // Schedules have a resolution of one minute.
          isDone === false ? leaveJobs() : scheduleTick(minuteMs - (Date.now() % minuteMs) + 50),
        )
    }, delayMs).unref()
  }
  return {
    tick,
    startTicking: () => scheduleTick(startupDelayMs),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await pendingTick
    },
  }
}
