import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { ControlTask } from '@iot/shared/contract/control'
import { rights } from '@iot/shared/contract/homeRights'
import type { SceneRun } from '@iot/shared/contract/scene'
import { and, arrayContains, eq, isNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { complain } from '../../core/db/outage'
import { found, missing, refused, Refusal } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import type { TaskRow } from '../../core/tasks/queries'
import { now } from '../../tables/columns'
import { sceneRun } from '../../tables/scene'
import { projectMustAllow, refusedByProject } from '../project/policy'
import { sceneQueries, type WholeScene } from './queries'

const beatEvery = 5000
/** A claim that was not renewed for this many seconds is free to be taken over. */
const standstill = 20
/** Catch-up window in milliseconds: a missed run that is older is recorded but not started. */
export const madeUp = 10 * 60_000

type Beginner = Parameters<FastifyInstance['control']['begin']>[2]
type Run = typeof sceneRun.$inferSelect
type Named = { projectId: number; id: string }
export type Wave = { delay: number; sorts: number[] }

/**
 * Groups actions that start together: parallel actions with the same delay form a wave, serial actions one wave each.
 */
export function wavesOf({ order, actions }: Pick<WholeScene, 'order' | 'actions'>): Wave[] {
  if (order === 'serial') return actions.map(({ delay }, at) => ({ delay, sorts: [at + 1] }))
  const waves = new Map<number, number[]>()
  for (const [at, { delay }] of actions.entries())
    waves.set(delay, [...(waves.get(delay) ?? []), at + 1])
  return [...waves]
    .map(([delay, sorts]) => ({ delay, sorts }))
    .sort((one, other) => one.delay - other.delay)
}

const runQueries = (db: Db) => ({
  /** Inserts a run; returns undefined if another process has inserted the same due time. */
  enter: async (row: typeof sceneRun.$inferInsert): Promise<Run | undefined> =>
    (await db.insert(sceneRun).values(row).onConflictDoNothing().returning())[0],
  change: (run: Run, change: Partial<Run>) =>
    db
      .update(sceneRun)
      .set(change)
      .where(and(eq(sceneRun.id, run.id), eq(sceneRun.claimedBy, run.claimedBy))),
  beat: (claimedBy: string) =>
    db
      .update(sceneRun)
      .set({ claimTime: sql`now()` })
      .where(and(eq(sceneRun.claimedBy, claimedBy), eq(sceneRun.status, 'running'))),
  /** Takes over runs whose claim has expired; each run goes to only one of the processes that call this. */
  takeOver: (claimedBy: string) =>
    db
      .update(sceneRun)
      .set({ claimedBy, claimTime: sql`now()` })
      .where(
        and(
          eq(sceneRun.status, 'running'),
          sql`${sceneRun.claimTime} < now() - make_interval(secs => ${standstill})`,
        ),
      )
      .returning(),
  ofTask: async (id: string) =>
    (
      await db
        .select()
        .from(sceneRun)
        .where(arrayContains(sceneRun.taskIds, [id]))
    )[0],
  openOf: async ({ projectId, id }: Named) =>
    db.$count(
      sceneRun,
      and(eq(sceneRun.projectId, projectId), eq(sceneRun.sceneId, id), isNull(sceneRun.doneTime)),
    ),
})

/**
 * Runs scenes. Each run is a row of the run log, with one control task per wave of actions. The row is also the claim:
 * only one of several processes can insert it.
 */
export function openSceneRuns({ db, tasks, control, devices }: FastifyInstance) {
  const me = uuidv7()
  const queries = runQueries(db)
  /**
   * `unfinished` carries the id of a project whose open incidents may have changed, because a run ended or was not
   * started.
   */
  const events = new EventEmitter<{ unfinished: [number] }>()
  const open = new Map<string, { abort: AbortController; over: Promise<void> }>()
  const beats = setInterval(() => {
    if (open.size > 0) queries.beat(me).catch((error) => complain('场景执行记录未写入', error))
  }, beatEvery).unref()

  const begun = (
    { projectId, id }: Named,
    cause: SceneRun['cause'],
    createBy: string,
    more: Partial<Run> = {},
  ) =>
    queries.enter({
      projectId,
      sceneId: id,
      cause,
      createBy,
      status: 'running',
      claimedBy: me,
      ...more,
    })

  /** Resolves when the task has ended or the signal is aborted. */
  const ended = (id: string, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const over = () => {
        tasks.events.off('changed', heard)
        signal.removeEventListener('abort', over)
        resolve()
      }
      const heard = (row: TaskRow) => row.id === id && row.doneTime !== null && over()
      tasks.events.on('changed', heard)
      signal.addEventListener('abort', over)
      void tasks.find(id).then((row) => (row?.doneTime ?? signal.aborted) && over(), over)
    })

  /** Later waves refer to actions by position, so an edit of the scene stops the run. */
  async function mustBeSame(scene: WholeScene) {
    const now = await sceneQueries(db).get(scene.id)
    if (!now) throw missing('场景')
    const does = ({ order, actions, status }: WholeScene) =>
      JSON.stringify([order, actions, status])
    if (does(now) !== does(scene)) throw refused('场景在执行中被修改')
  }

  /** @param first receives the first task, or the reason why there is none */
  async function carryOut(
    run: Run,
    by: Beginner,
    firstId: string,
    signal: AbortSignal,
    first?: {
      begun: (task: ControlTask, reached: number) => void
      refused: (why: unknown) => void
      assertBeforeDeadline: () => void
    },
  ) {
    const { projectId, sceneId } = run
    const began: string[] = []
    const reasons = new Set<string>()
    let waves: Wave[] = []
    let at = 0
    try {
      const scene = await sceneQueries(db).get(sceneId)
      if (!scene) throw missing('场景')
      await projectMustAllow(db, projectId, 'control')
      waves = wavesOf(scene)
      const start = Date.now()
      for (; at < waves.length; at++) {
        const { delay, sorts } = waves[at]!
        const wait = scene.order === 'serial' ? delay * 1000 : start + delay * 1000 - Date.now()
        if (at === 0) first?.assertBeforeDeadline()
        if (wait > 0) await pause(wait, undefined, { signal })
        await devices.states.flush()
        if (at > 0) await mustBeSame(scene)
        const request = { kind: 'scene', projectId, sceneId, trial: run.cause === 'trial' } as const
        const permission = rights.scene.permission
        try {
          const { title, planned } = await control.plan(request, permission, sorts)
          // If the scene begins with a delay, the user's request waits for it, so the deadline does not apply.
          if (at === 0 && wait <= 0) first?.assertBeforeDeadline()
          const part = waves.length > 1 ? `（${at + 1}/${waves.length}）` : ''
          const { task, reached } = await control.begin(
            { projectId, title: title + part, origin: 'scene', sourceId: null, permission },
            planned,
            by,
            at === 0 ? firstId : uuidv7(),
          )
          began.push(task.id)
          if (at === 0) first?.begun(task, reached)
          await queries.change(run, { taskIds: began })
          if (scene.order === 'serial') await ended(task.id, signal)
        } catch (error) {
          // A user who starts a scene receives the error; a run without a user continues with the remaining waves.
          if (!(error instanceof Refusal) || (at === 0 && first)) throw error
          reasons.add(error.message)
        }
      }
      await Promise.all(began.map((id) => ended(id, signal)))
    } catch (error) {
      const isOver = signal.aborted
      if (!isOver && !(error instanceof Refusal)) complain('场景未执行完', error)
      if (at === 0) first?.refused(error)
      reasons.add(isOver ? '平台停止' : error instanceof Refusal ? error.message : '服务器内部错误')
    }
    const left = waves.length - at
    if (left > 0 && began.length > 0) reasons.add(`还有 ${left} 步没有执行`)
    await queries
      .change(run, {
        taskIds: began,
        status: began.length > 0 && left === 0 ? 'done' : 'failed',
        reason: [...reasons].join('；'),
        doneTime: now(),
      })
      .catch((error) => complain('场景执行记录未写入', error))
    events.emit('unfinished', projectId)
  }

  function go(run: Run, by: Beginner, firstId: string, first?: Parameters<typeof carryOut>[4]) {
    const abort = new AbortController()
    const over = carryOut(run, by, firstId, abort.signal, first).finally(() => open.delete(run.id))
    open.set(run.id, { abort, over })
  }

  return {
    events,
    /** Starts a scene for a user and returns the first task. */
    async press(scene: Named, cause: 'manual' | 'trial', context: Context, id: string) {
      const row = found(await sceneQueries(db).get(scene.id), '场景')
      if (row.projectId !== scene.projectId) throw missing('场景')
      const run = (await begun(scene, cause, context.user.username))!
      return new Promise<ControlTask>((resolve, reject) =>
        go(run, context.user, id, {
          begun(task, reached) {
            const after = { 影响: reached, 跳过: task.total - reached }
            context.note({ entity: '控制任务', id, name: task.title, after })
            resolve(task)
          },
          refused: reject,
          assertBeforeDeadline: context.assertBeforeDeadline,
        }),
      )
    },
    /** Starts a scene for a schedule or condition; returns false if another process has started it. */
    async start(scene: Named, cause: 'timer' | 'condition', due?: number) {
      const by = { id: null, username: cause === 'timer' ? '定时' : '条件' }
      const dueTime = due === undefined ? null : new Date(due).toISOString()
      const reason = await refusedByProject(db, scene.projectId, 'schedule')
      const over = reason ? { status: 'skipped' as const, reason, doneTime: now() } : {}
      const run = await begun(scene, cause, by.username, { dueTime, ...over })
      if (run && !reason) go(run, by, uuidv7())
      return run !== undefined
    },
    /** Records a run that did not start, because it was missed or something prevented it. */
    async leave(
      scene: Named,
      { cause, status, reason, due }: Pick<Run, 'cause' | 'status' | 'reason'> & { due?: number },
    ) {
      const run = await begun(scene, cause, cause === 'timer' ? '定时' : '条件', {
        status,
        reason,
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
    async sweep(at: number) {
      for (const run of await queries.takeOver(me)) {
        const due = run.dueTime ? Date.parse(run.dueTime) : undefined
        if (run.taskIds.length === 0 && due !== undefined && at - due <= madeUp)
          go(run, { id: null, username: run.createBy }, uuidv7())
        else {
          await queries.change(run, {
            status: 'failed',
            reason: '执行的进程中断，其余动作没有执行',
            doneTime: now(),
          })
          events.emit('unfinished', run.projectId)
        }
      }
    },
    runOf: queries.ofTask,
    isRunning: async (scene: Named) => (await queries.openOf(scene)) > 0,
    /** Resolves when all runs of this process have ended. */
    idle: () => Promise.all([...open.values()].map(({ over }) => over)),
    async close() {
      clearInterval(beats)
      for (const { abort } of open.values()) abort.abort()
      await this.idle()
    },
  }
}
export type SceneRuns = ReturnType<typeof openSceneRuns>
