import { dayMs, minuteMs } from '@iot/shared/contract/duration'
import type { SecurityPolicy } from '@iot/shared/contract/platform/platformSettings.schema'
import Bowser from 'bowser'
import { createRefusal, type Refusal } from '../../core/refusal'
import { createSequence, type RunInSequence } from '../../core/sequence'
import { toAccountKey, toAddressKey, toAddressPrefix, toDeviceKey } from './policy/failureKeys'
import { createBusyRefusal } from './policy/password'
import type { authQueries } from './queries'

export const loginLimits = {
  /** So many failures from one source lock that source. */
  lockAfterFailures: 5,
  /**
   * Limit of failures of one account over all sources, against an attacker with many addresses. Known devices stay
   * admitted.
   */
  lockAccountAfterFailures: 100,
  /**
   * Limit of accounts with failures per address. Many people may share one address, but an attacker tries more
   * accounts.
   */
  maxAccountsPerAddress: 30,
  failureWindowMs: 10 * minuteMs,
  lockDurationMs: 10 * minuteMs,
  /** Limit of attempts of one source that wait while another is checked. */
  maxWaitingAttempts: 30,
  /** Limit of sessions per user; one more login ends the session that was idle longest. */
  maxSessionsPerUser: 10,
  shortSessionMs: 12 * 60 * minuteMs,
  rememberedSessionMs: 30 * dayMs,
}

const getTimeFromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
type AuthQueries = ReturnType<typeof authQueries>
type LoginGuardOptions = {
  username: string
  address: string
  /** Hash of the cookie of a browser that is known for this account. */
  deviceHash?: string
  /** Failures after which a captcha is required: 0 requires it always, `Infinity` never. */
  captchaAfterFailures: number
}

/** Returns after how many failures the policy requires a captcha. */
export const getCaptchaThreshold = ({
  captcha,
  captchaAfterFailures,
}: Pick<SecurityPolicy, 'captcha' | 'captchaAfterFailures'>) =>
  captcha === 'always' ? 0 : captcha === 'never' ? Infinity : captchaAfterFailures

/** The reserved attempts of this process by key, which are being checked and are no failures yet. */
const attemptsInCheck = new Map<string, number>()
function countInCheck(key: string, difference: 1 | -1) {
  const count = (attemptsInCheck.get(key) ?? 0) + difference
  if (count > 0) attemptsInCheck.set(key, count)
  else attemptsInCheck.delete(key)
}

const turnsBySource = new Map<string, { runInTurn: RunInSequence; jobCount: number }>()
/**
 * Checks the attempts of one source one after the other. Otherwise the reservations of several correct attempts at the
 * same moment would count as failures of each other.
 */
async function runInTurn<T>(sourceKey: string, job: () => Promise<T>) {
  const turns = turnsBySource.get(sourceKey) ?? { runInTurn: createSequence(), jobCount: 0 }
  if (turns.jobCount > loginLimits.maxWaitingAttempts) throw createBusyRefusal()
  turnsBySource.set(sourceKey, turns)
  turns.jobCount++
  try {
    return await turns.runInTurn(job)
  } finally {
    if (--turns.jobCount === 0) turnsBySource.delete(sourceKey)
  }
}

/**
 * Counts failures by account and source, so that guesses from elsewhere do not lock out the user. A known device is a
 * source
 * of its own with five attempts, and no lock of its address or account applies to it. Unknown accounts behave the same.
 */
export function createLoginGuard(
  queries: AuthQueries,
  { username, address, deviceHash, captchaAfterFailures }: LoginGuardOptions,
) {
  const accountKey = toAccountKey(username)
  const sourceKey = deviceHash ? toDeviceKey(deviceHash, username) : toAddressKey(address, username)
  const getWindowStart = () => getTimeFromNow(-loginLimits.failureWindowMs)
  const getRecentCount = (key: string, row: Awaited<ReturnType<AuthQueries['findFailure']>>) =>
    row && row.since >= getWindowStart() ? row.count - (attemptsInCheck.get(key) ?? 0) : 0
  const reservedKeys: string[] = []
  const countReservation = (key: string) => {
    countInCheck(key, 1)
    reservedKeys.push(key)
    return queries.countFailure(key, getWindowStart())
  }

  return {
    /** Runs what admits, reserves and checks an attempt when the earlier ones of the same source are checked. */
    inTurn: <T>(check: () => Promise<T>) =>
      runInTurn(sourceKey, async () => {
        try {
          return await check()
        } finally {
          for (const key of reservedKeys.splice(0)) countInCheck(key, -1)
        }
      }),
    async admit() {
      const sourceFailure = await queries.findFailure(sourceKey)
      throwIfLocked(sourceFailure)
      if (deviceHash) {
        const recentCount = getRecentCount(sourceKey, sourceFailure)
        return { needsCaptcha: recentCount >= captchaAfterFailures }
      }
      const accountFailure = await queries.findFailure(accountKey)
      throwIfLocked(accountFailure)
      const failedAccountCount = await queries.countFailuresByPrefix(
        toAddressPrefix(address),
        getWindowStart(),
        [...attemptsInCheck.keys()],
      )
      if (failedAccountCount >= loginLimits.maxAccountsPerAddress)
        throw createLockRefusal(getTimeFromNow(loginLimits.lockDurationMs))
      const recentFailures = Math.max(
        getRecentCount(sourceKey, sourceFailure),
        getRecentCount(accountKey, accountFailure),
      )
      return { needsCaptcha: recentFailures >= captchaAfterFailures }
    },
    /**
     * Reserves an attempt before the password is checked, so that parallel guesses get no more than five in all. The
     * caller
     * ends it with `fail`, `undo` or `succeed`.
     * @throws if the source or the account is locked
     */
    async reserve(userId?: string) {
      const sourceFailureCount = await countReservation(sourceKey)
      const accountFailureCount = deviceHash ? 0 : await countReservation(accountKey)
      const lockEnd = getTimeFromNow(loginLimits.lockDurationMs)
      const isLastAttempt =
        sourceFailureCount >= loginLimits.lockAfterFailures ||
        accountFailureCount >= loginLimits.lockAccountAfterFailures
      if (sourceFailureCount >= loginLimits.lockAfterFailures)
        await queries.lock(sourceKey, lockEnd)
      if (accountFailureCount >= loginLimits.lockAccountAfterFailures)
        await queries.lock(accountKey, lockEnd)
      if (isLastAttempt && userId) await queries.lockUser(userId, lockEnd)
      if (
        sourceFailureCount > loginLimits.lockAfterFailures ||
        accountFailureCount > loginLimits.lockAccountAfterFailures
      )
        throw createLockRefusal(lockEnd)
      return {
        /** @returns the refusal to throw */
        fail: (refusal: Refusal = createRefusal('账号或密码错误')) =>
          isLastAttempt
            ? createLockRefusal(lockEnd)
            : withCaptcha(
                refusal,
                Math.max(sourceFailureCount, accountFailureCount) >= captchaAfterFailures,
              ),
        /** Releases an attempt that was correct so far: it counts as no failure and clears no earlier ones. */
        async undo() {
          await queries.decrementFailure(sourceKey)
          if (!deviceHash) await queries.decrementFailure(accountKey)
          if (userId && isLastAttempt) await queries.lockUser(userId, null)
        },
        async succeed() {
          await queries.clearFailures(sourceKey)
          if (!deviceHash) await queries.clearFailures(accountKey)
        },
      }
    },
  }
}

function throwIfLocked(row: { lockedUntil: string | null } | undefined) {
  if (row?.lockedUntil && Date.parse(row.lockedUntil) > Date.now())
    throw createLockRefusal(row.lockedUntil)
}

export const withCaptcha = (refusal: Refusal, captcha: boolean) =>
  Object.assign(refusal, { data: { ...(refusal.data as object | null), captcha } })

const createLockRefusal = (lockEnd: string) =>
  createRefusal(
    `失败次数过多，请 ${Math.max(1, Math.ceil((Date.parse(lockEnd) - Date.now()) / minuteMs))} 分钟后再试`,
    { captcha: true, lockedUntil: lockEnd },
  )

const getMajorVersion = (versionText = '') => versionText.split('.')[0]
// Browsers on these systems report one frozen version, so it is left out.
const systemsWithFrozenVersion = new Set(['Windows', 'macOS'])

/** Returns the browser and system of a user agent; both are empty if it is empty. */
export function parseUserAgent(agent: string) {
  if (!agent) return { browser: '', system: '' }
  const { browser, os } = Bowser.parse(agent)
  const name = os.name ?? ''
  return {
    browser: [browser.name, getMajorVersion(browser.version)].filter(Boolean).join(' '),
    system: [name, systemsWithFrozenVersion.has(name) ? '' : getMajorVersion(os.version)]
      .filter(Boolean)
      .join(' '),
  }
}

/** Returns the browser and system as one text for lists. */
export function formatDeviceName(agent: string): string {
  const { browser, system } = parseUserAgent(agent)
  return [browser, system].filter(Boolean).join(' · ') || agent.slice(0, 64) || '未知设备'
}
