import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { userApi } from '@iot/shared/contract/access/user.api'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { z } from 'zod'
import { waitUntil } from '../until'
import { errorLog } from '../../tables/errorLog'
import { testApp, type TestApp } from '../../testing'
import { createTestDatabase } from '../../testing.database'
import { logError } from '../db/outage'
import { describeArguments, describeError, describeForErrorLog, maskSecrets } from './safeError'

/**
 * Samples of values that must never reach a log: a phone number, a password hash, a TOTP secret, a device secret, a
 * token.
 */
const sampleSecrets = {
  phone: '13912345678',
  hash: 'scrypt$131072$8$1$c2FsdHNhbHRzYWx0c2FsdA==$a2V5a2V5a2V5a2V5a2V5',
  totp: 'JBSWY3DPEHPK3PXPJBSWY3DP',
  deviceSecret: '8f1d2c3b4a5968778695a4b3c2d1e0f9',
  token: 'Zk3vQx9LmN2pRt7sWb4yHc6dJf8gKe1aUo5iXq0zVnM',
}
const secretValues = Object.values(sampleSecrets)
const expectNoSecret = (text: string) => {
  for (const secret of secretValues) expect(text).not.toContain(secret)
}

describe('an error that contains input values', () => {
  const values = JSON.stringify(sampleSecrets)
  const axiosLike = Object.assign(new Error('Request failed with status code 500'), {
    name: 'AxiosError',
    code: 'ERR_BAD_RESPONSE',
    status: 500,
    config: { headers: { satoken: `Bearer ${sampleSecrets.token}` }, data: values },
    response: { data: values },
  })
  const schema = z.object({
    phone: z.enum(['a']),
    code: z.string().max(3, { error: ({ input }) => String(input) }),
  })
  const parseResult = schema.safeParse(
    { phone: sampleSecrets.phone, code: sampleSecrets.totp },
    { reportInput: true },
  )
  const errorsByKind: Record<string, unknown> = {
    'of an HTTP client': axiosLike,
    'of a schema': parseResult.error,
    'of JSON that is none': catchError(() => JSON.parse(sampleSecrets.deviceSecret + 'x')),
    'of a URL with an account': new Error(
      `connect postgresql://iot:${sampleSecrets.deviceSecret}@db/x failed`,
    ),
    'of a URL with a query': new Error(
      `POST https://oapi.example/robot?access_token=${sampleSecrets.token}`,
    ),
    'with a cause': new Error('outer', {
      cause: Object.assign(new Error('inner'), { params: secretValues }),
    }),
    'of many': new AggregateError(
      [axiosLike, new Error(`token=${sampleSecrets.token}`)],
      'all failed',
    ),
    'that is a string': `phone: "${sampleSecrets.phone}"`,
    'that is an object': { ...sampleSecrets },
    'with a message of many lines': new Error(
      `x\n    at ${sampleSecrets.phone} (${sampleSecrets.hash}:1)`,
    ),
    'of a database in another process': Object.assign(
      new Error(`invalid value: "${sampleSecrets.token}"`),
      {
        code: '22P02',
        severity: 'ERROR',
        detail: values,
        where: values,
        hint: values,
      },
    ),
  }
  it.each(Object.entries(errorsByKind))('%s is described without its input', (_, error) => {
    expectNoSecret(JSON.stringify(describeError(error)))
    expectNoSecret(JSON.stringify(describeForErrorLog(error)))
    expectNoSecret(describeArguments(['失败：', error, '%s', error]))
  })
  it('keeps type, code, frames and causes', () => {
    const cause = Object.assign(new TypeError('no socket'), { code: 'ECONNREFUSED', port: 5432 })
    const safeError = describeError(new Error('outer', { cause }))
    expect(safeError).toMatchObject({
      type: 'Error',
      message: 'outer',
      stack: expect.stringMatching(/^ +at /),
      causes: [{ type: 'TypeError', message: 'no socket', code: 'ECONNREFUSED', port: 5432 }],
    })
  })
  it('stops at circular causes', () => {
    const error = new Error('a')
    error.cause = new Error('b', { cause: error })
    expect(describeForErrorLog(error).message).toBe('a: b')
  })
})

it('does not mask ids, device names, paths or source positions', () => {
  const text =
    '设备 a1B2c3D4e5F&SAFEWAY-LIGHT-A1-F017-0032 在 01939d5c-8f1e-7abc-9def-0123456789ab 之后 /srv/app/main.3f2a.js:10:5'
  expect(maskSecrets(text)).toBe(text)
})

it('prints no value of a query after an unhandled rejection and exits with 1', async () => {
  const fixture = join(__dirname, '../../uncaught.fixture.ts')
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) =>
    execFile(
      process.execPath,
      ['--import', 'tsx', fixture, sampleSecrets.phone],
      (error, stdout, stderr) => resolve({ code: error?.code, output: stdout + stderr }),
    ),
  )
  expect(output).toContain('unhandledRejection: Database query failed')
  expectNoSecret(output)
  expect(code).toBe(1)
}, 60_000)

describe('a database error', () => {
  let app: TestApp
  let client: pg.Client
  const lines: string[] = []
  beforeAll(async () => {
    const database = await createTestDatabase('seeded')
    app = await testApp({
      database,
      logLevel: 'trace',
      logStream: { write: (line) => void lines.push(line) },
    })
    client = new pg.Client(database.url)
    await client.connect()
    await client.query('create table held (id int primary key, secret varchar(30) not null unique)')
    await client.query("insert into held values (1, 'a'), (2, 'b')")
  })
  afterAll(async () => {
    await client?.end()
    await app?.close()
  })

  const readErrorLog = async () => JSON.stringify(await app.app.db.select().from(errorLog))
  const { phone, hash, totp, deviceSecret, token } = sampleSecrets
  const failuresByKind: Record<string, { state: string; run: () => Promise<unknown> }> = {
    'a statement timeout': {
      state: '57014',
      run: () =>
        app.app.db.transaction(async (tx) => {
          await tx.execute(sql`set local statement_timeout = 50`)
          await tx.execute(sql`select pg_sleep(20), ${hash}, ${phone}`)
        }),
    },
    'a deadlock': { state: '40P01', run: deadlock },
    'a unique violation': {
      state: '23505',
      run: async () => {
        await app.app.db.execute(sql`insert into held values (3, ${phone})`)
        await app.app.db.execute(sql`insert into held values (4, ${phone})`)
      },
    },
    'a missing value': {
      state: '23502',
      run: () => app.app.db.execute(sql`insert into held values (null, ${totp})`),
    },
    'a value that is too long': {
      state: '22001',
      run: () => app.app.db.execute(sql`insert into held values (5, ${deviceSecret})`),
    },
    'a value of another type': {
      state: '22P02',
      run: () => app.app.db.execute(sql`select ${token}::int, ${phone}`),
    },
  }
  async function deadlock() {
    let isFirst = true
    let releaseLocks = () => {}
    const locksReleased = new Promise<void>((resolve) => (releaseLocks = resolve))
    const lockRows = (firstId: number, secondId: number) =>
      app.app.db.transaction(async (tx) => {
        await tx.execute(sql`update held set secret = ${`x${firstId}`} where id = ${firstId}`)
        if (isFirst) isFirst = false
        else releaseLocks()
        await locksReleased
        await tx.execute(sql`update held set id = id where id = ${secondId} and secret <> ${token}`)
      })
    const bothLocks = [lockRows(1, 2), lockRows(2, 1)]
    await Promise.allSettled(bothLocks)
    await Promise.all(bothLocks)
  }

  it.each(Object.entries(failuresByKind))(
    '%s is logged and stored without values',
    async (_, kind) => {
      const error = (await kind.run().then(
        () => undefined,
        (reason: unknown) => reason,
      )) as Error
      app.app.log.error(error)
      app.app.log.error({ err: error, taskId: 'a' }, 'Could not save')
      app.app.log.warn({ reason: error })
      app.app.log.error('failed: %s', error)
      logError('未写入', error)
      app.app.reportError('server', error)
      await waitUntil(readErrorLog, (rows) => rows.includes(kind.state))
      const logOutput = lines.join('')
      expect(logOutput).toContain(kind.state)
      expectNoSecret(logOutput + (await readErrorLog()))
    },
  )

  it('raised by a call answers HTTP 500; the log line has user and call id and, like the stored row, no values', async () => {
    await client.query(`create function wait() returns trigger language plpgsql as
      'begin perform pg_sleep(20); return new; end'`)
    await client.query(
      `create trigger wait before insert on user_account for each row execute function wait()`,
    )
    await client.query(`do $$ begin
      execute format('alter database %I set statement_timeout = 2000', current_database());
    end $$`)
    const [role] = await app.as('admin').call(roleApi.list, {})
    // The idle connections do not have the new limit yet, so they are ended; new connections have it.
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`,
    )
    const draft = {
      username: 'plant',
      name: 'plant',
      phone,
      email: '' as const,
      roleIds: [role!.id],
      projectIds: 'all' as const,
      expireTime: null,
    }
    const create = () =>
      app
        .as('admin')
        .call(userApi.create, draft)
        .catch(({ status }: { status: number }) => status)
    await waitUntil(create, (status) => status === 500)
    await waitUntil(readErrorLog, (rows) => rows.includes('/v1/user'))
    const failedCall = lines.find((line) => line.includes('"Call failed"'))!
    expect(failedCall).toContain('statement timeout')
    expect(JSON.parse(failedCall)).toMatchObject({
      username: 'admin',
      traceId: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expectNoSecret(lines.join('') + (await readErrorLog()))
  }, 60_000)
})

function catchError(run: () => unknown) {
  try {
    return run()
  } catch (error) {
    return error
  }
}
