import type { FastifyInstance } from 'fastify'
import { sql } from 'drizzle-orm'
import { complain } from '../../core/db/outage'
import { job } from '../../tables/job'
import { openAlmanac } from './almanac'
import { clockOf, dateOf, dueTimes, type Moment } from './dueTimes'
import { sceneQueries } from './queries'
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

  /** Runs what was due since the last time, up to `at`. */
  async function tick(at = Date.now()) {
    await scenes.sweep(at)
    const since = Math.max(await lookedAt(at), at - longest)
    if (since >= at) return
    const almanac = openAlmanac(db, since, at)
    const timed = await queries.timed()
    const lastTimes = await queries.lastTimes(timed.map(({ id }) => id))
    for (const scene of timed) {
      // What was set after a moment does not make it up.
      const from = Math.max(since, Date.parse(scene.updateTime))
      const [calendar, position] = [await almanac.calendar(scene), await almanac.position(scene)]
      const last = lastTimes.get(scene.id)
      let all: Moment[]
      try {
        all = [...dueTimes(scene, calendar, position, from, at, last)].filter(({ runs }) => runs)
      } catch (error) {
        // A time that cannot be read keeps no other scene from running.
        complain(`场景“${scene.name}”的定时未检查`, error)
        continue
      }
      const late = all.filter((one) => at - one.at > madeUp)
      for (const one of late.slice(-mostMissed)) {
        const reason = `平台没有运行，到 ${dateOf(at).slice(5)} ${clockOf(at)} 已过 10 分钟，没有补执行`
        await scenes.leave(scene, { cause: 'timer', status: 'missed', reason, due: one.at })
      }
      for (const one of all.slice(late.length)) await scenes.start(scene, 'timer', one.at)
    }
    await db
      .update(job)
      .set({ lastTime: sql`greatest(${job.lastTime}, ${new Date(at).toISOString()}::timestamptz)` })
      .where(sql`${job.name} = ${name}`)
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
