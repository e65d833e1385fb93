import Bowser from 'bowser'
import { refused, type Refusal } from '../../core/refusal'
import type { authQueries } from './queries'

const minute = 60_000
export const limits = {
  /** Failures of one account after which a captcha is asked for, and after which the door is shut. */
  captcha: 2,
  lock: 5,
  /** Accounts that failed from one address: a site behind one address has many people, a guesser has more. */
  accounts: 30,
  window: 10 * minute,
  lockFor: 10 * minute,
  /** The eleventh sign-in ends the one that was idle longest. */
  sessions: 10,
  short: 12 * 60 * minute,
  remembered: 30 * 24 * 60 * minute,
}

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
type Queries = ReturnType<typeof authQueries>

/** Failures by account name, whether or not the account exists, and how many accounts failed from an address. */
export function loginGuard(queries: Queries, username: string, address: string) {
  const account = `user:${username.toLowerCase()}`
  const fromHere = `address:${address}|`
  const since = () => fromNow(-limits.window)

  return {
    async admit() {
      const row = await queries.failure(account)
      if (row?.lockedUntil && Date.parse(row.lockedUntil) > Date.now())
        throw locked(row.lockedUntil)
      if ((await queries.failuresLike(fromHere, since())) >= limits.accounts)
        throw locked(fromNow(limits.lockFor))
      const recent = row && row.since >= since() ? row.count : 0
      return { needsCaptcha: recent >= limits.captcha }
    },
    /**
     * Takes one of the tries before the password is looked at, so that many guesses at the same moment are no more
     * than five; `failed`, `undo` and `succeeded` end it.
     */
    async reserve(userId?: string) {
      const count = await queries.countFailure(account, since())
      const until = fromNow(limits.lockFor)
      if (count >= limits.lock) {
        await queries.lock(account, until)
        if (userId) await queries.lockUser(userId, until)
      }
      if (count > limits.lock) throw locked(until)
      return {
        /** Answers the refusal to throw. */
        async failed(refusal: Refusal = refused('账号或密码错误')) {
          await queries.countFailure(fromHere + username.toLowerCase(), since())
          return count >= limits.lock
            ? locked(until)
            : withCaptcha(refusal, count >= limits.captcha)
        },
        /** Right as far as it went: neither a failure nor the end of those before. */
        async undo() {
          await queries.uncountFailure(account)
          if (userId && count >= limits.lock) await queries.lockUser(userId, null)
        },
        async succeeded() {
          await queries.clearFailures(account)
          await queries.clearFailures(fromHere + username.toLowerCase())
        },
      }
    },
  }
}

export const withCaptcha = (refusal: Refusal, captcha: boolean) =>
  Object.assign(refusal, { data: { ...(refusal.data as object | null), captcha } })

const locked = (until: string) =>
  refused(
    `失败次数过多，请 ${Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / minute))} 分钟后再试`,
    { captcha: true, lockedUntil: until },
  )

const majorOf = (version = '') => version.split('.')[0]
// Their browsers name one version for good, whichever it is.
const frozen = new Set(['Windows', 'macOS'])

/** The browser and system an agent names; empty where it names none. */
export function agentOf(agent: string) {
  if (!agent) return { browser: '', system: '' }
  const { browser, os } = Bowser.parse(agent)
  const name = os.name ?? ''
  return {
    browser: [browser.name, majorOf(browser.version)].filter(Boolean).join(' '),
    system: [name, frozen.has(name) ? '' : majorOf(os.version)].filter(Boolean).join(' '),
  }
}

/** Both, short enough for a list. */
export function deviceName(agent: string): string {
  const { browser, system } = agentOf(agent)
  return [browser, system].filter(Boolean).join(' · ') || agent.slice(0, 64) || '未知设备'
}
