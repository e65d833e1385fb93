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
/** Devices come again first. */
const afterStart = 15_000
/** Nobody reads of what was missed before. */
const longest = 7 * 24 * 60 * minute
/** Of each scene, the last ones. */
const mostMissed = 100

/**
 * Starts scenes by their timers. What was looked at last stands in the database, so that a start finds what was due
 * meanwhile; who does it is decided by the row of the run.
 */
export function openScheduler({ db, scenes }: Pick<FastifyInstance, 'db' | 'scenes'>) {
  const queries = sceneQueries(db)
  const name = 'sceneTimers'

  /** Until when timers were looked at; from now on, the first time. */
  async function lookedAt(at: number) {
    const [row] = await db
      .insert(job)
      .values({ name, lastTime: new Date(at).toISOString() })
      .onConflictDoUpdate({ target: job.name, set: { name } })
      .returning()
    return Date.parse(row!.lastTime)
  }

  /** Since when the timers of a scene were not looked at, for something went wrong; what is done twice counts once. */
  async function readBehind() {
    const rows = await db
      .select()
      .from(job)
      .where(like(job.name, `${name}/%`))
    return new Map(rows.map((row) => [row.name, Date.parse(row.lastTime)]))
  }
  const behindOf = ({ id }: SceneRow) => `${name}/${id}`

  /** When the first look failed after which none succeeded. */
  let failing: number | undefined

  /** Runs what was due since the last time, up to `at`. */
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
      // What would have been made up had the look not failed.
      const wasTried = (due: number) => due <= since || due > tried - madeUp
      try {
        await startDue(scene, almanac, { from, at, last: lastTimes.get(scene.id), wasTried })
      } catch (error) {
        // One scene keeps no other from running.
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

  /** Before the time is moved on: a process that stops between finds the same moments again. */
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
    // What was set after a moment does not make it up.
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
        // Timers are set to the minute.
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
