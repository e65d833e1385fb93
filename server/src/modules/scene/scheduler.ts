import { toZonedText } from '@iot/shared/contract/timeZone'
import type { FastifyInstance } from 'fastify'
import { inArray, like, sql } from 'drizzle-orm'
import { complain } from '../../core/db/outage'
import { job } from '../../tables/job'
import { openAlmanac, type Almanac } from './almanac'
import { dueTimes } from './dueTimes'
import { sceneQueries, type SceneRow } from './queries'
import { madeUp } from './runs'

const minute = 60_000
/** Delay in milliseconds before the first tick, so that devices can reconnect first. */
const afterStart = 15_000
/** Missed runs older than this are not recorded. */
const longest = 7 * 24 * 60 * minute
/** Only this many of the latest missed runs are recorded per scene. */
const mostMissed = 100

/**
 * Starts scenes by their schedules. The time of the last tick is stored in the database, so that a restart finds missed
 * runs; the row of the run decides which process starts it.
 */
export function openScheduler({ db, scenes }: Pick<FastifyInstance, 'db' | 'scenes'>) {
  const queries = sceneQueries(db)
  const name = 'sceneTimers'

  /** Returns the time up to which schedules were checked; the first call stores `at` as the start. */
  async function lookedAt(at: number) {
    const [row] = await db
      .insert(job)
      .values({ name, lastTime: new Date(at).toISOString() })
      .onConflictDoUpdate({ target: job.name, set: { name } })
      .returning()
    return Date.parse(row!.lastTime)
  }

  /**
   * Returns, by job name, since when the schedule of a scene could not be checked. A due time that is checked twice
   * starts only one run.
   */
  async function readBehind() {
    const rows = await db
      .select()
      .from(job)
      .where(like(job.name, `${name}/%`))
    return new Map(rows.map((row) => [row.name, Date.parse(row.lastTime)]))
  }
  const behindOf = ({ id }: SceneRow) => `${name}/${id}`

  /** Time of the first failed tick since the last successful one. */
  let failing: number | undefined

  /** Starts what became due since the last tick, up to `at`. */
  async function tick(at = Date.now()) {
    failing ??= at
    await look(at, failing)
    failing = undefined
  }

  async function look(at: number, tried: number) {
    await scenes.sweep(at)
    const since = Math.max(await lookedAt(at), at - longest)
    if (since >= at) return
    const behind = await readBehind()
    const almanac = openAlmanac(db, Math.min(since, ...behind.values()), at)
    const timed = await queries.timed()
    const lastTimes = await queries.lastTimes(timed.map(({ id }) => id))
    const failed: (typeof job.$inferInsert)[] = []
    for (const scene of timed) {
      const from = Math.max(behind.get(behindOf(scene)) ?? since, at - longest)
      // A run that would have been caught up if the tick had not failed counts as "failed to start".
      const wasTried = (due: number) => due <= since || due > tried - madeUp
      try {
        await startDue(scene, almanac, { from, at, last: lastTimes.get(scene.id), wasTried })
      } catch (error) {
        // A failing scene must not stop the others.
        failed.push({ name: behindOf(scene), lastTime: new Date(from).toISOString() })
        complain(`场景“${scene.name}”的定时未检查`, error)
      }
    }
    await keep(failed, [...behind.keys()])
    await db
      .update(job)
      .set({ lastTime: sql`greatest(${job.lastTime}, ${new Date(at).toISOString()}::timestamptz)` })
      .where(sql`${job.name} = ${name}`)
  }

  /**
   * The failed scenes are saved before the time moves on, so that a crash in between finds the same due times again.
   */
  async function keep(failed: (typeof job.$inferInsert)[], were: string[]) {
    if (failed.length > 0)
      await db
        .insert(job)
        .values(failed)
        .onConflictDoUpdate({
          target: job.name,
          set: { lastTime: sql`least(${job.lastTime}, excluded.last_time)` },
        })
    const over = were.filter((one) => !failed.some((row) => row.name === one))
    if (over.length > 0) await db.delete(job).where(inArray(job.name, over))
  }

  async function startDue(
    scene: SceneRow,
    almanac: Almanac,
    look: {
      from: number
      at: number
      last: number | undefined
      wasTried: (due: number) => boolean
    },
  ) {
    const { at } = look
    // A trigger that was changed after a due time must not catch it up.
    const from = Math.max(look.from, Date.parse(scene.updateTime))
    const [calendar, site] = [await almanac.calendar(scene), await almanac.site(scene)]
    const all = [...dueTimes(scene, calendar, site, from, at, look.last)].filter(({ runs }) => runs)
    const late = all.filter((one) => at - one.at > madeUp)
    for (const one of late.slice(-mostMissed)) {
      const why = look.wasTried(one.at) ? '启动失败' : '平台没有运行'
      const lookedAt = toZonedText(at, site.timeZone).slice(5, 16)
      const reason = `${why}，到 ${lookedAt} 已过 10 分钟，没有补执行`
      await scenes.leave(scene, { cause: 'timer', status: 'missed', reason, due: one.at })
    }
    for (const one of all.slice(late.length)) await scenes.start(scene, 'timer', one.at)
  }

  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let working: Promise<void> = Promise.resolve()
  const later = (wait: number) => {
    if (isOver) return
    timer = setTimeout(() => {
      working = tick()
        .catch((error) => complain('定时场景未检查', error))
        // Schedules have a resolution of one minute.
        .then(() => later(minute - (Date.now() % minute) + 50))
    }, wait).unref()
  }
  return {
    tick,
    begin: () => later(afterStart),
    async close() {
      isOver = true
      clearTimeout(timer)
      await working
    },
  }
}
