import { EventEmitter } from 'node:events'
import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import type { SceneRun } from '@iot/shared/contract/control/scene.schema'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import { logError } from '../../core/db/outage'
import { requireRow, createMissingRefusal } from '../../core/refusal'
import type { Context } from '../../core/http/context'
import { now } from '../../tables/columns'
import { formatTaskSize } from '../control/policy'
import { getProjectRefusal } from '../project/policy'
import { sceneQueries } from './queries'
import { buildQuietFields, createRunEnd } from './runEnd'
import {
  createRunExecutor,
  type FirstTaskCallbacks,
  type RunExecutor,
  type TaskActor,
} from './runExecutor'
import { runQueries, type Run, type SceneKey } from './runQueries'

const heartbeatMs = 5000
/** Catch-up window in milliseconds: a missed run that is older is recorded but not started. */
export const catchUpWindowMs = 10 * 60_000

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
  const endRun = createRunEnd(db, queries)
  const executeRun = createRunExecutor(app, queries, endRun, (projectId) =>
    events.emit('unfinished', projectId),
  )
  const { hasOpenRuns, launchRun, idle, abortAll } = createRunLauncher(executeRun)
  const heartbeatTimer = setInterval(() => {
    if (hasOpenRuns())
      queries.renewClaims(processId).catch((error) => logError('场景执行记录未写入', error))
  }, heartbeatMs).unref()

  const toRunRow = (
    { projectId, id }: SceneKey,
    cause: SceneRun['cause'],
    createBy: string,
    extraFields: Partial<Run> = {},
  ) => ({
    projectId,
    sceneId: id,
    cause,
    createBy,
    status: 'running' as const,
    claimedBy: processId,
    ...extraFields,
  })

  return {
    events,
    /** Starts a scene for a user and returns the first task. */
    async press(scene: SceneKey, cause: 'manual' | 'trial', context: Context, id: string) {
      const row = requireRow(await sceneQueries(db).get(scene.id), '场景')
      if (row.projectId !== scene.projectId) throw createMissingRefusal('场景')
      const run = (await queries.insertRun(toRunRow(scene, cause, context.user.username)))!
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
    /**
     * Starts a scene for a schedule or condition; returns false if another process has started it or its silence period
     * lasts.
     * @param skipReason records a run that is skipped for this reason instead
     */
    async start(
      scene: SceneKey,
      cause: 'timer' | 'condition',
      { dueMs, skipReason }: { dueMs?: number; skipReason?: string } = {},
    ) {
      const actor = { id: null, username: cause === 'timer' ? '定时' : '条件' }
      const dueTime = dueMs === undefined ? null : new Date(dueMs).toISOString()
      const reason = skipReason ?? (await getProjectRefusal(db, scene.projectId, 'schedule'))
      const skippedFields = reason ? { status: 'skipped' as const, reason, doneTime: now() } : {}
      const run = await queries.insertUnlessSilent(
        toRunRow(scene, cause, actor.username, { dueTime, ...skippedFields }),
      )
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
      const fields: Partial<Run> = scheduleRefusal
        ? { status: 'skipped', reason: scheduleRefusal }
        : { status, reason, ...(isMissed && (await buildQuietFields(db, scene.projectId))) }
      const run = await queries.insertRun(
        toRunRow(scene, cause, cause === 'timer' ? '定时' : '条件', {
          ...fields,
          doneTime: now(),
          dueTime: due === undefined ? null : new Date(due).toISOString(),
        }),
      )
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
