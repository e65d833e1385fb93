import { eq, sql } from 'drizzle-orm'
import { createTestDatabase } from '../../testing.database'
import { transaction } from '../db/db'
import { openDatabase } from '../db/openDatabase'
import { waitUntil } from '../until'
import { guardByLease, leaseQueries, LeaseLostError, leaseSeconds } from './leaseQueries'
import { createLeases } from './leases'
import { job } from '../../tables/job'

let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  database = await openDatabase(await createTestDatabase())
})
afterAll(() => database.close())
beforeEach(() => database.db.execute(sql`delete from lease`))

const open: { close: () => Promise<unknown> }[] = []
afterEach(() => Promise.all(open.splice(0).map((one) => one.close())))
function createMember(holder: string, isOnlyProcess = false) {
  const member = createLeases(database.db, { isOnlyProcess, holder })
  open.push(member)
  return member
}
/** Lets all leases end, as if their holders had been killed some seconds ago. */
const endAll = () =>
  database.db.execute(sql`update lease set ends_at = now() - interval '1 second'`)
const readRows = async () =>
  (
    await database.db.execute<{ name: string; holder: string; fence: string }>(
      sql`select name, holder, fence from lease order by name`,
    )
  ).rows.map(({ name, holder, fence }) => `${name} ${holder} ${fence}`)

it('gives a lease to one of two processes and leaves it there while it is renewed', async () => {
  const [one, other] = [createMember('one'), createMember('other')]
  for (const member of [one, other]) member.want('jobs')
  await one.start()
  await other.start()
  await one.check()
  await other.check()
  expect([one.isHeld('jobs'), other.isHeld('jobs')]).toEqual([true, false])
  expect(await readRows()).toEqual(['jobs one 1'])
})

it('gives an ended lease to the next process with a higher fence and tells the former holder', async () => {
  const events: string[] = []
  const [one, other] = [createMember('one'), createMember('other')]
  one.want('jobs', { onLost: () => events.push('lost') })
  other.want('jobs', { onAcquired: () => events.push('acquired') })
  await one.start()
  await endAll()
  await other.start()
  await one.check()
  expect(await readRows()).toEqual(['jobs other 2'])
  expect(events).toEqual(['acquired', 'lost'])
  expect(one.isHeld('jobs')).toBe(false)
})

it('refuses the write of a process that was stopped while another took over', async () => {
  const [one, other] = [createMember('one'), createMember('other')]
  for (const member of [one, other]) member.want('ingest/0')
  await one.start()
  const write = (member: typeof one) =>
    transaction(database.db, async (tx) => {
      await member.guard(tx, 'ingest/')
      await tx.execute(sql`insert into job (name, last_time) values (${member.holder}, now())`)
    })
  await write(one)
  await endAll()
  await other.start()
  await expect(write(one)).rejects.toThrow(LeaseLostError)
  await write(other)
  const { rows } = await database.db.execute<{ name: string }>(
    sql`select name from job where name in ('one', 'other')`,
  )
  expect(rows.map(({ name }) => name).sort()).toEqual(['one', 'other'])
})

it('refuses a guarded write of a process without a lease', async () => {
  const member = createMember('one')
  await expect(transaction(database.db, (tx) => member.guard(tx, 'ingest/'))).rejects.toThrow(
    LeaseLostError,
  )
})

it('keeps a lease of its own that has ended if nobody else took it', async () => {
  const one = createMember('one')
  one.want('jobs')
  await one.start()
  await endAll()
  await one.check()
  expect(await readRows()).toEqual(['jobs one 1'])
})

it('no longer counts as holder when its last renewal lies too far back', async () => {
  const one = createMember('one')
  one.want('jobs')
  await one.start()
  const now = performance.now()
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 6500)
  expect(one.isHeld('jobs')).toBe(false)
  clock.mockRestore()
  expect(one.isHeld('jobs')).toBe(true)
})

it('releases a lease after its work is finished, so that the next process gets it at once', async () => {
  const events: string[] = []
  const [one, other] = [createMember('one'), createMember('other')]
  one.want('jobs', {
    async onHandOver() {
      await one.guard(database.db, 'jobs')
      events.push('finished')
    },
  })
  other.want('jobs', { onAcquired: () => events.push('taken over') })
  await one.start()
  await one.handOver('jobs')
  await other.start()
  expect(events).toEqual(['finished', 'taken over'])
  expect(await readRows()).toEqual(['jobs other 2'])
})

it('takes over the lease of an earlier start at once if it is the only process', async () => {
  const one = createMember('one')
  one.want('jobs')
  await one.start()
  const restarted = createMember('restarted', true)
  restarted.want('jobs')
  await restarted.start()
  expect(restarted.isHeld('jobs')).toBe(true)
})

it('gives a lease to exactly one of many processes that try at the same moment', async () => {
  const acquiredCounts = await Promise.all(
    Array.from(
      { length: 10 },
      async (_, n) =>
        (await leaseQueries(database.db).acquire(`process-${n}`, ['jobs'], false)).length,
    ),
  )
  expect(acquiredCounts.reduce((sum, count) => sum + count)).toBe(1)
})

it('does not take a lease that it cannot serve', async () => {
  const one = createMember('one')
  one.want('ingest/0', { canHold: () => false })
  await one.start()
  expect(await readRows()).toEqual([])
})

function createSignal() {
  let resolve = () => {}
  const promise = new Promise<void>((resolvePromise) => (resolve = resolvePromise))
  return { promise, resolve: () => resolve() }
}

describe('a holder in the middle of a write, on a server with several connections', () => {
  let connected: Awaited<ReturnType<typeof openDatabase>>
  beforeAll(async () => {
    const { url } = await createTestDatabase()
    connected = await openDatabase({ kind: 'server', url })
  })
  afterAll(() => connected.close())
  /** Acquires a lease and starts a transaction that stays open until `finish` is called. Nothing is renewed. */
  async function startWrite() {
    const queries = leaseQueries(connected.db)
    const leases = await queries.acquire('one', ['ingest/0'], true)
    const [isGuarded, isFinished] = [createSignal(), createSignal()]
    const pendingWrite = transaction(connected.db, async (tx) => {
      await guardByLease(tx, 'one', leases, leaseSeconds)
      isGuarded.resolve()
      await isFinished.promise
      await tx.execute(sql`insert into job (name, last_time) values ('late', now())`)
    })
    open.push({
      async close() {
        isFinished.resolve()
        await pendingWrite.catch(() => {})
      },
    })
    await isGuarded.promise
    return { renew: () => queries.renew('one', leases), finish: isFinished.resolve, pendingWrite }
  }

  it('renews its leases meanwhile', async () => {
    const { renew, finish, pendingWrite } = await startWrite()
    expect(await renew()).toEqual(['ingest/0'])
    finish()
    await pendingWrite
    await connected.db.delete(job).where(eq(job.name, 'late'))
  })

  it('is replaced when it hangs, without delaying the renewals of the other process', async () => {
    const { finish, pendingWrite } = await startWrite()
    const refusal = expect(pendingWrite).rejects.toThrow()
    await connected.db.execute(sql`update lease set ends_at = now() - interval '1 second'`)
    const other = createLeases(connected.db, { isOnlyProcess: false, holder: 'other' })
    open.push(other)
    for (const name of ['jobs', 'ingest/0']) other.want(name)
    await other.start()
    expect([other.isHeld('jobs'), other.isHeld('ingest/0')]).toEqual([true, false])
    const isHeld = await waitUntil(() => other.isHeld('ingest/0'), Boolean, 15_000)
    expect(isHeld).toBe(true)
    finish()
    await refusal
    expect(await connected.db.$count(job, eq(job.name, 'late'))).toBe(0)
  })
})
