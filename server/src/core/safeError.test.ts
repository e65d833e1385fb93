import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { userApi } from '@iot/shared/contract/user'
import { roleApi } from '@iot/shared/contract/role'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { z } from 'zod'
import { until } from '../device-access/testing'
import { errorLog } from '../tables/errorLog'
import { testApp, type TestApp } from '../testing'
import { complain } from './db/outage'
import { testPostgres } from './db/postgres/testing'
import { describeArguments, describeError, describeForErrorLog, maskSecrets } from './safeError'

/**
 * Samples of values that must never reach a log: a phone number, a password hash, a TOTP secret, a device secret, a
 * token.
 */
const planted = {
  phone: '13912345678',
  hash: 'scrypt$131072$8$1$c2FsdHNhbHRzYWx0c2FsdA==$a2V5a2V5a2V5a2V5a2V5',
  totp: 'JBSWY3DPEHPK3PXPJBSWY3DP',
  deviceSecret: '8f1d2c3b4a5968778695a4b3c2d1e0f9',
  token: 'Zk3vQx9LmN2pRt7sWb4yHc6dJf8gKe1aUo5iXq0zVnM',
}
const all = Object.values(planted)
const expectNoSecret = (text: string) => {
  for (const secret of all) expect(text).not.toContain(secret)
}

describe('an error that holds input', () => {
  const values = JSON.stringify(planted)
  const axiosLike = Object.assign(new Error('Request failed with status code 500'), {
    name: 'AxiosError',
    code: 'ERR_BAD_RESPONSE',
    status: 500,
    config: { headers: { satoken: `Bearer ${planted.token}` }, data: values },
    response: { data: values },
  })
  const schema = z.object({
    phone: z.enum(['a']),
    code: z.string().max(3, { error: ({ input }) => String(input) }),
  })
  const refused = schema.safeParse(
    { phone: planted.phone, code: planted.totp },
    { reportInput: true },
  )
  const kinds: Record<string, unknown> = {
    'of an HTTP client': axiosLike,
    'of a schema': refused.error,
    'of JSON that is none': caught(() => JSON.parse(planted.deviceSecret + 'x')),
    'of a URL with an account': new Error(
      `connect postgresql://iot:${planted.deviceSecret}@db/x failed`,
    ),
    'of a URL with a query': new Error(
      `POST https://oapi.example/robot?access_token=${planted.token}`,
    ),
    'with a cause': new Error('outer', {
      cause: Object.assign(new Error('inner'), { params: all }),
    }),
    'of many': new AggregateError([axiosLike, new Error(`token=${planted.token}`)], 'all failed'),
    'that is a string': `phone: "${planted.phone}"`,
    'that is an object': { ...planted },
    'with a message of many lines': new Error(`x\n    at ${planted.phone} (${planted.hash}:1)`),
    'of a database in another process': Object.assign(
      new Error(`invalid value: "${planted.token}"`),
      {
        code: '22P02',
        severity: 'ERROR',
        detail: values,
        where: values,
        hint: values,
      },
    ),
  }
  it.each(Object.entries(kinds))('%s is described without it', (_, error) => {
    expectNoSecret(JSON.stringify(describeError(error)))
    expectNoSecret(JSON.stringify(describeForErrorLog(error)))
    expectNoSecret(describeArguments(['失败：', error, '%s', error]))
  })
  it('keeps type, code, frames and causes', () => {
    const cause = Object.assign(new TypeError('no socket'), { code: 'ECONNREFUSED', port: 5432 })
    const safe = describeError(new Error('outer', { cause }))
    expect(safe).toMatchObject({
      type: 'Error',
      message: 'outer',
      stack: expect.stringMatching(/^ +at /),
      causes: [{ type: 'TypeError', message: 'no socket', code: 'ECONNREFUSED', port: 5432 }],
    })
  })
  it('ends where causes go round', () => {
    const error = new Error('a')
    error.cause = new Error('b', { cause: error })
    expect(describeForErrorLog(error).message).toBe('a: b')
  })
})

it('masks no id, name of a device, path or place in a source', () => {
  const text =
    '设备 a1B2c3D4e5F&SAFEWAY-LIGHT-A1-F017-0032 在 01939d5c-8f1e-7abc-9def-0123456789ab 之后 /srv/app/main.3f2a.js:10:5'
  expect(maskSecrets(text)).toBe(text)
})

it('prints no value of a query whose rejection nobody caught, and ends with 1', async () => {
  const fixture = join(__dirname, '../uncaught.fixture.ts')
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) =>
    execFile(
      process.execPath,
      ['--import', 'tsx', fixture, planted.phone],
      (error, stdout, stderr) => resolve({ code: error?.code, output: stdout + stderr }),
    ),
  )
  expect(output).toContain('unhandledRejection: Database query failed')
  expectNoSecret(output)
  expect(code).toBe(1)
}, 60_000)

describe('a database error', () => {
  let postgres: Awaited<ReturnType<typeof testPostgres>>
  let app: TestApp
  let direct: pg.Client
  const lines: string[] = []
  beforeAll(async () => {
    postgres = await testPostgres()
    app = await testApp({
      database: { kind: 'server', url: postgres.url },
      logLevel: 'trace',
      logStream: { write: (line) => void lines.push(line) },
    })
    direct = new pg.Client(postgres.url)
    await direct.connect()
    await direct.query('create table held (id int primary key, secret varchar(30) not null unique)')
    await direct.query("insert into held values (1, 'a'), (2, 'b')")
  })
  afterAll(async () => {
    await direct?.end()
    await app?.close()
    await postgres?.close()
  })

  const rowsText = async () => JSON.stringify(await app.app.db.select().from(errorLog))
  const { phone, hash, totp, deviceSecret, token } = planted
  const provoke: Record<string, { state: string; run: () => Promise<unknown> }> = {
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
    let meet = () => {}
    const both = new Promise<void>((resolve) => (meet = resolve))
    const lock = (one: number, other: number) =>
      app.app.db.transaction(async (tx) => {
        await tx.execute(sql`update held set secret = ${`x${one}`} where id = ${one}`)
        if (isFirst) isFirst = false
        else meet()
        await both
        await tx.execute(sql`update held set id = id where id = ${other} and secret <> ${token}`)
      })
    const bothLocks = [lock(1, 2), lock(2, 1)]
    await Promise.allSettled(bothLocks)
    await Promise.all(bothLocks)
  }

  it.each(Object.entries(provoke))('%s is logged and kept without values', async (_, kind) => {
    const error = (await kind.run().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )) as Error
    const text = jest.spyOn(console, 'error').mockImplementation(() => {})
    app.app.log.error(error)
    app.app.log.error({ err: error, taskId: 'a' }, 'Could not save')
    app.app.log.warn({ reason: error })
    app.app.log.error('failed: %s', error)
    complain('未写入', error)
    const complained = text.mock.calls.flat().join('\n')
    text.mockRestore()
    app.app.reportError('server', error)
    await until(rowsText, (rows) => rows.includes(kind.state))
    const logged = lines.join('')
    expect(logged).toContain(kind.state)
    expectNoSecret(logged + complained + (await rowsText()))
  })

  it('of a call ends in HTTP 500 whose log line and row hold no value', async () => {
    await direct.query(`create function wait() returns trigger language plpgsql as
      'begin perform pg_sleep(20); return new; end'`)
    await direct.query(
      `create trigger wait before insert on user_account for each row execute function wait()`,
    )
    await direct.query(`alter role postgres set statement_timeout = 2000`)
    const [role] = await app.as('admin').call(roleApi.list, {})
    // The idle connections do not have the new limit yet, so they are ended; new connections have it.
    await direct.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`,
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
    await until(create, (status) => status === 500)
    await until(rowsText, (rows) => rows.includes('/v1/user'))
    expect(lines.join('')).toContain('statement timeout')
    expectNoSecret(lines.join('') + (await rowsText()))
  }, 60_000)
})

function caught(run: () => unknown) {
  try {
    return run()
  } catch (error) {
    return error
  }
}
