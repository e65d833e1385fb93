import type { LiveState } from '@iot/shared/contract/device'
import type { Condition, Trigger } from '@iot/shared/contract/scene'
import { isAnswered } from '@iot/shared/contract/thingValue'
import { toZonedDate } from '@iot/shared/contract/timeZone'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { complain } from '../../core/db/outage'
import type { Changed } from '../../device-access/states'
import { sceneCondition as table } from '../../tables/scene'
import { openAlmanac } from './almanac'
import { refuseClock, refuseDay, refuseSilence } from './dueTimes'
import { sceneQueries, type SceneRow } from './queries'

type ConditionTrigger = Extract<Trigger, { kind: 'condition' }>
type Watched = { scene: SceneRow; at: number; trigger: ConditionTrigger }
type Said = Pick<LiveState, 'id' | 'state' | 'reported' | 'stale'>
/** Changes that another process makes to scenes are picked up within this many milliseconds. */
const reloadEvery = 10_000
const gather = 100

const compared: Record<Condition['compare'], (one: never, other: never) => boolean> = {
  eq: (one, other) => isAnswered(one, other),
  ne: (one, other) => !isAnswered(one, other),
  gt: (one, other) => one > other && !isAnswered(one, other),
  gte: (one, other) => one >= other || isAnswered(one, other),
  lt: (one, other) => one < other && !isAnswered(one, other),
  lte: (one, other) => one <= other || isAnswered(one, other),
}

/** Returns whether the conditions hold, or undefined if a device is not online or has no current value to decide it. */
export function holdsNow({ conditions, match }: ConditionTrigger, devices: Said[]) {
  const answers = conditions.map(({ deviceId, identifier, compare, value }) => {
    const device = devices.find(({ id }) => id === deviceId)
    const said = device?.reported[identifier]
    if (device?.state !== 'online' || said === undefined || identifier in device.stale)
      return undefined
    return typeof said === typeof value && compared[compare](said as never, value as never)
  })
  const decides = match === 'any'
  if (answers.includes(decides)) return decides
  return answers.includes(undefined) ? undefined : !decides
}

const conditionQueries = (db: Db) => {
  const ofTrigger = ({ scene, at }: Watched) =>
    and(eq(table.projectId, scene.projectId), eq(table.sceneId, scene.id), eq(table.trigger, at))
  return {
    /**
     * Returns the stored state of a trigger. A condition that holds when it is first evaluated does not start the
     * scene.
     */
    async state(one: Watched, holds: boolean | undefined) {
      const { id: sceneId, projectId } = one.scene
      const row = { projectId, sceneId, trigger: one.at, since: null, fired: holds === true }
      const [made] = await db.insert(table).values(row).onConflictDoNothing().returning()
      return made ?? (await db.select().from(table).where(ofTrigger(one)))[0]!
    },
    begin: (one: Watched) =>
      db
        .update(table)
        .set({ since: sql`now()` })
        .where(and(ofTrigger(one), isNull(table.since), eq(table.fired, false))),
    end: (one: Watched, fired?: false) =>
      db
        .update(table)
        .set({ since: null, fired })
        .where(and(ofTrigger(one), fired === undefined ? eq(table.fired, false) : undefined)),
    /** Claims a start if the condition has held long enough; only one of several processes receives true. */
    async fire(one: Watched) {
      const long = sql`now() - make_interval(secs => ${one.trigger.seconds})`
      const { rowCount } = await db
        .update(table)
        .set({ fired: true, since: null })
        .where(and(ofTrigger(one), eq(table.fired, false), lte(table.since, long)))
      return rowCount === 1
    },
  }
}

/**
 * Starts a scene once each time its conditions become true. The state of each trigger is a database row, so that it
 * survives a restart and only one of several processes starts the scene.
 */
export function openConditions({ db, devices, scenes }: FastifyInstance) {
  const queries = conditionQueries(db)
  let watched: Watched[] = []
  const dirty = new Set<string>()
  const waits = new Map<string, NodeJS.Timeout>()
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  const keyOf = ({ scene, at }: Watched) => `${scene.id} ${at}`

  async function load() {
    const rows = await sceneQueries(db).timed()
    watched = rows.flatMap((scene) =>
      scene.triggers.flatMap((trigger, at) =>
        trigger.kind === 'condition' ? { scene, at, trigger } : [],
      ),
    )
  }

  async function look(one: Watched) {
    const ids = [...new Set(one.trigger.conditions.map(({ deviceId }) => deviceId))]
    const holds = holdsNow(one.trigger, await sceneQueries(db).live(one.scene.projectId, ids))
    const state = await queries.state(one, holds)
    if (holds === false) {
      if (state.fired || state.since) await queries.end(one, false)
    } else if (state.fired) return
    else if (holds === undefined) {
      if (state.since) await queries.end(one)
    } else {
      if (!state.since) await queries.begin(one)
      if (await queries.fire(one)) return start(one)
      clearTimeout(waits.get(keyOf(one)))
      const seconds = one.trigger.seconds
      const held = state.since ? Date.now() - Date.parse(state.since) : 0
      const wait = Math.max(gather, seconds * 1000 - held + gather)
      waits.set(keyOf(one), setTimeout(() => again([one]), wait).unref())
    }
  }

  async function start({ scene }: Watched) {
    const at = Date.now()
    const almanac = openAlmanac(db, at, at)
    const last = (await sceneQueries(db).lastTimes([scene.id])).get(scene.id)
    const { timeZone } = await almanac.site(scene)
    const date = toZonedDate(at, timeZone)
    if (refuseSilence(scene, at, last)) return
    const reason =
      refuseDay(scene, date, (await almanac.calendar(scene))(date)) ??
      refuseClock(scene, at, timeZone)
    if (reason) await scenes.leave(scene, { cause: 'condition', status: 'skipped', reason })
    else await scenes.start(scene, 'condition')
  }

  function again(some: Watched[]) {
    for (const one of some) dirty.add(keyOf(one))
    if (dirty.size > 0) timer ??= setTimeout(work, gather).unref()
  }
  function work() {
    timer = undefined
    const keys = new Set(dirty)
    dirty.clear()
    working = working.then(async () => {
      for (const one of watched.filter((one) => keys.has(keyOf(one))))
        await look(one).catch((error) => complain('场景条件未检查', error))
    })
  }

  const onChanged = (rows: Changed[]) => {
    if (watched.length === 0) return
    const ids = new Set(rows.map(({ id }) => id))
    again(
      watched.filter(({ trigger }) => trigger.conditions.some(({ deviceId }) => ids.has(deviceId))),
    )
  }
  devices.states.events.on('changed', onChanged)
  const reload = async () => {
    await load()
    again(watched)
  }
  const reloads = setInterval(
    () => reload().catch((error) => complain('场景条件未读取', error)),
    reloadEvery,
  ).unref()

  return {
    reload,
    async close() {
      clearInterval(reloads)
      clearTimeout(timer)
      waits.forEach(clearTimeout)
      devices.states.events.off('changed', onChanged)
      await working
    },
  }
}
