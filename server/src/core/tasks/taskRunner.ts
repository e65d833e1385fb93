import { hourMs } from '@iot/shared/contract/duration'
import { EventEmitter } from 'node:events'
import { uuidv7 } from 'uuidv7'
import { now } from '../../tables/columns'
import type { Db } from '../db/db'
import { createRefusal } from '../refusal'
import { taskQueries, type TaskEnding, type TaskRow } from './queries'
import { createResultStore, type ResultStore } from './resultStore'
import { abortTask, type RunningTask } from './runningTask'
import { createSecretsDownload } from './secretsDownload'
import { createTaskClaims, renewIntervalMs } from './taskClaims'
import { createTaskExecutor, leftOpen } from './taskExecutor'

const resultSweepIntervalMs = hourMs
const closeTimeoutMs = 10_000

export type TaskDraft = Pick<TaskRow, 'kind' | 'title' | 'ownerId' | 'createBy' | 'total'> &
  Partial<Pick<TaskRow, 'id' | 'projectId' | 'counts' | 'detail' | 'listed'>>

/** The work of a task receives this interface to report progress and store files. */
export type TaskContext = {
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
    content: Parameters<ResultStore['write']>[2],
  ) => Promise<NonNullable<TaskRow['file']>>
  /** Writes the one-time secrets to a separate file that can be downloaded once. */
  keepSecrets: (name: string, content: Buffer) => Promise<NonNullable<TaskRow['file']>>
}
type TaskRunnerOptions = {
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
export function createTaskRunner(
  db: Db,
  { alone: isOnlyProcess, reportError, folder }: TaskRunnerOptions,
) {
  const processId = uuidv7()
  const queries = taskQueries(db)
  const runningTasks = new Map<string, RunningTask>()
  const events = new EventEmitter<{ changed: [TaskRow] }>()
  const timers: NodeJS.Timeout[] = []
  const results = createResultStore(folder)

  const onChanged = (row: TaskRow) => void events.emit('changed', row)
  const claims = createTaskClaims({
    queries,
    processId,
    isOnlyProcess,
    runningTasks,
    onEnded: onChanged,
  })
  const executeTask = createTaskExecutor(db, { results, runningTasks, onChanged, reportError })

  async function run(
    draft: TaskDraft,
    runWork: (taskContext: TaskContext) => Promise<TaskEnding | void>,
  ) {
    const row = createTaskRow(draft, processId)
    const task: RunningTask = {
      row,
      abort: new AbortController(),
      isInserted: false,
      completion: Promise.resolve(),
    }
    runningTasks.set(row.id, task)
    try {
      await queries.insert(row)
    } catch (error) {
      runningTasks.delete(row.id)
      throw error
    }
    task.isInserted = true
    events.emit('changed', row)
    task.completion = executeTask(task, runWork)
    return { row, over: task.completion }
  }

  return {
    events,
    results,
    run,
    /** Stores a task without a claim: the holders of leases carry it out. */
    async insert(draft: TaskDraft) {
      const row = createTaskRow(draft, '')
      await queries.insert(row)
      events.emit('changed', row)
      return row
    },
    /** Does the work of a stored task in this process; it stays open if the work returns `leftOpen`. */
    carryOut(
      row: TaskRow,
      runWork: (taskContext: TaskContext) => Promise<TaskEnding | typeof leftOpen>,
    ) {
      const task: RunningTask = {
        row,
        abort: new AbortController(),
        isInserted: false,
        completion: Promise.resolve(),
      }
      runningTasks.set(row.id, task)
      task.completion = executeTask(task, runWork)
    },
    /** Resolves when a task of this process has ended. */
    waitFor: async (id: string) => runningTasks.get(id)?.completion,
    /** Aborts a task of this process: another one has cancelled it, or has taken it over. */
    abort(id: string, reason: 'cancel' | 'lost') {
      const task = runningTasks.get(id)
      if (task && !task.abort.signal.aborted) abortTask(task, reason)
    },
    /** Returns the state of a task in this process, which may be ahead of the database. */
    current: (id: string): TaskRow | undefined => runningTasks.get(id)?.row,
    find: async (id: string) => runningTasks.get(id)?.row ?? queries.find(id),
    recent: async (ownerId: string) =>
      (await queries.recent(ownerId)).map((row) => runningTasks.get(row.id)?.row ?? row),
    /** Confirms a preview for the first caller; `reopen` reverts it. */
    confirm: queries.confirm,
    reopen: queries.reopen,
    claimUndo: queries.claimUndo,
    /** Returns the number of running imports and exports of a user. */
    openFiles: queries.openFiles,
    /**
     * Claims the one-time secrets of a task for the first caller; `endDownload` reports if the download arrived. Returns
     * undefined if they were already taken.
     */
    takeSecrets: createSecretsDownload(queries, results, reportError),
    /** Cancels a task, even if another process runs it. */
    async cancel(id: string): Promise<TaskRow> {
      const row = await queries.cancel(id)
      if (!row) throw createRefusal('任务已经结束')
      const task = runningTasks.get(id)
      if (task) abortTask(task, 'cancel')
      events.emit('changed', task?.row ?? row)
      return task?.row ?? row
    },
    /** Registers the clean-up for tasks of this kind that lost their process. */
    registerCloser: claims.registerCloser,
    sweep: claims.sweep,
    /** Starts the timers; it must be called after all modules are registered. */
    async start() {
      await Promise.all([claims.sweep(), results.sweep()])
      const reportFailures = (run: () => Promise<void>) => () => void run().catch(reportError)
      timers.push(
        setInterval(reportFailures(claims.renewAndSweep), renewIntervalMs).unref(),
        setInterval(reportFailures(results.sweep), resultSweepIntervalMs).unref(),
      )
    },
    /** Aborts the running tasks and waits for them; tasks that do not end within 10 s are closed at the next start. */
    async close() {
      timers.forEach(clearInterval)
      for (const task of runningTasks.values()) abortTask(task, 'stop')
      const completions = Promise.all(
        [...runningTasks.values()].map(({ completion }) => completion),
      )
      let timeoutTimer: NodeJS.Timeout | undefined
      await Promise.race([
        completions,
        new Promise((resolve) => (timeoutTimer = setTimeout(resolve, closeTimeoutMs))),
      ])
      clearTimeout(timeoutTimer)
      results.close()
    },
  }
}

const createTaskRow = (draft: TaskDraft, claimedBy: string): TaskRow => ({
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
  claimedBy,
  createTime: now(),
  updateTime: now(),
  doneTime: null,
})

export type TaskRunner = ReturnType<typeof createTaskRunner>
