import { minuteMs } from '@iot/shared/contract/duration'
import { validateProjectOperation } from '@iot/shared/contract/project/projectStatus'
import { eventText } from '@iot/shared/contract/thingModel/thingText'
import type { Db } from '../../core/db/db'
import { transaction } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { groupBy } from '../../core/groupBy'
import { createSequence } from '../../core/sequence'
import type { Broadcasts } from '../../device-access/broker/processMessageKinds'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { StoredEvent } from '../../device-access/ingest/eventRecorder'
import { insertBuiltinRules } from './builtinRules'
import { createDatabaseWatch } from './databaseWatch'
import { dueQueries, type EndedIncident } from './dueQueries'
import { createEvaluator } from './evaluator'
import { countRepeats, endFlapping, toFlappingEvent } from './flapping'
import { addIncidentEvents, resolveIncidents } from './incidentWriter'
import { openDue } from './openDue'
import { reconcileStates } from './reconcile'
import { createRuleSweeps, sweepIntervalMs } from './ruleSweeps'
import { runPlatformChecks } from './platformChecks'
import { createRuleIndex, type RuleIndex } from './ruleIndex'
import { toDeviceKey, writeOccurrences } from './stateQueries'

const passIntervalMs = 1000
const versionIntervalMs = 2000
/** Spaces, groups and products of a scope are read again this often. */
const scopeIntervalMs = 30_000
const reconcileIntervalMs = 15_000
/** Devices reconnect one after the other after a start or an outage of the broker. */
const defaultGraceMs = 2 * minuteMs

export type AlarmOptions = {
  graceMs?: number
  /** False in tests that run the passes themselves. */
  isTimed?: boolean
}
type AlarmDependencies = {
  db: Db
  devices: DeviceAccess
  /** Returns true if this process runs the periodic jobs. */
  isJobHolder: () => boolean
  /** Free space of the disk with this folder is checked. */
  dataFolder?: string
  /** The end of this certificate is checked. */
  certificateFile?: string
  /** Time of the daily backup; undefined if none is scheduled. */
  backupAt?: string
  options?: AlarmOptions
}

/** Freezes offline conditions while devices may still be reconnecting. */
function createOfflineFreeze(devices: DeviceAccess, graceMs: number) {
  let frozenUntilMs = performance.now() + graceMs
  return () => {
    if (devices.broker() === 'away') frozenUntilMs = performance.now() + graceMs
    return performance.now() < frozenUntilMs
  }
}

/** Returns why an incident whose conditions are over has ended. */
function explainEnd({ hasStates, ruleId }: EndedIncident, index: RuleIndex) {
  if (hasStates) return '条件不再满足'
  const brokenReason = index.find(ruleId)?.brokenReason
  return brokenReason ? `规则不再有效：${brokenReason}` : '设备已删除、已禁用，或不再属于这条规则'
}

/** Opens, counts and resolves incidents from the stored conditions. */
async function runPass(db: Db, index: RuleIndex, isOfflineFrozen: boolean) {
  const queries = dueQueries(db)
  if (!(await queries.hasWork())) return
  await queries.forgetHeldEvents()
  await openDue(db, index, isOfflineFrozen)
  await transaction(db, async (tx) => {
    await addIncidentEvents(tx, [
      ...(await endFlapping(tx)).map((incident) => toFlappingEvent(incident, 'flappingEnded')),
      ...(await countRepeats(tx)).map((incident) => toFlappingEvent(incident)),
    ])
  })
  if (!isOfflineFrozen) await queries.releaseChildren()
  const endedIds = (await queries.listRecovered()).map(({ id }) => id)
  if (endedIds.length > 0)
    await transaction(db, async (tx) => {
      // A condition may have returned since; it must not be forgotten with the incident.
      await dueQueries(tx).lockIncidents(endedIds)
      const endedIncidents = await dueQueries(tx).listRecovered(endedIds)
      const incidentsByReason = groupBy(endedIncidents, (incident) => explainEnd(incident, index))
      for (const [reason, incidents] of incidentsByReason)
        await resolveIncidents(tx, incidents, { reason })
    })
  for (const { status, ...incident } of await queries.listQuiet())
    await transaction(db, (tx) =>
      resolveIncidents(tx, [incident], {
        reason: validateProjectOperation(status, 'report')!,
        conditions: 'kept',
      }),
    )
  await transaction(db, async (tx) => {
    const ended = await dueQueries(tx).endSnoozes()
    await addIncidentEvents(
      tx,
      ended.map(({ id, projectId }) => ({
        projectId: Number(projectId),
        incidentId: id,
        kind: 'reopened',
        detail: { cause: 'snoozeEnded' },
      })),
    )
  })
}

/** Records an event of a device for the rules that ask for it, in the transaction that stores the event. */
const createEventWriter = (index: RuleIndex) => async (tx: Db, event: StoredEvent) => {
  const { deviceId, projectId, identifier, type } = event
  const changes = index
    .list()
    .filter(
      ({ source, covers }) =>
        source.kind === 'event' &&
        source.types.some((ruleType) => ruleType === type) &&
        (source.identifier === '' || source.identifier === identifier) &&
        covers({ ...event, id: deviceId }),
    )
    .map((rule) => ({
      ruleId: rule.id,
      projectId,
      subjectKey: toDeviceKey(deviceId),
      deviceId,
      signal: 'met' as const,
      detail: event.text || eventText[type],
    }))
  if (changes.length > 0) await writeOccurrences(tx, changes)
}

/**
 * Creates the function that the holder of the jobs calls before any work. It restarts the durations if no process has
 * worked on the database for long. The clock tells also how long the machine was suspended.
 */
function createBeat(db: Db) {
  let lastBeatMs = -Infinity
  return async () => {
    if (Math.abs(Date.now() - lastBeatMs) < reconcileIntervalMs) return
    await transaction(db, async (tx) => {
      const queries = dueQueries(tx)
      if ((await queries.beat()) > queries.maxGapSeconds) await queries.restartDurations()
    })
    lastBeatMs = Date.now()
  }
}

type ProcessNews = Record<Broadcasts['alarms'] | 'resumed', () => unknown>

/** Calls the handler of what another process tells; after an outage of the messages, that of `resumed`. */
function listenToProcesses({ processMessages: { events } }: DeviceAccess, handlers: ProcessNews) {
  const receive = (news: Broadcasts['alarms']) => void handlers[news]()
  const onResumed = () => void handlers.resumed()
  events.on('alarms', receive).on('resumed', onResumed)
  return () => void events.off('alarms', receive).off('resumed', onResumed)
}

/**
 * Evaluates alarm rules: this process judges what it receives, and the holder of the jobs opens and resolves incidents
 * from what is stored, so that durations survive a restart and a change of the holder.
 */
export function createAlarms({
  db,
  devices,
  isJobHolder,
  dataFolder,
  certificateFile,
  backupAt,
  options = {},
}: AlarmDependencies) {
  const index = createRuleIndex(db)
  const messages = devices.processMessages
  const database = createDatabaseWatch(db)
  const evaluator = createEvaluator(db, devices, index)
  const isOfflineFrozen = createOfflineFreeze(devices, options.graceMs ?? defaultGraceMs)
  const runInSequence = createSequence()
  const sweeps = createRuleSweeps({ db, index, isOfflineFrozen, writeConditions })
  const beat = createBeat(db)
  const timers: NodeJS.Timeout[] = []

  async function refresh(isForced = false) {
    if (await index.refresh(isForced)) await evaluator.load()
  }
  /** Writes conditions beside the evaluators, which read them afterwards in every process. */
  async function writeConditions(write: () => Promise<number>) {
    if ((await evaluator.write(write)) > 0) messages.broadcast('alarms', 'conditions')
  }
  const runJobs = (work: () => Promise<unknown>) =>
    runInSequence(async () => {
      if (!isJobHolder()) return
      await beat()
      await work()
    }).catch((error: unknown) => logError('告警暂未处理', error))
  const pass = () =>
    runJobs(async () => {
      await sweeps.sweepChangedRules()
      await runPass(db, index, isOfflineFrozen())
    })
  const reconcile = () =>
    runJobs(async () => {
      const changedCount = await reconcileStates(db, index, () => refresh(true))
      await writeConditions(() => Promise.resolve(changedCount))
      await dueQueries(db).markRecoveredDevices()
      await dueQueries(db).followPlaces()
      await runPlatformChecks(
        { db, database, dataFolder, certificateFile, backupAt, readBroker: devices.broker },
        index,
      )
    })
  const sweepDevices = () => runJobs(sweeps.sweepDevices)
  const repeat = (work: () => unknown, intervalMs: number) =>
    timers.push(setInterval(() => void work(), intervalMs).unref())
  const refreshQuietly = (isForced: boolean) =>
    refresh(isForced).catch((error: unknown) => logError('告警规则未读取', error))

  const stopListening = listenToProcesses(devices, {
    rules: () => refreshQuietly(false),
    conditions: () => evaluator.load().catch((error: unknown) => logError('告警条件未读取', error)),
    takenOver: sweeps.forget,
    resumed: () => refreshQuietly(true),
  })
  /** The former holder of a partition may have stopped before it wrote its conditions. */
  function takeOver() {
    sweeps.forget()
    messages.broadcast('alarms', 'takenOver')
    void refreshQuietly(true)
  }
  devices.partitions.addWork({
    onAcquired: takeOver,
    onLost() {},
    onHandOver: evaluator.flush,
  })
  devices.states.eventWriters.push(createEventWriter(index))

  return {
    async start() {
      await insertBuiltinRules(db)
      await refresh(true)
      if (options.isTimed === false) return
      repeat(pass, passIntervalMs)
      repeat(reconcile, reconcileIntervalMs)
      repeat(
        () => database.probe().catch((error: unknown) => logError('数据库未检查', error)),
        reconcileIntervalMs,
      )
      repeat(sweepDevices, sweepIntervalMs)
      repeat(() => refreshQuietly(false), versionIntervalMs)
      repeat(() => refreshQuietly(true), scopeIntervalMs)
    },
    refresh,
    /** Applies changed rules in this process and in the others. */
    async applyChanges() {
      messages.broadcast('alarms', 'rules')
      await refresh()
    },
    /** Judges what has arrived, and opens and resolves what is due. */
    async runNow() {
      await refresh()
      await evaluator.flush()
      await pass()
    },
    pass,
    reconcile,
    sweepDevices,
    takeOver,
    async close() {
      timers.forEach(clearInterval)
      stopListening()
      await evaluator.close()
      await runInSequence(async () => {})
    },
  }
}
export type Alarms = ReturnType<typeof createAlarms>
