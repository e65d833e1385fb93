import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, lt, notExists, or, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { refused, wrongField } from '../../core/refusal'
import { idempotencyKey as table } from '../../tables/control'
import { now } from '../../tables/columns'
import { task } from '../../tables/task'

const day = 24 * 3600_000
/** A start takes seconds; what has no task by then was left by a process that died. */
const starting = 30_000
const patience = 10_000

type Press = {
  userId: string
  key: string | undefined
  /** What the press asks for; the same key for another is refused. */
  request: unknown
}
type Work<T> = {
  /** Enters the task under this id. */
  start: (id: string) => Promise<T>
  /** The task the first call started; undefined while it has not entered it. */
  find: (id: string) => Promise<T | undefined>
}

/** A press that is sent twice with one `Idempotency-Key`, within a day and by one user, is one press. */
export async function once<T>(
  db: Db,
  { userId, key, request }: Press,
  { start, find }: Work<T>,
): Promise<T> {
  if (key === undefined) return start(uuidv7())
  if (!/^[\x21-\x7e]{1,100}$/.test(key))
    throw wrongField('Idempotency-Key', 'Idempotency-Key 须为 1–100 个字母、数字或符号')
  const mine = and(eq(table.userId, userId), eq(table.key, key))
  const before = (ms: number) => lt(table.createTime, new Date(Date.now() - ms).toISOString())

  await db.delete(table).where(and(eq(table.userId, userId), before(day)))
  const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  const row = { userId, key, digest, taskId: uuidv7(), createTime: now() }
  const [reserved] = await db
    .insert(table)
    .values(row)
    .onConflictDoUpdate({
      target: [table.userId, table.key],
      set: { taskId: row.taskId, digest, createTime: row.createTime },
      setWhere: or(
        before(day),
        and(
          before(starting),
          notExists(
            db
              .select({ one: sql`1` })
              .from(task)
              .where(eq(task.id, table.taskId)),
          ),
        ),
      ),
    })
    .returning({ taskId: table.taskId })
  if (reserved)
    return start(row.taskId).catch(async (error: unknown) => {
      // Nothing was done: the same press may be tried again.
      await db
        .delete(table)
        .where(and(mine, eq(table.taskId, row.taskId)))
        .catch(() => {})
      throw error
    })

  for (const until = Date.now() + patience; Date.now() < until; await pause(100)) {
    const [first] = await db.select().from(table).where(mine)
    if (!first) break
    // A row of a former version does not say what it was for.
    if (first.digest !== null && first.digest !== digest)
      throw wrongField('Idempotency-Key', '这个 Idempotency-Key 已用于另一次操作')
    const found = await find(first.taskId)
    if (found) return found
  }
  throw refused('同一次操作没有下发成功，请重新操作')
}
