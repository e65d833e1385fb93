import { dayMs, getPastTime } from '@iot/shared/contract/duration'
import { randomBytes } from 'node:crypto'
import { type LoginDraft, authSchemas } from '@iot/shared/contract/access/auth.schema'
import { authApi } from '@iot/shared/contract/access/auth.api'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Context } from '../../core/http/context'
import { transaction } from '../../core/db/db'
import { runInBackground } from '../../core/db/outage'
import { jobsLease } from '../../core/lease/members'
import { findPasswordDue, hashChosenPassword } from './policy/newPassword'
import { requirePassword } from './policy/requirePassword'
import { checkPassword, hashPassword } from './policy/password'
import { buildSideMenu } from './policy/sideMenu'
import {
  createMissingRefusal,
  requireRow,
  createRefusal,
  Refusal,
  createFieldRefusal,
} from '../../core/refusal'
import { addressGroup } from '../../core/http/addressGroup'
import { serve, type Handlers } from '../../core/http/serve'
import { consumeCode, wrongCodeRefusal } from '../secondFactor/policy/codes'
import { toPasswordPolicy } from '../platformSettings/policy'
import { secondFactorQueries } from '../secondFactor/policy/queries'
import { isSecondFactorRequired } from '../secondFactor/policy/requirement'
import { hashToken } from './sessions'
import { createCaptchas } from './captcha'
import {
  parseUserAgent,
  formatDeviceName,
  loginLimits,
  createLoginGuard,
  getCaptchaThreshold,
  withCaptcha,
} from './loginGuard'
import { knownDeviceDays, readDeviceCookie, rememberDevice } from './knownDevice'
import { authQueries } from './queries'

/** Maximum of logged login failures per address and minute, so that an attacker cannot fill the disk. */
const maxLoggedFailuresPerMinute = 30

type AuthQueries = ReturnType<typeof authQueries>
type LoginInput = z.output<typeof LoginDraft>
type SignedInUser = { id: string; passwordTime: string; mustChangePassword: boolean }
type StoredUser = NonNullable<Awaited<ReturnType<AuthQueries['findUserByName']>>>
type LoginGuard = ReturnType<typeof createLoginGuard>
type LoginSource = { username: string; address: string; browser: string; system: string }

function createFailureLogLimit() {
  const failureCounts = new LRUCache<string, number>({ max: 10_000, ttl: 60_000 })
  return function canLogFailure(address: string) {
    const source = addressGroup(address)
    const count = (failureCounts.get(source) ?? 0) + 1
    failureCounts.set(source, count, { noUpdateTTL: true })
    return count <= maxLoggedFailuresPerMinute
  }
}

/** Deletes old sessions, failures and known devices once a day. */
function startCleanup(app: FastifyInstance, queries: AuthQueries) {
  const cleanupTimer = setInterval(
    () =>
      app.leases.isHeld(jobsLease) &&
      runInBackground(
        queries.deleteExpired(getPastTime(7 * dayMs), getPastTime(knownDeviceDays * dayMs)),
        '旧会话未清理',
      ),
    dayMs,
  ).unref()
  app.addHook('onClose', async () => clearInterval(cleanupTimer))
}

/**
 * Creates the function that checks captcha, password, account state and second factor of a login.
 * It returns the user and throws a refusal with the reason otherwise.
 */
async function createCredentialCheck(
  { db, platformSettings }: FastifyInstance,
  queries: AuthQueries,
  captcha: ReturnType<typeof createCaptchas>,
) {
  // An unknown account is checked against this hash, so that it takes as long as a wrong password.
  const decoyHash = await hashPassword(randomBytes(16).toString('hex'))

  /** Checks one attempt that the guard admits; the caller runs it in its turn. */
  async function checkAttempt(draft: LoginInput, user: StoredUser | undefined, guard: LoginGuard) {
    const { password, captchaId, captcha: captchaAnswer, code } = draft
    const { needsCaptcha } = await guard.admit()
    if (needsCaptcha && !captcha.check(captchaId, captchaAnswer)) {
      throw withCaptcha(
        createFieldRefusal('captcha', captchaAnswer ? '验证码错误或已过期' : '请输入验证码'),
        true,
      )
    }
    const attempt = await guard.reserve(user?.id)
    const isPasswordCorrect = await checkPassword(password, user?.passwordHash ?? decoyHash).catch(
      async (queueError) => {
        await attempt.undo()
        throw queueError
      },
    )
    if (!user || !isPasswordCorrect) throw attempt.fail()
    const accountRefusal = describeClosedAccount(user)
    if (accountRefusal) {
      await attempt.undo()
      throw createRefusal(accountRefusal)
    }
    const secondFactor = await secondFactorQueries(db).findActive(user.id)
    if (secondFactor && !code) {
      await attempt.undo()
      throw withCaptcha(createFieldRefusal('code', '请输入动态验证码'), needsCaptcha)
    }
    if (secondFactor && !(await consumeCode(secondFactorQueries(db), secondFactor, code!)))
      throw attempt.fail(wrongCodeRefusal())
    await attempt.succeed()
    return user
  }

  return async function checkCredentials(draft: LoginInput, context: Context) {
    const { username } = draft
    const user = await queries.findUserByName(username)
    const device = readDeviceCookie(context)
    const isDeviceKnown = user && device && (await queries.isKnownDevice(device.hash, user.id))
    const guard = createLoginGuard(queries, {
      username,
      address: context.address,
      deviceHash: isDeviceKnown ? device?.hash : undefined,
      captchaAfterFailures: getCaptchaThreshold(await platformSettings.read()),
    })
    return guard.inTurn(() => checkAttempt(draft, user, guard))
  }
}

const describeClosedAccount = ({ disabled, expireTime }: StoredUser) =>
  disabled
    ? '账号已禁用，请联系管理员'
    : expireTime && Date.parse(expireTime) <= Date.now()
      ? '账号已过期，请联系管理员'
      : undefined

/**
 * Returns what the policy demands of a user before anything else. It is decided when a session begins, so that a stricter
 * policy interrupts no user at work.
 */
async function findSignInDuties(app: FastifyInstance, user: SignedInUser, password: string) {
  const settings = await app.platformSettings.read()
  return {
    passwordDue: user.mustChangePassword
      ? null
      : await findPasswordDue(password, toPasswordPolicy(settings), user),
    mustEnrolSecondFactor: await isSecondFactorRequired(app.db, settings, user.id),
  }
}

/** Opens a session, ends those beyond the limit per user and logs the login, all in one transaction. */
async function openSession(
  app: FastifyInstance,
  user: SignedInUser,
  { remember, password }: Pick<LoginInput, 'remember' | 'password'>,
  context: Context,
  loginSource: LoginSource,
) {
  const { address, agent } = context
  const userId = user.id
  const duties = await findSignInDuties(app, user, password)
  const token = randomBytes(32).toString('base64url')
  const sessionLifetimeMs = remember ? loginLimits.rememberedSessionMs : loginLimits.shortSessionMs
  const loginTime = new Date()
  const hasReplacedSession = await transaction(app.db, async (tx) => {
    const queries = authQueries(tx)
    const [session] = await queries.insertSession({
      tokenHash: hashToken(token),
      userId,
      device: formatDeviceName(agent),
      address,
      remember,
      ...duties,
      createTime: loginTime.toISOString(),
      lastSeen: loginTime.toISOString(),
      expireTime: new Date(loginTime.getTime() + sessionLifetimeMs).toISOString(),
    })
    const surplusSessions = (await queries.listActiveSessions(userId)).slice(
      loginLimits.maxSessionsPerUser,
    )
    for (const { id } of surplusSessions)
      await queries.endSessions(userId, 'replaced', { only: id })
    await queries.recordLogin(userId)
    await rememberDevice(queries, userId, context)
    await queries.logLogin({
      ...loginSource,
      userId,
      sessionId: session!.id,
      ok: true,
      reason: '',
    })
    return surplusSessions.length > 0
  })
  if (hasReplacedSession) app.sessions.end(userId)
  return { token, expiresIn: sessionLifetimeMs / 1000 }
}

/** Creates the handlers with which users manage their own password and sessions. */
const createOwnSessionHandlers = (
  app: FastifyInstance,
  queries: AuthQueries,
): Pick<Handlers<typeof authSchemas>, 'logout' | 'changePassword' | 'sessions' | 'revoke'> => ({
  async logout(_, context) {
    await queries.endSessions(context.user.id, 'logout', { only: context.id })
    app.sessions.end(context.user.id)
    context.recordChange({ entity: '会话', id: context.id, name: context.user.name })
    return null
  },

  async changePassword({ oldPassword, newPassword }, context) {
    await requirePassword(app.db, context, 'oldPassword', oldPassword)
    const hash = await hashChosenPassword(
      app.db,
      newPassword,
      toPasswordPolicy(await app.platformSettings.read()),
      {
        owner: requireRow(await queries.findUserById(context.user.id), '用户'),
        field: 'newPassword',
      },
    )
    await context.write(authQueries, async (txQueries, recordAudit) => {
      await txQueries.setPassword(context.user.id, hash)
      await txQueries.endSessions(context.user.id, 'kicked', { except: context.id })
      recordAudit({
        entity: '用户',
        id: context.user.id,
        name: context.user.name,
        before: { 密码: ' ' },
        after: { 密码: '  ' },
      })
    })
    app.sessions.end(context.user.id)
    return null
  },

  async sessions(_, context) {
    const rows = await queries.listActiveSessions(context.user.id)
    return rows.map((row) => ({ ...row, current: row.id === context.id }))
  },

  async revoke({ id }, context) {
    if (id === context.id) throw createRefusal('当前会话请用“退出登录”')
    const revokedCount = await queries.endSessions(
      context.user.id,
      'kicked',
      id ? { only: id } : { except: context.id },
    )
    if (id && revokedCount === 0) throw createMissingRefusal('会话')
    app.sessions.end(context.user.id)
    context.recordChange({ entity: '会话', id: id ?? '', name: context.user.name })
    return { revoked: revokedCount }
  },
})

export async function authRoutes(app: FastifyInstance) {
  const queries = authQueries(app.db)
  const captcha = createCaptchas()
  const canLogFailure = createFailureLogLimit()
  const checkCredentials = await createCredentialCheck(app, queries, captcha)
  startCleanup(app, queries)

  serve(app, authApi, authSchemas, {
    captcha: () => captcha.draw(),

    async login(draft, context) {
      const { address, agent } = context
      const loginSource = { username: draft.username, address, ...parseUserAgent(agent) }
      try {
        const user = await checkCredentials(draft, context)
        return await openSession(app, user, draft, context, loginSource)
      } catch (error) {
        if (error instanceof Refusal) app.loginFailures.count++
        if (error instanceof Refusal && canLogFailure(address))
          await queries.logLogin({ ...loginSource, ok: false, reason: error.message })
        throw error
      }
    },

    async me(_, { user, roles, permissions, menuIds, projectScope }) {
      const menu = await buildSideMenu(app.db, { permissions, menuIds })
      const looksVersion = await queries.getLooksVersion()
      const seesAllProjects = projectScope === 'all'
      const currentUser = { ...user, roles, permissions: [...permissions], seesAllProjects }
      const { version: settingsVersion } = await app.platformSettings.read()
      return { user: currentUser, menu, looksVersion, settingsVersion }
    },

    ...createOwnSessionHandlers(app, queries),
  })
}
