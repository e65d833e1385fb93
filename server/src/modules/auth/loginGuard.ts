import Bowser from 'bowser'
import { refused, type Refusal } from '../../core/refusal'
import { toAccountKey, toAddressKey, toAddressPrefix, toDeviceKey } from './policy/failureKeys'
import type { authQueries } from './queries'

const minute = 60_000
export const limits = {
  /** `captcha` failures of one account require a captcha; `lock` failures from one source lock that source. */
  captcha: 2,
  lock: 5,
  /**
   * Limit of failures of one account over all sources, against an attacker with many addresses. Known devices stay
   * admitted.
   */
  lockEverywhere: 100,
  /**
   * Limit of accounts with failures per address. Many people may share one address, but an attacker tries more
   * accounts.
   */
  accounts: 30,
  window: 10 * minute,
  lockFor: 10 * minute,
  /** Limit of sessions per user; one more login ends the session that was idle longest. */
  sessions: 10,
  short: 12 * 60 * minute,
  remembered: 30 * 24 * 60 * minute,
}

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
type Queries = ReturnType<typeof authQueries>

/**
 * Counts failures by account and source, so that guesses from elsewhere do not lock out the user. A known device is a
 * source
 * of its own with five attempts, and no lock of its address or account applies to it. Unknown accounts behave the same.
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
     * Reserves an attempt before the password is checked, so that parallel guesses get no more than five in all. The
     * caller
     * ends it with `failed`, `undo` or `succeeded`.
     * @throws if the source or the account is locked
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
        /** @returns the refusal to throw */
        failed: (refusal: Refusal = refused('账号或密码错误')) =>
          isLast ? locked(until) : withCaptcha(refusal, Math.max(count, total) >= limits.captcha),
        /** Releases an attempt that was correct so far: it counts as no failure and clears no earlier ones. */
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
// Browsers on these systems report one frozen version, so it is left out.
const frozen = new Set(['Windows', 'macOS'])

/** Returns the browser and system of a user agent; both are empty if it is empty. */
export function agentOf(agent: string) {
  if (!agent) return { browser: '', system: '' }
  const { browser, os } = Bowser.parse(agent)
  const name = os.name ?? ''
  return {
    browser: [browser.name, majorOf(browser.version)].filter(Boolean).join(' '),
    system: [name, frozen.has(name) ? '' : majorOf(os.version)].filter(Boolean).join(' '),
  }
}

/** Returns the browser and system as one text for lists. */
export function deviceName(agent: string): string {
  const { browser, system } = agentOf(agent)
  return [browser, system].filter(Boolean).join(' · ') || agent.slice(0, 64) || '未知设备'
}
