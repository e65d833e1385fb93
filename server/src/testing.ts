import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { authApi } from '@iot/shared/contract/auth'
import type { Endpoint, Envelope, Input, Output } from '@iot/shared/contract/endpoint'
import { roleApi } from '@iot/shared/contract/role'
import { userApi } from '@iot/shared/contract/user'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app'
import { openDatabase } from './core/db/open'
import { migrate, migrationNames } from './core/db/migrate'
import type { AppOptions } from './settings'

/** What a refused call throws in a test. */
export type Refused = Envelope & { status: number }
export const password = 'admin-2026'
/** Of whoever `join`s. */
export const secondPassword = 'changed-26'
// The first test ever makes the template: initdb takes some seconds on a busy machine.
jest.setTimeout(30_000)
// The cost of a password is not what most tests are about.
process.env.SCRYPT_LOG_N = '10'

/**
 * The platform in memory, seeded. `as` signs in once per user and calls with types; a refusal is thrown as
 * `{status, code, msg, data}`.
 * @example const app = await testApp(); await app.as('admin').call(brandApi.page, {}); await app.close()
 */
export async function testApp(options: Partial<AppOptions> = {}) {
  const app = await buildApp({
    database: { kind: 'memory', template: await template() },
    adminPassword: password,
    ...options,
  })
  const tokens = new Map<string, Promise<string>>()

  async function send<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    token?: string,
  ): Promise<Output<E>> {
    const { status, body } = await inject(app, endpoint, input as Record<string, unknown>, token)
    if (status !== 200 || body.code !== 0) throw { status, ...body } satisfies Refused
    return body.data as Output<E>
  }
  const login = async (username: string, secret: string) =>
    (await send(authApi.login, { username, password: secret })).token

  return {
    app,
    close: () => app.close(),
    /** Without a session. */
    stranger: { call: <E extends Endpoint>(endpoint: E, input: Input<E>) => send(endpoint, input) },
    withToken: (token: string) => ({
      call: <E extends Endpoint>(endpoint: E, input: Input<E>) => send(endpoint, input, token),
    }),
    as(username: string, secret = password) {
      if (!tokens.has(username)) tokens.set(username, login(username, secret))
      return {
        call: async <E extends Endpoint>(endpoint: E, input: Input<E>) =>
          send(endpoint, input, await tokens.get(username)),
      }
    },
    login,
    /** A user with the role of this code, signed in with a password of their own. */
    async join(username: string, roleCode: string, projectIds: number[] = []) {
      const role = (await this.as('admin').call(roleApi.list, {})).find(
        ({ code }) => code === roleCode,
      )!
      const draft = {
        username,
        name: username,
        phone: '',
        email: '' as const,
        roleIds: [role.id],
        projectIds,
        expireTime: null,
      }
      const { id, password: first } = await this.as('admin').call(userApi.create, draft)
      await this.as(username, first).call(authApi.changePassword, {
        oldPassword: first,
        newPassword: secondPassword,
      })
      return { id, ...this.as(username) }
    },
    /** Signed in anew at the next call. */
    forget: (username: string) => tokens.delete(username),
  }
}
export type TestApp = Awaited<ReturnType<typeof testApp>>

async function inject(
  app: FastifyInstance,
  { method, path }: Endpoint,
  input: Record<string, unknown>,
  token?: string,
) {
  const rest = { ...input }
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const query = Object.fromEntries(
    Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, String(value)]),
  )
  const response = await app.inject({
    method,
    url,
    ...(method === 'GET' || method === 'DELETE' ? { query } : { payload: rest }),
    headers: token ? { satoken: `Bearer ${token}` } : {},
  })
  return { status: response.statusCode, body: response.json<Envelope>() }
}

/** An archive of a migrated database, made once per set of migrations: opening it takes a third of the time. */
async function template() {
  const hash = createHash('sha256')
  for (const name of await migrationNames())
    hash.update(readFileSync(new URL(`./migrations/${name}`, import.meta.url)))
  const folder = join(process.cwd(), '.cache')
  const file = join(folder, `server-template-${hash.digest('hex').slice(0, 16)}.tar`)
  if (existsSync(file)) return file
  const database = await openDatabase({ kind: 'memory' })
  await migrate(database.db)
  mkdirSync(folder, { recursive: true })
  for (const old of readdirSync(folder))
    if (old.startsWith('server-template-')) rmSync(join(folder, old), { force: true })
  writeFileSync(`${file}.${process.pid}`, await database.dump())
  renameSync(`${file}.${process.pid}`, file)
  await database.close()
  return file
}
