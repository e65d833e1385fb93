import { refused } from '../../core/refusal'
import type { authQueries } from './queries'

const minute = 60_000
export const limits = {
  /** Failures after which a captcha is asked for, and after which the door is shut. */
  captcha: 2,
  lock: 5,
  window: 10 * minute,
  lockFor: 10 * minute,
  /** The eleventh sign-in ends the one that was idle longest. */
  sessions: 10,
  short: 12 * 60 * minute,
  remembered: 30 * 24 * 60 * minute,
}

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
type Queries = ReturnType<typeof authQueries>

/** Failures by account name and by address, whether or not the account exists. */
export function loginGuard(queries: Queries, username: string, address: string) {
  const keys = [`user:${username.toLowerCase()}`, `address:${address}`]
  const recent = (row: Awaited<ReturnType<Queries['failure']>>) =>
    row && Date.parse(row.since) > Date.now() - limits.window ? row.count : 0

  return {
    async admit() {
      let count = 0
      for (const key of keys) {
        const row = await queries.failure(key)
        if (row?.lockedUntil && Date.parse(row.lockedUntil) > Date.now())
          throw locked(row.lockedUntil)
        count = Math.max(count, recent(row))
      }
      return { needsCaptcha: count >= limits.captcha }
    },
    /** Answers the refusal to throw. */
    async failed(userId: string | undefined) {
      let worst = 0
      for (const key of keys) {
        const count = await queries.countFailure(key, fromNow(-limits.window))
        worst = Math.max(worst, count)
        if (count < limits.lock) continue
        await queries.lock(key, fromNow(limits.lockFor))
        if (userId && key.startsWith('user:'))
          await queries.lockUser(userId, fromNow(limits.lockFor))
      }
      if (worst >= limits.lock) return locked(fromNow(limits.lockFor))
      return refused('账号或密码错误', { captcha: worst >= limits.captcha })
    },
    clear: () => Promise.all(keys.map((key) => queries.clearFailures(key))),
  }
}

const locked = (until: string) =>
  refused(
    `失败次数过多，请 ${Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / minute))} 分钟后再试`,
    { captcha: true, lockedUntil: until },
  )

/** The browser and system an agent names, short enough for a list. */
export function deviceName(agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\/(\d+)/.exec(
    agent.replace(/Chrome\/\d+(?=.*(Edg|OPR)\/)/, ''),
  )
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0]
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' }
  return (
    [browser && `${names[browser[1]!] ?? browser[1]} ${browser[2]}`, system]
      .filter(Boolean)
      .join(' · ') ||
    agent.slice(0, 64) ||
    '未知设备'
  )
}
