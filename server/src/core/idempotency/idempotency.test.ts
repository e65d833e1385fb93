import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Envelope } from '@iot/shared/contract/endpoint'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { eq, sql } from 'drizzle-orm'
import { menu } from '../../tables/menu'
import { idempotencyKey } from '../../tables/idempotency'
import { password, testApp, type TestApp } from '../../testing'
import { createTestDatabase } from '../../testing.database'
import { createRefusal } from '../refusal'
import { removeOldRequests, withIdempotencyKey } from './idempotency'

let databaseUrl: string
let app: TestApp
let token: string
const children: ChildProcess[] = []

/** Starts another process on the same database and returns a function that calls it. */
async function startProcess() {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(__dirname, 'idempotency.fixture.ts'), databaseUrl, password],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  children.push(child)
  let output = ''
  const exitError = once(child, 'exit').then(() => Promise.reject(new Error(`it ended: ${output}`)))
  exitError.catch(() => {})
  while (!/listening \d+/.test(output))
    output += String((await Promise.race([once(child.stdout, 'data'), exitError]))[0])
  const port = /listening (\d+)/.exec(output)![1]
  return {
    async send(url: string, payload: object, key: string) {
      const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers(key) },
        body: JSON.stringify(payload),
      })
      return (await answer.json()) as Envelope<{ id: string }>
    },
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
const headers = (key: string) => ({ satoken: `Bearer ${token}`, 'idempotency-key': key })
async function send(url: string, payload: object, key: string) {
  const answer = await app.app.inject({ method: 'POST', url, payload, headers: headers(key) })
  return answer.json<Envelope<{ id: string; password: string }>>()
}
const createFolderDraft = (name: string) => ({
  parentId: null,
  type: 'folder',
  name,
  path: '',
  routeName: '',
  icon: '',
  permission: '',
  visible: true,
  status: 'enabled',
  sort: 99,
})
const countFolders = (name: string) => app.app.db.$count(menu, eq(menu.name, name))
async function waitUntil(isTrue: () => Promise<boolean>) {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

let firstProcess: Awaited<ReturnType<typeof startProcess>>
let secondProcess: Awaited<ReturnType<typeof startProcess>>
beforeAll(async () => {
  databaseUrl = (await createTestDatabase('seeded')).url
  app = await testApp({ database: { kind: 'server', url: databaseUrl }, empty: true })
  token = await app.login('admin', password)
  ;[firstProcess, secondProcess] = await Promise.all([startProcess(), startProcess()])
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await app?.close()
})

describe('one Idempotency-Key sent to two processes', () => {
  it('creates one row and gives both the same answer, in sequence and concurrently', async () => {
    const [key, secondKey] = [randomUUID(), randomUUID()]
    const answer = await firstProcess.send('/v1/menu', createFolderDraft('先后'), key)
    expect(answer.code).toBe(0)
    expect(await send('/v1/menu', createFolderDraft('先后'), key)).toEqual(answer)
    expect(await countFolders('先后')).toBe(1)

    const [firstAnswer, secondAnswer] = await Promise.all([
      firstProcess.send('/v1/menu', createFolderDraft('同时'), secondKey),
      send('/v1/menu', createFolderDraft('同时'), secondKey),
    ])
    expect(firstAnswer.code).toBe(0)
    expect(secondAnswer).toEqual(firstAnswer)
    expect(await countFolders('同时')).toBe(1)
  })
  it('is refused for another request and free again after a refusal', async () => {
    const key = randomUUID()
    const invalidDraft = { ...createFolderDraft('改正'), type: 'x' }
    expect((await firstProcess.send('/v1/menu', invalidDraft, key)).code).toBe(422)
    expect((await send('/v1/menu', createFolderDraft('改正'), key)).code).toBe(0)
    expect(await firstProcess.send('/v1/menu', createFolderDraft('别的'), key)).toMatchObject({
      code: 422,
      data: { fields: { 'Idempotency-Key': '这个 Idempotency-Key 已用于另一次操作' } },
    })
  })
  it('repeats the answer with a one-time secret that the database stores neither as text nor with its key', async () => {
    const [role] = await app.as('admin').call(roleApi.list, {})
    const draft = {
      username: 'kept',
      name: '值班',
      phone: '',
      email: '',
      projectIds: 'all' as const,
      roleIds: [role!.id],
      expireTime: null,
    }
    const key = randomUUID()
    const answer = await send('/v1/user', draft, key)
    expect(answer.data.password.length).toBeGreaterThan(8)
    expect(await firstProcess.send('/v1/user', draft, key)).toEqual(answer)
    const { rows } = await app.app.db.execute<{ line: string }>(
      sql`select idempotency_key::text as line from idempotency_key`,
    )
    const storedText = rows.map(({ line }) => line).join('\n')
    expect(storedText).toContain('answered')
    for (const secret of [answer.data.password, answer.data.id, key])
      expect(storedText).not.toContain(secret)
  })
})

describe('a process that is killed during a request', () => {
  /** Makes a process hang at this statement, as if its machine had been switched off there. */
  async function createBlockingTrigger(
    table: 'menu' | 'idempotency_key',
    event: string,
    condition: string,
  ) {
    await app.app.db.execute(sql`
      create or replace function hold_here() returns trigger language plpgsql as $$
      begin perform pg_sleep(600); return new; end $$`)
    await app.app.db.execute(
      sql.raw(
        `create trigger hold_here before ${event} on ${table} for each row when (${condition}) execute function hold_here()`,
      ),
    )
  }
  // Other files use other databases of the same server.
  const isHanging = sql`wait_event = 'PgSleep' and datname = current_database()`
  const isBlocked = async () => {
    const { rows } = await app.app.db.execute(
      sql`select 1 from pg_stat_activity where ${isHanging}`,
    )
    return rows.length > 0
  }
  /** Ends the hanging statement and its connection, and lets the lease expire. */
  async function abandonRequest() {
    await app.app.db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where ${isHanging}`,
    )
    await waitUntil(async () => !(await isBlocked()))
    await app.app.db.execute(sql`drop function hold_here cascade`)
    await app.app.db
      .update(idempotencyKey)
      .set({ leaseTime: new Date(0).toISOString() })
      .where(sql`state <> 'answered'`)
  }

  it('before the change was stored leaves the request to be executed by the next one', async () => {
    const key = randomUUID()
    await createBlockingTrigger('menu', 'insert', `new.name = '未存'`)
    const lostCall = firstProcess
      .send('/v1/menu', createFolderDraft('未存'), key)
      .catch(() => 'lost')
    await waitUntil(isBlocked)
    await firstProcess.kill()
    expect(await lostCall).toBe('lost')
    await abandonRequest()
    expect(await countFolders('未存')).toBe(0)
    expect((await send('/v1/menu', createFolderDraft('未存'), key)).code).toBe(0)
    expect(await countFolders('未存')).toBe(1)
  })
  it('after the change but before its answer was stored does not repeat it and reports this to the next request', async () => {
    const key = randomUUID()
    await createBlockingTrigger('idempotency_key', 'update', `new.state = 'answered'`)
    const lostCall = secondProcess
      .send('/v1/menu', createFolderDraft('已存'), key)
      .catch(() => 'lost')
    await waitUntil(isBlocked)
    await secondProcess.kill()
    expect(await lostCall).toBe('lost')
    await abandonRequest()
    expect(await send('/v1/menu', createFolderDraft('已存'), key)).toMatchObject({
      code: 1001,
      msg: '这次操作已经完成，但它的答复没有保存下来：请刷新查看，不必再次提交',
    })
    expect(await countFolders('已存')).toBe(1)
  })
})

describe('withIdempotencyKey', () => {
  const userId = randomUUID()
  const request = (key: string) => ({ userId, key, content: ['POST', '/v1/x', {}] })
  const ageRequest = (hours: number, key: string) =>
    app.app.db.execute(sql`
      update idempotency_key set create_time = create_time - make_interval(hours => ${hours})
      where user_id = ${userId} and key_hash = encode(sha256(${key}::bytea), 'hex')`)

  it('does not commit when another process has taken over the request', async () => {
    const { db } = app.app
    const outdatedRun = withIdempotencyKey(db, request('taken-over'), async (claim) => {
      await db.execute(
        sql`update idempotency_key set claim_id = gen_random_uuid() where user_id = ${userId}`,
      )
      return db.transaction(async (tx) => {
        await claim.markCommitted(tx)
        return 'committed'
      })
    })
    await expect(outdatedRun).rejects.toThrow('已由另一个进程接手')
    await db.delete(idempotencyKey).where(eq(idempotencyKey.userId, userId))
  })
  it('repeats an answer for a day, forgets refusals, and reports an answer too large to repeat', async () => {
    const { db } = app.app
    let runs = 0
    const run = async () => ++runs
    expect(await withIdempotencyKey(db, request('day'), run)).toBe(1)
    await ageRequest(23, 'day')
    expect(await withIdempotencyKey(db, request('day'), run)).toBe(1)
    await ageRequest(2, 'day')
    expect(await withIdempotencyKey(db, request('day'), run)).toBe(2)
    await ageRequest(25, 'day')
    await removeOldRequests(db)
    expect(await db.$count(idempotencyKey, eq(idempotencyKey.userId, userId))).toBe(0)

    const runRefused = () => Promise.reject(createRefusal('不行'))
    await expect(withIdempotencyKey(db, request('refused'), runRefused)).rejects.toThrow('不行')
    expect(await withIdempotencyKey(db, request('refused'), run)).toBe(3)

    const large = async () => 'x'.repeat(300_000)
    expect(await withIdempotencyKey(db, request('large'), large)).toHaveLength(300_000)
    await expect(withIdempotencyKey(db, request('large'), large)).rejects.toThrow('不必再次提交')
  })
})
