import { EventEmitter } from 'node:events'
import { doneOf, type TaskKind } from '@iot/shared/contract/task'
import { uuidv7 } from 'uuidv7'
import { now } from '../../tables/columns'
import type { Db } from '../db/db'
import { refused } from '../refusal'
import { asRefusal } from '../serve/errors'
import { taskQueries, type Ending, type TaskRow } from './queries'
import { openResults, type Results } from './results'

/** How often a process renews its claims, and so how soon it hears of a cancel that reached another one. */
const beatEvery = 2_000
const hour = 3600_000
/** A claim that has not been renewed for so many seconds belongs to nobody. */
const standstill = 7
const patience = 10_000

export type Draft = Pick<TaskRow, 'kind' | 'title' | 'ownerId' | 'createBy' | 'total'> &
  Partial<Pick<TaskRow, 'id' | 'projectId' | 'counts' | 'detail' | 'listed'>>
type Why = 'cancel' | 'stop' | 'lost'

/** What the work of a task is given. */
export type Step = {
  readonly row: TaskRow
  /** Aborted when somebody cancels, when the platform stops, and when another process took the task for dead. */
  signal: AbortSignal
  /**
   * Writes how far it is. In a transaction (`tx`) the count and what it counts are kept together or not at all.
   * @throws where the task is not ours any more
   */
  progress: (change: Partial<Pick<TaskRow, 'counts' | 'total'>>, tx?: Db) => Promise<void>
  /** Writes the result file; the task has it once its ending says so. */
  keep: (
    name: string,
    content: Parameters<Results['write']>[2],
  ) => Promise<NonNullable<TaskRow['file']>>
  /** The same of secrets: a file of its own that is taken once. */
  keepSecrets: (name: string, content: Buffer) => Promise<NonNullable<TaskRow['file']>>
}
/** Puts right what a process that died left behind; `why` is what became of it. */
type Closer = (row: TaskRow, why: string) => Promise<Ending>
type Running = { row: TaskRow; abort: AbortController; entered: boolean; over: Promise<void> }
type Options = {
  /** No other process works on this database: what runs and is not ours was left by one that is gone. */
  alone: boolean
  reportError: (error: Error) => void
  /** Of the result files. */
  folder?: string
}

/**
 * Long work. A task is a row; the process that runs it holds its claim and renews it, anybody who may cancels it through
 * the row, and a task whose process died is closed with the reason by whoever finds it.
 * @example const { row, over } = await app.tasks.run({ kind: 'export', title, ownerId, createBy, total }, async (step) => { while (…) { if (step.signal.aborted) return; await step.progress({ counts: { success } }) } })
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
    // Where it cannot be written the claim runs out, and the sweep closes it.
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

  /** Closes what no living process works on. */
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

  /** Renews, and closes what stands; the latter only where this process has had no standstill of its own. */
  let lastWatch = 0
  let awake = Date.now()
  async function watch() {
    const began = Date.now()
    if (began - lastWatch > 2 * beatEvery) awake = began
    try {
      await beat()
      // Others may not have been able to renew theirs either.
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
    /** As it stands in this process, which may be ahead of the database. */
    current: (id: string): TaskRow | undefined => running.get(id)?.row,
    find: async (id: string) => running.get(id)?.row ?? queries.find(id),
    recent: async (ownerId: string) =>
      (await queries.recent(ownerId)).map((row) => running.get(row.id)?.row ?? row),
    /** Takes a preview for who confirms it first; `reopen` gives it back. */
    confirm: queries.confirm,
    reopen: queries.reopen,
    /** How many of a user's imports and exports run. */
    openFiles: queries.openFiles,
    /** The secrets of a task, for who asks first; `end` says whether they arrived. Nothing where they are taken. */
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
    /** Asks a task to stop, whichever process runs it. */
    async cancel(id: string): Promise<TaskRow> {
      const row = await queries.cancel(id)
      if (!row) throw refused('任务已经结束')
      const mine = running.get(id)
      if (mine) stop(mine, 'cancel')
      events.emit('changed', mine?.row ?? row)
      return mine?.row ?? row
    },
    /** What else there is to do when a task of this kind lost its process. */
    closes: (kind: TaskKind, closer: Closer) => void closers.set(kind, closer),
    sweep: () => sweep(),
    /** Once every module is there. */
    async begin() {
      await Promise.all([sweep(), results.sweep()])
      const quietly = (work: () => Promise<void>) => () => void work().catch(reportError)
      timers.push(
        setInterval(quietly(watch), beatEvery).unref(),
        setInterval(quietly(results.sweep), hour).unref(),
      )
    },
    /** What cannot end in time is closed at the next start. */
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
