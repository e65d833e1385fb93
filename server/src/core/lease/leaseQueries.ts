import { sql } from 'drizzle-orm'
import type { Db } from '../db/db'

/** A lease ends this many seconds after its last renewal, so a killed holder is replaced within ten seconds. */
export const leaseSeconds = 7

export type HeldLease = { name: string; fence: number }

/** A statement of a holder found that another process has taken over its lease; nothing was written. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

const leaseEnd = sql`now() + make_interval(secs => ${leaseSeconds})`
/** All leases travel as one JSON parameter, so that the statement is the same for any number. */
const toJson = (leases: readonly HeldLease[]) => sql`${JSON.stringify(leases)}::jsonb`
const toFenceNumber = ({ name, fence }: { name: string; fence: string | number }): HeldLease => ({
  name,
  fence: Number(fence),
})

/** Every comparison of times uses the clock of the database, because the clocks of several machines differ. */
export const leaseQueries = (db: Db) => ({
  /**
   * Takes those of the leases that are free and returns them with their new fences. A lease that its former holder has
   * locked in a transaction is skipped, because waiting for it would delay the renewals of this process.
   * @param isOnlyProcess true if every present holder belongs to a process that has ended
   */
  async acquire(holder: string, names: string[], isOnlyProcess: boolean): Promise<HeldLease[]> {
    const { rows } = await db.execute<HeldLease>(sql`
      with wanted as (
        select value as name from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb)
      ), created as (
        insert into lease (name, holder, fence, ends_at) select name, ${holder}, 1, ${leaseEnd} from wanted order by name
        on conflict (name) do nothing returning name, fence
      ), free as (
        select name from lease where name in (select name from wanted) and (ends_at <= now() or ${isOnlyProcess})
        order by name for update skip locked
      ), taken as (
        update lease set holder = ${holder}, fence = lease.fence + 1, ends_at = ${leaseEnd} from free
        where lease.name = free.name returning lease.name, lease.fence
      )
      select name, fence from created union all select name, fence from taken`)
    return rows.map(toFenceNumber)
  },
  /** Extends the leases and returns the names of those that this holder still has. */
  async renew(holder: string, leases: readonly HeldLease[]) {
    const { rows } = await db.execute<{ name: string }>(sql`
      update lease set ends_at = ${leaseEnd}
      from jsonb_to_recordset(${toJson(leases)}) as held(name text, fence bigint)
      where lease.name = held.name and lease.holder = ${holder} and lease.fence = held.fence
      returning lease.name`)
    return rows.map(({ name }) => name)
  },
  /** Ends the leases now, so that another process can take them over at once. */
  release: (holder: string, leases: readonly HeldLease[]) =>
    db.execute(sql`
      update lease set ends_at = now()
      from jsonb_to_recordset(${toJson(leases)}) as held(name text, fence bigint)
      where lease.name = held.name and lease.holder = ${holder} and lease.fence = held.fence`),
  /** Removes rows that belonged to processes which ended long ago. */
  removeEnded: (prefix: string) =>
    db.execute(
      sql`delete from lease where name like ${`${prefix}%`} and ends_at < now() - interval '1 hour'`,
    ),
  /** Lists the leases below a prefix that have not ended, by name. */
  async listCurrent(prefix: string) {
    const { rows } = await db.execute<{ name: string; holder: string }>(
      sql`select name, holder from lease where name like ${`${prefix}%`} and ends_at > now() order by name`,
    )
    return rows
  },
})

/**
 * Locks the leases against a take-over until the transaction of their holder ends. Renewals change no key column, so
 * they need not wait for this lock.
 * @param maxIdleSeconds a holder that stops inside the transaction loses its connection, and with it the lock, after this
 * time; 0 stands for no limit
 * @throws LeaseLostError if any of them belongs to another process by now
 */
export async function guardByLease(
  tx: Db,
  holder: string,
  leases: readonly HeldLease[],
  maxIdleSeconds: number,
) {
  const { rows } = await tx.execute(sql`
    select set_config('idle_in_transaction_session_timeout', ${`${maxIdleSeconds}s`}, true)
    from (
      select name from lease where holder = ${holder} and (name, fence) in (
        select name, fence from jsonb_to_recordset(${toJson(leases)}) as held(name text, fence bigint)
      ) order by name for key share of lease
    ) as own`)
  if (leases.length === 0 || rows.length < leases.length)
    throw new LeaseLostError('另一个进程已接手，没有写入')
}
