import { setTimeout as pause } from 'node:timers/promises'
import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { createMissingRefusal, createRefusal, Refusal } from '../../core/refusal'
import type { TaskRow } from '../../core/tasks/queries'
import { AllHeldRefusal } from '../control/policy'
import { assertProjectAllows } from '../project/policy'
import { sceneQueries, type SceneWithActions } from './queries'
import type { EndRun } from './runEnd'
import type { Run, RunQueries } from './runQueries'

export type TaskActor = Parameters<FastifyInstance['control']['begin']>[2]
type RunnerApp = Pick<FastifyInstance, 'db' | 'tasks' | 'control' | 'devices'>
type Wave = { delay: number; sorts: number[] }

/**
 * Groups actions that start together: parallel actions with the same delay form a wave, serial actions one wave each.
 */
function groupIntoWaves({ order, actions }: Pick<SceneWithActions, 'order' | 'actions'>): Wave[] {
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
export type FirstTaskCallbacks = {
  onStarted: (task: ControlTask, reachedCount: number) => void
  onRefused: (reason: unknown) => void
  assertBeforeDeadline: () => void
}

/** Creates the function that executes one run wave by wave and records its outcome; `onEnded` is called last. */
export function createRunExecutor(
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
export type RunExecutor = ReturnType<typeof createRunExecutor>
