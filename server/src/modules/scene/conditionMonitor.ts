import type { LiveState } from '@iot/shared/contract/device/device.schema'
import type { Trigger } from '@iot/shared/contract/control/scene.schema'
import { toZonedDate } from '@iot/shared/contract/timeZone'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { logError, runInBackground } from '../../core/db/outage'
import type { ChangedDevice } from '../../device-access/ingest/writeDeviceRows'
import { sceneCondition as table } from '../../tables/scene'
import { createCalendarLookup } from './calendarLookup'
import { meetsComparison } from './comparison'
import { refuseQuietHours, refuseDay } from './dueTimes'
import { sceneQueries, type SceneRow } from './queries'

type ConditionTrigger = Extract<Trigger, { kind: 'condition' }>
type WatchedTrigger = { scene: SceneRow; at: number; trigger: ConditionTrigger }
type DeviceValues = Pick<LiveState, 'id' | 'state' | 'reported' | 'stale'>
/** Changes that another process makes to scenes are picked up within this many milliseconds. */
const reloadIntervalMs = 10_000
const debounceMs = 100

/** Returns whether the conditions hold, or undefined if a device is not online or has no current value to decide it. */
export function evaluateConditions(
  { conditions, match }: ConditionTrigger,
  devices: DeviceValues[],
) {
  const answers = conditions.map(({ deviceId, identifier, compare, value }) => {
    const device = devices.find(({ id }) => id === deviceId)
    const reportedValue = device?.reported[identifier]
    if (device?.state !== 'online' || reportedValue === undefined || identifier in device.stale)
      return undefined
    return meetsComparison({ compare, value }, reportedValue)
  })
  const isDecisive = match === 'any'
  if (answers.includes(isDecisive)) return isDecisive
  return answers.includes(undefined) ? undefined : !isDecisive
}

const conditionQueries = (db: Db) => {
  const whereTrigger = ({ scene, at }: WatchedTrigger) =>
    and(eq(table.projectId, scene.projectId), eq(table.sceneId, scene.id), eq(table.trigger, at))
  return {
    /**
     * Returns the stored state of a trigger. A condition that holds when it is first evaluated does not start the
     * scene.
     */
    async ensureState(watchedTrigger: WatchedTrigger, isMet: boolean | undefined) {
      const { id: sceneId, projectId } = watchedTrigger.scene
      const row = {
        projectId,
        sceneId,
        trigger: watchedTrigger.at,
        since: null,
        fired: isMet === true,
      }
      const [insertedRow] = await db.insert(table).values(row).onConflictDoNothing().returning()
      return insertedRow ?? (await db.select().from(table).where(whereTrigger(watchedTrigger)))[0]!
    },
    markHolding: (watchedTrigger: WatchedTrigger) =>
      db
        .update(table)
        .set({ since: sql`now()` })
        .where(and(whereTrigger(watchedTrigger), isNull(table.since), eq(table.fired, false))),
    resetTrigger: (watchedTrigger: WatchedTrigger, fired?: false) =>
      db
        .update(table)
        .set({ since: null, fired })
        .where(
          and(
            whereTrigger(watchedTrigger),
            fired === undefined ? eq(table.fired, false) : undefined,
          ),
        ),
    /** Claims a start if the condition has held long enough; only one of several processes receives true. */
    async claimStart(watchedTrigger: WatchedTrigger) {
      const latestSince = sql`now() - make_interval(secs => ${watchedTrigger.trigger.seconds})`
      const { rowCount } = await db
        .update(table)
        .set({ fired: true, since: null })
        .where(
          and(whereTrigger(watchedTrigger), eq(table.fired, false), lte(table.since, latestSince)),
        )
      return rowCount === 1
    },
  }
}

async function listWatchedTriggers(db: Db): Promise<WatchedTrigger[]> {
  const rows = await sceneQueries(db).listTimed()
  return rows.flatMap((scene) =>
    scene.triggers.flatMap((trigger, index) =>
      trigger.kind === 'condition' ? { scene, at: index, trigger } : [],
    ),
  )
}

/** Starts the scene unless its silence period, its day rules or its quiet hours forbid it now. */
async function startScene(
  { db, scenes }: Pick<FastifyInstance, 'db' | 'scenes'>,
  { scene }: WatchedTrigger,
) {
  const timeMs = Date.now()
  const calendarLookup = createCalendarLookup(db, timeMs, timeMs)
  const { timeZone } = await calendarLookup.site(scene)
  const date = toZonedDate(timeMs, timeZone)
  const skipReason =
    refuseDay(scene, date, (await calendarLookup.calendar(scene))(date)) ??
    refuseQuietHours(scene, timeMs, timeZone)
  await scenes.start(scene, 'condition', { skipReason })
}

/**
 * Starts a scene once each time its conditions become true. The state of each trigger is a database row, so that it
 * survives a restart and only one of several processes starts the scene.
 */
export function openConditionMonitor({ db, devices, scenes }: FastifyInstance) {
  const queries = conditionQueries(db)
  let watchedTriggers: WatchedTrigger[] = []
  const dirtyKeys = new Set<string>()
  const waitTimers = new Map<string, NodeJS.Timeout>()
  let timer: NodeJS.Timeout | undefined
  let pendingWork: Promise<void> = Promise.resolve()
  const toTriggerKey = ({ scene, at }: WatchedTrigger) => `${scene.id} ${at}`

  async function evaluateTrigger(watchedTrigger: WatchedTrigger) {
    const ids = [...new Set(watchedTrigger.trigger.conditions.map(({ deviceId }) => deviceId))]
    const isMet = evaluateConditions(
      watchedTrigger.trigger,
      await sceneQueries(db).readLiveValues(watchedTrigger.scene.projectId, ids),
    )
    const state = await queries.ensureState(watchedTrigger, isMet)
    if (isMet === false) {
      if (state.fired || state.since) await queries.resetTrigger(watchedTrigger, false)
    } else if (state.fired) return
    else if (isMet === undefined) {
      if (state.since) await queries.resetTrigger(watchedTrigger)
    } else {
      if (!state.since) await queries.markHolding(watchedTrigger)
      // A process that can send no command leaves the start to another one, or to the next reload.
      if (devices.broker() === 'away') return
      if (await queries.claimStart(watchedTrigger))
        return startScene({ db, scenes }, watchedTrigger)
      clearTimeout(waitTimers.get(toTriggerKey(watchedTrigger)))
      const seconds = watchedTrigger.trigger.seconds
      const heldMs = state.since ? Date.now() - Date.parse(state.since) : 0
      const waitMs = Math.max(debounceMs, seconds * 1000 - heldMs + debounceMs)
      waitTimers.set(
        toTriggerKey(watchedTrigger),
        setTimeout(() => enqueueTriggers([watchedTrigger]), waitMs).unref(),
      )
    }
  }

  function enqueueTriggers(changedTriggers: WatchedTrigger[]) {
    for (const trigger of changedTriggers) dirtyKeys.add(toTriggerKey(trigger))
    if (dirtyKeys.size > 0) timer ??= setTimeout(evaluateDirtyTriggers, debounceMs).unref()
  }
  function evaluateDirtyTriggers() {
    timer = undefined
    const keys = new Set(dirtyKeys)
    dirtyKeys.clear()
    pendingWork = pendingWork.then(async () => {
      for (const trigger of watchedTriggers.filter((trigger) => keys.has(toTriggerKey(trigger))))
        await evaluateTrigger(trigger).catch((error) => logError('场景条件未检查', error))
    })
  }

  const onChanged = (rows: ChangedDevice[]) => {
    if (watchedTriggers.length === 0) return
    const ids = new Set(rows.map(({ id }) => id))
    enqueueTriggers(
      watchedTriggers.filter(({ trigger }) =>
        trigger.conditions.some(({ deviceId }) => ids.has(deviceId)),
      ),
    )
  }
  devices.states.events.on('changed', onChanged)
  const reload = async () => {
    watchedTriggers = await listWatchedTriggers(db)
    // The holders of partitions hear the devices; two of them may see the same trigger, and its row decides.
    if (devices.partitions.holdsAny()) enqueueTriggers(watchedTriggers)
  }
  const reloadTimer = setInterval(
    () => runInBackground(reload(), '场景条件未读取'),
    reloadIntervalMs,
  ).unref()

  return {
    reload,
    async close() {
      clearInterval(reloadTimer)
      clearTimeout(timer)
      waitTimers.forEach(clearTimeout)
      devices.states.events.off('changed', onChanged)
      await pendingWork
    },
  }
}
