import Bowser from 'bowser'
import { refused, type Refusal } from '../../core/refusal'
import { toAccountKey, toAddressKey, toAddressPrefix, toDeviceKey } from './policy/failureKeys'
import type { authQueries } from './queries'

const minute = 60_000
export const limits = {
  /** Failures of one account after which a captcha is asked for, and, from one source, after which the door is shut to it. */
  captcha: 2,
  lock: 5,
  /** Failures from all sources together that lock an account, against a guesser with many addresses; known devices are exempt. */
  lockEverywhere: 100,
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

/**
 * Failures by account and source, so that guesses from elsewhere keep nobody out. A known device is a source of its own:
 * neither its address nor the account being attacked locks it out, and it has five tries like everybody.
 * Whether the account exists makes no difference.
 * @param device hash of the cookie of a browser that is known for this account
 */
export function loginGuard(queries: Queries, username: string, address: string, device?: string) {
  const account = toAccountKey(username)
  const source = device ? toDeviceKey(device, username) : toAddressKey(address, username)
  const since = () => fromNow(-limits.window)
  const recentCount = (row: Awaited<ReturnType<Queries['failure']>>) =>
    row && row.since >= since() ? row.count : 0

  return {
    async admit() {
      const here = await queries.failure(source)
      throwIfLocked(here)
      if (device) return { needsCaptcha: recentCount(here) >= limits.captcha }
      const everywhere = await queries.failure(account)
      throwIfLocked(everywhere)
      if ((await queries.failuresLike(toAddressPrefix(address), since())) >= limits.accounts)
        throw locked(fromNow(limits.lockFor))
      const recent = Math.max(recentCount(here), recentCount(everywhere))
      return { needsCaptcha: recent >= limits.captcha }
    },
    /**
     * Takes one of the tries before the password is looked at, so that many guesses at the same moment are no more
     * than five; `failed`, `undo` and `succeeded` end it.
     */
    async reserve(userId?: string) {
      const count = await queries.countFailure(source, since())
      const total = device ? 0 : await queries.countFailure(account, since())
      const until = fromNow(limits.lockFor)
      const isLast = count >= limits.lock || total >= limits.lockEverywhere
      if (count >= limits.lock) await queries.lock(source, until)
      if (total >= limits.lockEverywhere) await queries.lock(account, until)
      if (isLast && userId) await queries.lockUser(userId, until)
      if (count > limits.lock || total > limits.lockEverywhere) throw locked(until)
      return {
        /** Answers the refusal to throw. */
        failed: (refusal: Refusal = refused('账号或密码错误')) =>
          isLast ? locked(until) : withCaptcha(refusal, Math.max(count, total) >= limits.captcha),
        /** Right as far as it went: neither a failure nor the end of those before. */
        async undo() {
          await queries.uncountFailure(source)
          if (!device) await queries.uncountFailure(account)
          if (userId && isLast) await queries.lockUser(userId, null)
        },
        async succeeded() {
          await queries.clearFailures(source)
          if (!device) await queries.clearFailures(account)
        },
      }
    },
  }
}

function throwIfLocked(row: { lockedUntil: string | null } | undefined) {
  if (row?.lockedUntil && Date.parse(row.lockedUntil) > Date.now()) throw locked(row.lockedUntil)
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
