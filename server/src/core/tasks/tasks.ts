import { EventEmitter } from 'node:events'
import { doneOf, type TaskKind } from '@iot/shared/contract/task'
import { uuidv7 } from 'uuidv7'
import { now } from '../../tables/columns'
import type { Db } from '../db/db'
import { refused } from '../refusal'
import { asRefusal } from '../serve/errors'
import { taskQueries, type Ending, type TaskRow } from './queries'
import { openResults, type Results } from './results'

/**
 * A process renews its claims at this interval in milliseconds and notices within it that another process has
 * cancelled a task.
 */
const beatEvery = 2_000
const hour = 3600_000
/** A claim that was not renewed for this many seconds has expired. */
const standstill = 7
const patience = 10_000

export type Draft = Pick<TaskRow, 'kind' | 'title' | 'ownerId' | 'createBy' | 'total'> &
  Partial<Pick<TaskRow, 'id' | 'projectId' | 'counts' | 'detail' | 'listed'>>
type Why = 'cancel' | 'stop' | 'lost'

/** The work of a task receives this interface to report progress and store files. */
export type Step = {
  readonly row: TaskRow
  /** Aborted if a user cancels, the platform stops, or another process has closed the task. */
  signal: AbortSignal
  /**
   * Stores the progress. With `tx` the counts are committed together with the counted rows.
   * @throws Error if another process has closed the task
   */
  progress: (change: Partial<Pick<TaskRow, 'counts' | 'total'>>, tx?: Db) => Promise<void>
  /** Writes the result file; the task offers it once its ending names it. */
  keep: (
    name: string,
    content: Parameters<Results['write']>[2],
  ) => Promise<NonNullable<TaskRow['file']>>
  /** Writes the one-time secrets to a separate file that can be downloaded once. */
  keepSecrets: (name: string, content: Buffer) => Promise<NonNullable<TaskRow['file']>>
}
/** Cleans up after a task whose process died; `why` is the reason shown to the user. */
type Closer = (row: TaskRow, why: string) => Promise<Ending>
type Running = { row: TaskRow; abort: AbortController; entered: boolean; over: Promise<void> }
type Options = {
  /**
   * True if no other process uses this database, so that open tasks without an owner here were left by a process that
   * has ended.
   */
  alone: boolean
  reportError: (error: Error) => void
  /** The result files are stored in this folder. */
  folder?: string
}

/**
 * Runs long tasks. A task is a row: the process that runs it holds and renews its claim, any permitted user cancels
 * it through the row, and a task whose process died is closed with a reason by the process that finds it.
 * @example
 * const draft = { kind: 'export', title, ownerId, createBy, total }
 * const { row, over } = await app.tasks.run(draft, async (step) => {
 *   while (…) {
 *     if (step.signal.aborted) return
 *     await step.progress({ counts: { success } })
 *   }
 * })
 */
export function openTasks(db: Db, { alone, reportError, folder }: Options) {
  const me = uuidv7()
  const queries = taskQueries(db)
  const running = new Map<string, Running>()
  const closers = new Map<TaskKind, Closer>()
  const events = new EventEmitter<{ changed: [TaskRow] }>()
  const timers: NodeJS.Timeout[] = []
  const results = openResults(folder)

  const stop = ({ abort, row }: Running, why: Why) => {
    if (why === 'cancel') row.status = 'cancelled'
    abort.abort(why)
  }

  async function run(draft: Draft, work: (step: Step) => Promise<Ending | void>) {
    const row: TaskRow = {
      id: uuidv7(),
      projectId: null,
      counts: {},
      detail: {},
      listed: true,
      ...draft,
      status: 'running',
      reason: '',
      file: null,
      secrets: null,
      claimedBy: me,
      createTime: now(),
      updateTime: now(),
      doneTime: null,
    }
    const mine: Running = {
      row,
      abort: new AbortController(),
      entered: false,
      over: Promise.resolve(),
    }
    running.set(row.id, mine)
    try {
      await queries.insert(row)
    } catch (error) {
      running.delete(row.id)
      throw error
    }
    mine.entered = true
    events.emit('changed', row)
    mine.over = carryOut(mine, work)
    return { row, over: mine.over }
  }

  async function carryOut(mine: Running, work: (step: Step) => Promise<Ending | void>) {
    const { row, abort } = mine
    const step: Step = {
      row,
      signal: abort.signal,
      async progress(change, tx = db) {
        Object.assign(row, change)
        if (!(await taskQueries(tx).progress(row))) {
          stop(mine, 'lost')
          throw new Error(`任务已由别的进程结束：${row.id}`)
        }
        events.emit('changed', row)
      },
      keep: (name, content) => results.write(row.id, name, content),
      keepSecrets: (name, content) => results.write(secretsOf(row.id), name, content),
    }
    const ending = await work(step).then(
      (ending) => ending ?? {},
      (error: Error) => (abort.signal.reason === 'lost' ? {} : failure(error)),
    )
    const isStopped = abort.signal.reason === 'stop' && doneOf(row) < row.total
    const outcome: Ending = isStopped
      ? { status: 'failed', reason: '平台停止，任务中断' }
      : { status: 'done' }
    if (row.status === 'cancelled') ending.status = 'cancelled'
    // If the ending cannot be stored, the claim expires and the sweep closes the task.
    const over = await queries
      .end(row, { ...outcome, ...ending, doneTime: now() })
      .catch(reportError)
    running.delete(row.id)
    if (over) events.emit('changed', Object.assign(row, over))
  }

  function failure(error: Error): Ending {
    const refusal = asRefusal(error)
    if (!refusal) reportError(error)
    return { status: 'failed', reason: refusal?.message ?? '服务器内部错误' }
  }

  async function beat() {
    const mine = [...running.values()].filter(({ entered }) => entered)
    if (mine.length === 0) return
    const rows = await queries.beat(
      mine.map(({ row }) => row.id),
      me,
    )
    const states = new Map(rows.map(({ id, status }) => [id, status]))
    for (const one of mine) {
      const { id, status } = one.row
      if (!running.has(id)) continue
      if (!states.has(id)) stop(one, 'lost')
      else if (states.get(id) === 'cancelled' && status !== 'cancelled') stop(one, 'cancel')
    }
  }

  /** Closes open tasks that no living process works on. */
  async function sweep(forSeconds = alone ? undefined : standstill) {
    for (const row of await queries.standing(forSeconds)) {
      if (running.has(row.id)) continue
      const why =
        row.claimedBy === me ? '数据库中断' : alone ? '平台重启' : '执行任务的进程没有响应'
      const ending = await closers.get(row.kind)?.(row, why)
      const status: TaskRow['status'] = row.status === 'cancelled' ? row.status : 'failed'
      const outcome = { status, reason: `${why}，任务中断`, ...ending, doneTime: now() }
      const over = await queries.end(row, outcome)
      if (over) events.emit('changed', over)
    }
  }

  /** Renews claims and closes abandoned tasks. Tasks are closed only if this process itself has run without a pause. */
  let lastWatch = 0
  let awake = Date.now()
  async function watch() {
    const began = Date.now()
    if (began - lastWatch > 2 * beatEvery) awake = began
    try {
      await beat()
      // During an outage other processes could not renew their claims either, so their tasks are given time.
      if (began - awake > standstill * 1000) await sweep(standstill)
      lastWatch = Date.now()
    } catch (error) {
      lastWatch = 0
      throw error
    }
  }

  return {
    events,
    results,
    run,
    /** Returns the state of a task in this process, which may be ahead of the database. */
    current: (id: string): TaskRow | undefined => running.get(id)?.row,
    find: async (id: string) => running.get(id)?.row ?? queries.find(id),
    recent: async (ownerId: string) =>
      (await queries.recent(ownerId)).map((row) => running.get(row.id)?.row ?? row),
    /** Confirms a preview for the first caller; `reopen` reverts it. */
    confirm: queries.confirm,
    reopen: queries.reopen,
    /** Returns the number of running imports and exports of a user. */
    openFiles: queries.openFiles,
    /**
     * Claims the one-time secrets of a task for the first caller; `end` reports if the download arrived. Returns
     * undefined if they were already taken.
     */
    async takeSecrets({ id, secrets }: TaskRow) {
      if (!secrets || !(await queries.takeSecrets(id))) return undefined
      const file = await results.read(secretsOf(id))
      if (!file) return undefined
      const end = async (arrived: boolean) => {
        if (arrived) await results.remove(secretsOf(id))
        else await queries.giveBackSecrets(id, secrets)
      }
      return { ...file, name: secrets.name, end: (ok: boolean) => void end(ok).catch(reportError) }
    },
    /** Cancels a task, even if another process runs it. */
    async cancel(id: string): Promise<TaskRow> {
      const row = await queries.cancel(id)
      if (!row) throw refused('任务已经结束')
      const mine = running.get(id)
      if (mine) stop(mine, 'cancel')
      events.emit('changed', mine?.row ?? row)
      return mine?.row ?? row
    },
    /** Registers the clean-up for tasks of this kind that lost their process. */
    closes: (kind: TaskKind, closer: Closer) => void closers.set(kind, closer),
    sweep: () => sweep(),
    /** Starts the timers; it must be called after all modules are registered. */
    async begin() {
      await Promise.all([sweep(), results.sweep()])
      const quietly = (work: () => Promise<void>) => () => void work().catch(reportError)
      timers.push(
        setInterval(quietly(watch), beatEvery).unref(),
        setInterval(quietly(results.sweep), hour).unref(),
      )
    },
    /** Aborts the running tasks and waits for them; tasks that do not end within 10 s are closed at the next start. */
    async close() {
      timers.forEach(clearInterval)
      for (const one of running.values()) stop(one, 'stop')
      const ends = Promise.all([...running.values()].map(({ over }) => over))
      let late: NodeJS.Timeout | undefined
      await Promise.race([ends, new Promise((resolve) => (late = setTimeout(resolve, patience)))])
      clearTimeout(late)
      results.close()
    },
  }
}
const secretsOf = (id: string) => `${id}-secrets`
export type Tasks = ReturnType<typeof openTasks>
