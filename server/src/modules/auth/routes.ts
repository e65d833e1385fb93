import { randomBytes } from 'node:crypto'
import { authApi, type LoginDraft } from '@iot/shared/contract/auth'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Context } from '../../core/serve/context'
import { transaction } from '../../core/db/db'
import { complain } from '../../core/db/outage'
import { mustKnowPassword } from './policy/mustKnow'
import { checkPassword, hashPassword } from './policy/password'
import { sideMenu } from './policy/sideMenu'
import { missing, refused, Refusal, wrongField } from '../../core/refusal'
import { addressGroup } from '../../core/serve/addressGroup'
import { serve } from '../../core/serve/serve'
import { accepts, wrongCode } from '../secondFactor/policy/codes'
import { secondFactorQueries } from '../secondFactor/policy/rows'
import { hashToken } from './sessions'
import { captchas } from './captcha'
import { agentOf, deviceName, limits, loginGuard, withCaptcha } from './loginGuard'
import { knownDeviceDays, readDevice, rememberDevice } from './knownDevice'
import { authQueries } from './queries'

/** Maximum of logged login failures per address and minute, so that an attacker cannot fill the disk. */
const logged = 30

type Draft = z.output<typeof LoginDraft>
type Seen = { username: string; address: string; browser: string; system: string }

export async function authRoutes(app: FastifyInstance) {
  const queries = authQueries(app.db)
  const captcha = captchas()
  const failures = new LRUCache<string, number>({ max: 10_000, ttl: 60_000 })
  function mayLog(address: string) {
    const source = addressGroup(address)
    const count = (failures.get(source) ?? 0) + 1
    failures.set(source, count, { noUpdateTTL: true })
    return count <= logged
  }
  // An unknown account is checked against this hash, so that it takes as long as a wrong password.
  const nobody = await hashPassword(randomBytes(16).toString('hex'))
  const day = 24 * 3600_000
  const sweep = setInterval(
    () =>
      queries
        .sweep(
          new Date(Date.now() - 7 * day).toISOString(),
          new Date(Date.now() - knownDeviceDays * day).toISOString(),
        )
        .catch((error) => complain('旧会话未清理', error)),
    day,
  ).unref()
  app.addHook('onClose', async () => clearInterval(sweep))

  serve(app, authApi, {
    captcha: () => captcha.draw(),

    async login(draft, context) {
      const { address, agent } = context
      const seen = { username: draft.username, address, ...agentOf(agent) }
      try {
        return await signIn(draft, context, seen)
      } catch (error) {
        if (error instanceof Refusal && mayLog(address))
          await queries.logLogin({ ...seen, ok: false, reason: error.message })
        throw error
      }
    },

    async me(_, { user, roles, permissions, menuIds, projectScope }) {
      const menu = await sideMenu(app.db, { permissions, menuIds })
      const looksVersion = await queries.looksVersion()
      const seesAllProjects = projectScope === 'all'
      const shown = { ...user, roles, permissions: [...permissions], seesAllProjects }
      return { user: shown, menu, looksVersion }
    },

    async logout(_, context) {
      await queries.endSessions(context.user.id, 'logout', { only: context.id })
      app.sessions.end(context.user.id)
      context.note({ entity: '会话', id: context.id, name: context.user.name })
      return null
    },

    async changePassword({ oldPassword, newPassword }, context) {
      await mustKnowPassword(app.db, context, 'oldPassword', oldPassword)
      if (newPassword === oldPassword) throw wrongField('newPassword', '新密码不能与原密码相同')
      if (newPassword.toLowerCase().includes(context.user.username.toLowerCase()))
        throw wrongField('newPassword', '密码不能包含账号')
      const hash = await hashPassword(newPassword)
      await context.write(authQueries, async (rows, note) => {
        await rows.setPassword(context.user.id, hash)
        await rows.endSessions(context.user.id, 'kicked', { except: context.id })
        note({
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
      const rows = await queries.liveSessions(context.user.id)
      return rows.map((row) => ({ ...row, current: row.id === context.id }))
    },

    async revoke({ id }, context) {
      if (id === context.id) throw refused('当前会话请用“退出登录”')
      const revoked = await queries.endSessions(
        context.user.id,
        'kicked',
        id ? { only: id } : { except: context.id },
      )
      if (id && revoked === 0) throw missing('会话')
      app.sessions.end(context.user.id)
      context.note({ entity: '会话', id: id ?? '', name: context.user.name })
      return { revoked }
    },
  })

  async function signIn(draft: Draft, context: Context, seen: Seen) {
    const { address, agent } = context
    const { username, password, remember, captchaId, captcha: given, code } = draft
    const user = await queries.userByName(username)
    const device = readDevice(context)
    const isKnown = user && device && (await queries.isKnownDevice(device.hash, user.id))
    const guard = loginGuard(queries, username, address, isKnown ? device?.hash : undefined)
    const { needsCaptcha } = await guard.admit()
    if (needsCaptcha && !captcha.check(captchaId, given)) {
      throw withCaptcha(wrongField('captcha', given ? '验证码错误或已过期' : '请输入验证码'), true)
    }
    const attempt = await guard.reserve(user?.id)
    const matches = await checkPassword(password, user?.passwordHash ?? nobody).catch(
      async (tooMany) => {
        await attempt.undo()
        throw tooMany
      },
    )
    if (!user || !matches) throw attempt.failed()
    if (user.disabled) throw refused('账号已禁用，请联系管理员')
    if (user.expireTime && Date.parse(user.expireTime) <= Date.now())
      throw refused('账号已过期，请联系管理员')
    const factor = await secondFactorQueries(app.db).activeOf(user.id)
    if (factor && !code) {
      await attempt.undo()
      throw withCaptcha(wrongField('code', '请输入动态验证码'), needsCaptcha)
    }
    if (factor && !(await accepts(secondFactorQueries(app.db), factor, code!)))
      throw attempt.failed(wrongCode())
    await attempt.succeeded()

    const token = randomBytes(32).toString('base64url')
    const lifetime = remember ? limits.remembered : limits.short
    const at = new Date()
    const replaced = await transaction(app.db, async (tx) => {
      const queries = authQueries(tx)
      const [session] = await queries.insertSession({
        tokenHash: hashToken(token),
        userId: user.id,
        device: deviceName(agent),
        address,
        remember,
        createTime: at.toISOString(),
        lastSeen: at.toISOString(),
        expireTime: new Date(at.getTime() + lifetime).toISOString(),
      })
      const tooMany = (await queries.liveSessions(user.id)).slice(limits.sessions)
      for (const { id } of tooMany) await queries.endSessions(user.id, 'replaced', { only: id })
      await queries.loggedIn(user.id)
      await rememberDevice(queries, user.id, context)
      await queries.logLogin({
        ...seen,
        userId: user.id,
        sessionId: session!.id,
        ok: true,
        reason: '',
      })
      return tooMany.length > 0
    })
    if (replaced) app.sessions.end(user.id)
    return { token, expiresIn: lifetime / 1000 }
  }
}
