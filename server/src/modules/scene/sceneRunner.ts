import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { SceneRun } from '@iot/shared/contract/control/scene.schema'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { requireRow, createMissingRefusal, createRefusal, Refusal } from '../../core/refusal'
import type { Context } from '../../core/http/context'
import type { TaskRow } from '../../core/tasks/queries'
import { now } from '../../tables/columns'
import { AllHeldRefusal, formatTaskSize } from '../control/policy'
import { assertProjectAllows, getProjectRefusal } from '../project/policy'
import { sceneQueries, type SceneWithActions } from './queries'
import { runQueries, type Run, type RunQueries, type SceneKey } from './runQueries'

const heartbeatMs = 5000
/** Catch-up window in milliseconds: a missed run that is older is recorded but not started. */
export const catchUpWindowMs = 10 * 60_000

type TaskActor = Parameters<FastifyInstance['control']['begin']>[2]
type RunnerApp = Pick<FastifyInstance, 'db' | 'tasks' | 'control' | 'devices'>
export type Wave = { delay: number; sorts: number[] }

/**
 * Groups actions that start together: parallel actions with the same delay form a wave, serial actions one wave each.
 */
export function groupIntoWaves({
  order,
  actions,
}: Pick<SceneWithActions, 'order' | 'actions'>): Wave[] {
  if (order === 'serial')
    return actions.map(({ delay }, actionIndex) => ({ delay, sorts: [actionIndex + 1] }))
  const waves = new Map<number, number[]>()
  for (const [index, { delay }] of actions.entries())
    waves.set(delay, [...(waves.get(delay) ?? []), index + 1])
  return [...waves].map(([delay, sorts]) => ({ delay, sorts })).sort((a, b) => a.delay - b.delay)
}

/** A task that another process carries out is looked up at this interval. */
const taskCheckMs = 1000

/** Resolves when the task has ended or the signal is aborted. */
const waitForTask = (tasks: RunnerApp['tasks'], id: string, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const finish = () => {
      clearInterval(checkTimer)
      tasks.events.off('changed', onTaskChanged)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const onTaskChanged = (row: TaskRow) => row.id === id && row.doneTime !== null && finish()
    tasks.events.on('changed', onTaskChanged)
    signal.addEventListener('abort', finish)
    const check = () =>
      tasks.find(id).then((row) => (row?.doneTime ?? signal.aborted) && finish(), finish)
    const checkTimer = setInterval(() => void check(), taskCheckMs).unref()
    void check()
  })

/** Later waves refer to actions by position, so an edit of the scene stops the run. */
async function assertSceneUnchanged(db: Db, scene: SceneWithActions) {
  const currentScene = await sceneQueries(db).get(scene.id)
  if (!currentScene) throw createMissingRefusal('场景')
  const toComparable = ({ order, actions, status }: SceneWithActions) =>
    JSON.stringify([order, actions, status])
  if (toComparable(currentScene) !== toComparable(scene)) throw createRefusal('场景在执行中被修改')
}

/** The user who starts a scene receives its first task, or the reason why there is none. */
type FirstTaskCallbacks = {
  onStarted: (task: ControlTask, reachedCount: number) => void
  onRefused: (reason: unknown) => void
  assertBeforeDeadline: () => void
}

/**
 * Returns the fields of a run that ends badly in a project that reports no problems: nobody has to acknowledge it, also
 * when the project reports again.
 */
async function buildQuietFields(db: Db, { projectId }: SceneKey): Promise<Partial<Run>> {
  const reason = await getProjectRefusal(db, projectId, 'report')
  return reason ? { acknowledgedTime: now(), note: reason } : {}
}

/** Creates the function that executes one run wave by wave and records its outcome; `onEnded` is called last. */
function createRunExecutor(
  { db, tasks, control, devices }: RunnerApp,
  queries: RunQueries,
  endRun: EndRun,
  onEnded: (projectId: number) => void,
) {
  return async function executeRun(
    run: Run,
    actor: TaskActor,
    firstId: string,
    signal: AbortSignal,
    firstTaskCallbacks?: FirstTaskCallbacks,
  ) {
    const { projectId, sceneId } = run
    const startedTaskIds: string[] = []
    const reasons = new Set<string>()
    let heldWaves = 0
    let waves: Wave[] = []
    let waveIndex = 0
    try {
      const scene = await sceneQueries(db).get(sceneId)
      if (!scene) throw createMissingRefusal('场景')
      await assertProjectAllows(db, projectId, 'control')
      waves = groupIntoWaves(scene)
      const startTime = Date.now()
      for (; waveIndex < waves.length; waveIndex++) {
        const { delay, sorts } = waves[waveIndex]!
        const waitMs =
          scene.order === 'serial' ? delay * 1000 : startTime + delay * 1000 - Date.now()
        if (waveIndex === 0) firstTaskCallbacks?.assertBeforeDeadline()
        if (waitMs > 0) await pause(waitMs, undefined, { signal })
        await devices.states.flush()
        if (waveIndex > 0) await assertSceneUnchanged(db, scene)
        const request = { kind: 'scene', projectId, sceneId, trial: run.cause === 'trial' } as const
        const permission = devicePermissions.scene.permission
        try {
          const { title, target, planned } = await control.plan(request, permission, sorts)
          // If the scene begins with a delay, the user's request waits for it, so the deadline does not apply.
          if (waveIndex === 0 && waitMs <= 0) firstTaskCallbacks?.assertBeforeDeadline()
          const waveLabel = waves.length > 1 ? `（${waveIndex + 1}/${waves.length}）` : ''
          const { task, reached } = await control.begin(
            {
              projectId,
              title: title + waveLabel,
              origin: 'scene',
              sourceId: null,
              permission,
              ...target,
              place: target.place + waveLabel,
            },
            planned,
            actor,
            waveIndex === 0 ? firstId : uuidv7(),
          )
          startedTaskIds.push(task.id)
          if (waveIndex === 0) firstTaskCallbacks?.onStarted(task, reached)
          await queries.updateRun(run, { taskIds: startedTaskIds })
          if (scene.order === 'serial') await waitForTask(tasks, task.id, signal)
        } catch (error) {
          // A user who starts a scene receives the error; a run without a user continues with the remaining waves.
          if (!(error instanceof Refusal) || (waveIndex === 0 && firstTaskCallbacks)) throw error
          reasons.add(error.message)
          if (error instanceof AllHeldRefusal) heldWaves++
        }
      }
      await Promise.all(startedTaskIds.map((id) => waitForTask(tasks, id, signal)))
    } catch (error) {
      const isAborted = signal.aborted
      if (!isAborted && !(error instanceof Refusal)) logError('场景未执行完', error)
      if (waveIndex === 0) firstTaskCallbacks?.onRefused(error)
      reasons.add(
        isAborted ? '平台停止' : error instanceof Refusal ? error.message : '服务器内部错误',
      )
    }
    const remainingWaves = waves.length - waveIndex
    if (remainingWaves > 0 && startedTaskIds.length > 0)
      reasons.add(`还有 ${remainingWaves} 步没有执行`)
    const isComplete = startedTaskIds.length > 0 && remainingWaves === 0
    const isHeld = waves.length > 0 && heldWaves === waves.length
    const status = isComplete ? 'done' : isHeld ? 'skipped' : 'failed'
    const outcome = { taskIds: startedTaskIds, status, reason: [...reasons].join('；') } as const
    await endRun(run, outcome).catch((error) => logError('场景执行记录未写入', error))
    onEnded(projectId)
  }
}
type EndRun = (run: Run, outcome: Pick<Run, 'status' | 'reason'> & Partial<Run>) => Promise<void>
type RunExecutor = ReturnType<typeof createRunExecutor>

/** Launches runs and keeps the open ones of this process, so that they can be awaited and aborted. */
function createRunLauncher(executeRun: RunExecutor) {
  const openRuns = new Map<string, { abort: AbortController; over: Promise<void> }>()

  return {
    hasOpenRuns: () => openRuns.size > 0,
    launchRun(
      run: Run,
      actor: TaskActor,
      firstId: string,
      firstTaskCallbacks?: FirstTaskCallbacks,
    ) {
      const abort = new AbortController()
      const completion = executeRun(run, actor, firstId, abort.signal, firstTaskCallbacks).finally(
        () => openRuns.delete(run.id),
      )
      openRuns.set(run.id, { abort, over: completion })
    },
    /** Resolves when all runs of this process have ended. */
    idle: () => Promise.all([...openRuns.values()].map(({ over }) => over)),
    abortAll() {
      for (const { abort } of openRuns.values()) abort.abort()
    },
  }
}

/**
 * Runs scenes. Each run is a row of the run log, with one control task per wave of actions. The row is also the claim:
 * only one of several processes can insert it.
 */
export function openSceneRunner(app: FastifyInstance) {
  const { db } = app
  const processId = uuidv7()
  const queries = runQueries(db)
  /**
   * `unfinished` carries the id of a project whose open incidents may have changed, because a run ended or was not
   * started.
   */
  const events = new EventEmitter<{ unfinished: [number] }>()
  const endRun: EndRun = async (run, outcome) => {
    const quietFields =
      outcome.status === 'failed'
        ? await buildQuietFields(db, { projectId: run.projectId, id: run.sceneId })
        : {}
    await queries.updateRun(run, { ...outcome, ...quietFields, doneTime: now() })
  }
  const executeRun = createRunExecutor(app, queries, endRun, (projectId) =>
    events.emit('unfinished', projectId),
  )
  const { hasOpenRuns, launchRun, idle, abortAll } = createRunLauncher(executeRun)
  const heartbeatTimer = setInterval(() => {
    if (hasOpenRuns())
      queries.renewClaims(processId).catch((error) => logError('场景执行记录未写入', error))
  }, heartbeatMs).unref()

  const createRun = (
    { projectId, id }: SceneKey,
    cause: SceneRun['cause'],
    createBy: string,
    extraFields: Partial<Run> = {},
  ) =>
    queries.insertRun({
      projectId,
      sceneId: id,
      cause,
      createBy,
      status: 'running',
      claimedBy: processId,
      ...extraFields,
    })

  return {
    events,
    /** Starts a scene for a user and returns the first task. */
    async press(scene: SceneKey, cause: 'manual' | 'trial', context: Context, id: string) {
      const row = requireRow(await sceneQueries(db).get(scene.id), '场景')
      if (row.projectId !== scene.projectId) throw createMissingRefusal('场景')
      const run = (await createRun(scene, cause, context.user.username))!
      return new Promise<ControlTask>((resolve, reject) =>
        launchRun(run, context.user, id, {
          onStarted(task, reachedCount) {
            const after = formatTaskSize(reachedCount, task)
            context.recordChange({ entity: '控制任务', id, name: task.title, after })
            resolve(task)
          },
          onRefused: reject,
          assertBeforeDeadline: context.assertBeforeDeadline,
        }),
      )
    },
    /** Starts a scene for a schedule or condition; returns false if another process has started it. */
    async start(scene: SceneKey, cause: 'timer' | 'condition', dueMs?: number) {
      const actor = { id: null, username: cause === 'timer' ? '定时' : '条件' }
      const dueTime = dueMs === undefined ? null : new Date(dueMs).toISOString()
      const reason = await getProjectRefusal(db, scene.projectId, 'schedule')
      const skippedFields = reason ? { status: 'skipped' as const, reason, doneTime: now() } : {}
      const run = await createRun(scene, cause, actor.username, { dueTime, ...skippedFields })
      if (run && !reason) launchRun(run, actor, uuidv7())
      return run !== undefined
    },
    /** Records a run that did not start, because it was missed or something prevented it. */
    async leave(
      scene: SceneKey,
      { cause, status, reason, due }: Pick<Run, 'cause' | 'status' | 'reason'> & { due?: number },
    ) {
      const isMissed = status === 'missed'
      const scheduleRefusal = isMissed && (await getProjectRefusal(db, scene.projectId, 'schedule'))
      const run = await createRun(scene, cause, cause === 'timer' ? '定时' : '条件', {
        ...(scheduleRefusal
          ? { status: 'skipped', reason: scheduleRefusal }
          : { status, reason, ...(isMissed && (await buildQuietFields(db, scene))) }),
        doneTime: now(),
        dueTime: due === undefined ? null : new Date(due).toISOString(),
      })
      events.emit('unfinished', scene.projectId)
      return run
    },
    /**
     * Takes over runs of processes that died: a run without tasks within the catch-up window is started, others are
     * closed.
     */
    async sweep(timeMs: number) {
      for (const run of await queries.takeOver(processId)) {
        const dueMs = run.dueTime ? Date.parse(run.dueTime) : undefined
        if (run.taskIds.length === 0 && dueMs !== undefined && timeMs - dueMs <= catchUpWindowMs)
          launchRun(run, { id: null, username: run.createBy }, uuidv7())
        else {
          await endRun(run, { status: 'failed', reason: '执行的进程中断，其余动作没有执行' })
          events.emit('unfinished', run.projectId)
        }
      }
    },
    findRunByTask: queries.findByTask,
    isRunning: async (scene: SceneKey) => (await queries.countOpenRuns(scene)) > 0,
    /** Resolves when all runs of this process have ended. */
    idle,
    async close() {
      clearInterval(heartbeatTimer)
      abortAll()
      await this.idle()
    },
  }
}
export type SceneRunner = ReturnType<typeof openSceneRunner>
