import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { authApi } from '@iot/shared/contract/access/auth.api'
import {
  pickInputFields,
  type Endpoint,
  type Envelope,
  type Input,
  type Output,
} from '@iot/shared/contract/endpoint'
import { roleApi } from '@iot/shared/contract/access/role.api'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import { taskFilePath } from '@iot/shared/contract/sheet/task'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import { userApi } from '@iot/shared/contract/access/user.api'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import Papa from 'papaparse'
import type { z } from 'zod'
import type { AppOptions } from './settings'
import { user, userRole } from './tables/user'

/** A refused call throws this error in a test. */
export type ErrorAnswer = Envelope & { status: number }
export const password = 'gate-2026-x'
/** Users created with `join` have this password. */
export const secondPassword = 'changed-26'
// A cheap password hash keeps tests fast; few tests are about its cost.
process.env.SCRYPT_LOG_N = '10'

/**
 * Starts a seeded platform with a database of its own. `as` signs in once per user and makes typed calls; a refusal is thrown as
 * `{status, code, msg, data}`.
 * @example const app = await testApp(); await app.as('admin').call(brandApi.page, {}); await app.close()
 */
export async function testApp(options: Partial<AppOptions> = {}) {
  // The modules are loaded on demand, because a file that shares its worker's platform needs neither.
  const [{ buildApp }, { createTestDatabase }] = await Promise.all([
    import('./app'),
    import('./testing.database'),
  ])
  const app = await buildApp({
    database: options.database ?? (await createTestDatabase('seeded')),
    adminPassword: password,
    logLevel: 'silent',
    // A busy machine must not make a short task look like a long one.
    answerTasksWithin: 60_000,
    // Tests make calls as fast as they can, so the limits are raised.
    userLimits: { callsPerSecond: 10_000, burst: 100_000 },
    ...options,
  })
  const tokens = new Map<string, Promise<string>>()
  const usersByKey = new Map<string, ReturnType<typeof createUser>>()

  const login = async (username: string, userPassword: string) =>
    (await send(app, authApi.login, { username, password: userPassword })).token

  const as = (username: string, userPassword = password) => {
    if (!tokens.has(username)) tokens.set(username, login(username, userPassword))
    return createSession(app, async () => tokens.get(username))
  }
  async function createUser(username: string, roleCode: string, projectIds: number[]) {
    const roles = await as('admin').call(roleApi.list, {})
    const role = roles.find(({ code }) => code === roleCode)!
    const everythingRole = roles.find(({ everything }) => everything)!
    // The form cannot create a user without projects, but older versions could.
    const hasNoProjects = role.dataScope === 'assigned' && projectIds.length === 0
    const draft = {
      username,
      name: username,
      phone: '',
      email: '' as const,
      roleIds: [hasNoProjects ? everythingRole.id : role.id],
      projectIds: projectIds.length > 0 ? projectIds : ('all' as const),
      expireTime: null,
    }
    const { id, password: firstPassword } = await as('admin').call(userApi.create, draft)
    if (hasNoProjects) {
      await app.db.update(user).set({ allProjects: false }).where(eq(user.id, id))
      await app.db.update(userRole).set({ roleId: role.id }).where(eq(userRole.userId, id))
    }
    await as(username, firstPassword).call(authApi.changePassword, {
      oldPassword: firstPassword,
      newPassword: secondPassword,
    })
    return { id, ...as(username) }
  }

  return {
    app,
    close: () => app.close(),
    /** The stranger calls without a session. */
    stranger: {
      call: <E extends Endpoint>(endpoint: E, input: Input<E>) => send(app, endpoint, input),
    },
    withToken: (token: string) => ({
      call: <E extends Endpoint>(endpoint: E, input: Input<E>) => send(app, endpoint, input, token),
    }),
    as,
    login,
    /**
     * Returns a signed-in user with the role of this code and its own password; the same arguments return the same
     * user.
     */
    join(username: string, roleCode: string, projectIds: number[] = []) {
      const userKey = JSON.stringify([username, roleCode, projectIds])
      if (!usersByKey.has(userKey))
        usersByKey.set(userKey, createUser(username, roleCode, projectIds))
      return usersByKey.get(userKey)!
    },
    /** Makes the user sign in again at the next call. */
    forget: (username: string) => tokens.delete(username),
  }
}

/** Typed calls of one signed-in user. */
function createSession(app: FastifyInstance, readToken: () => Promise<string | undefined>) {
  return {
    call: async <E extends Endpoint>(endpoint: E, input: Input<E>) =>
      send(app, endpoint, input, await readToken()),
    /** Exports a list and returns the rows of the file, header first. */
    async exportTable<E extends Endpoint>(endpoint: E, input: Omit<Input<E>, 'format'>) {
      const exportInput = { ...input, format: 'csv' } as unknown as Input<E>
      const token = await readToken()
      const { id } = (await send(app, endpoint, exportInput, token)) as { id: string }
      const headers = { satoken: `Bearer ${token}` }
      const { body } = await app.inject({ url: taskFilePath(id), headers })
      return Papa.parse<string[]>(body.replace('\ufeff', ''), { skipEmptyLines: true }).data
    },
    /** Previews the import of a table, header first. */
    async previewImport<E extends Endpoint>(
      endpoint: E,
      table: TableCell[][],
      otherInput: Omit<Input<E>, 'table'> = {} as never,
    ) {
      const token = await readToken()
      const input = { ...otherInput, table } as unknown as Input<E>
      const { id } = (await send(app, endpoint, input, token)) as { id: string }
      return send(app, taskApi.get, { id }, token)
    },
    /** Confirms a preview and returns the finished task. */
    async confirmImport<E extends Endpoint>(
      endpoint: E,
      { id: confirm }: { id: string },
      otherInput: Omit<Input<E>, 'table'> = {} as never,
    ) {
      const token = await readToken()
      const { existing: _, ...otherFields } = otherInput as { existing?: unknown }
      const input = { ...otherFields, confirm } as unknown as Input<E>
      const { id } = (await send(app, endpoint, input, token)) as { id: string }
      return send(app, taskApi.get, { id }, token)
    },
    async runImport<E extends Endpoint>(
      endpoint: E,
      table: TableCell[][],
      otherInput: Omit<Input<E>, 'table'> = {} as never,
    ) {
      const preview = await this.previewImport(endpoint, table, otherInput)
      return preview.status === 'pending'
        ? this.confirmImport(endpoint, preview, otherInput)
        : preview
    },
    /**
     * Headers of this session for `app.inject`. Too many sign-ins of one user would end the sessions of other
     * files.
     */
    headers: async () => ({ satoken: `Bearer ${await readToken()}` }),
  }
}

/** Makes a call; a refusal is thrown as `{status, code, msg, data}`. */
async function send<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  input: Input<E>,
  token?: string,
): Promise<Output<E>> {
  // An update sends what a form would: a row that was read and changed, reduced to the fields of the call.
  const requestInput =
    endpoint.method === 'PUT'
      ? pickInputFields(findInputSchema(app, endpoint), input as object)
      : input
  const { status, body } = await inject(
    app,
    endpoint,
    requestInput as Record<string, unknown>,
    token,
  )
  if (status !== 200 || body.code !== 0) throw { status, ...body } satisfies ErrorAnswer
  recordAnsweredCall(endpoint)
  return body.data as Output<E>
}

function findInputSchema(app: FastifyInstance, { method, path }: Endpoint) {
  const served = app.endpoints.find(
    (candidate) => candidate.method === method && candidate.path === path,
  )
  return served!.input as z.ZodObject
}

/**
 * Records an answered endpoint for scripts/jest/answered.js, which reports endpoints that no test called
 * successfully. Each line is written in one system call.
 */
export function recordAnsweredCall({ method, path }: Pick<Endpoint, 'method' | 'path'>) {
  const line = `${method} ${path}\n`
  if (recordedCalls.has(line)) return
  recordedCalls.add(line)
  appendFileSync(join(process.cwd(), '.cache/answered'), line)
}
const recordedCalls = new Set<string>()

export type TestApp = Awaited<ReturnType<typeof testApp>>

/**
 * The platform of this Jest worker, for test files that need only their own rows; it saves creating one. Other files
 * have left rows, users and log entries, so a test must query by its own names and must not change built-in rows.
 */
export const sharedApp = (globalThis as unknown as { sharedApp: () => Promise<TestApp> }).sharedApp

/**
 * Starts a platform as `testApp` does, with a database of its own, but from modules that the Jest worker loads only
 * once; this saves about a second of the processor per file. Module mocks, fake timers and spies on modules or clocks
 * do not reach it, its log has no stream of its own, and modules that the file itself imports neither recognize its
 * database errors nor repeat its transactions. Files that need any of these use `testApp`.
 */
export const ownApp = (globalThis as unknown as { ownApp: typeof testApp }).ownApp

async function inject(
  app: FastifyInstance,
  { method, path }: Endpoint,
  input: Record<string, unknown>,
  token?: string,
) {
  const remainingInput = { ...input }
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(remainingInput[name])
    delete remainingInput[name]
    return encodeURIComponent(value)
  })
  const query = Object.fromEntries(
    Object.entries(remainingInput)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, String(value)]),
  )
  const response = await app.inject({
    method,
    url,
    ...(method === 'GET' || method === 'DELETE' ? { query } : { payload: remainingInput }),
    headers: token ? { satoken: `Bearer ${token}` } : {},
  })
  return { status: response.statusCode, body: response.json<Envelope>() }
}
