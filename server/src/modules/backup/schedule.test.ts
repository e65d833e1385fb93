import { getLastDueMs, getNextDueMs, isBackupDue } from './schedule'
import { judgeBackups } from './policy'
import type { BackupRow } from './queries'

const toMs = (text: string) => new Date(text).getTime()
const hour = 3_600_000

test('finds the due times around a moment on the clock of the process', () => {
  expect(getLastDueMs('03:30', toMs('2026-11-26T03:30:00'))).toBe(toMs('2026-11-26T03:30:00'))
  expect(getLastDueMs('03:30', toMs('2026-11-26T03:29:59'))).toBe(toMs('2026-11-25T03:30:00'))
  expect(getNextDueMs('03:30', toMs('2026-11-26T03:30:00'))).toBe(toMs('2026-11-27T03:30:00'))
  expect(getNextDueMs('03:30', toMs('2026-11-26T00:00:00'))).toBe(toMs('2026-11-26T03:30:00'))
})

test('starts a missed backup, repeats a failed one after an hour, and gives up after three', () => {
  const failed = (startMs: number) => ({ startMs, isFailed: true })
  expect(isBackupDue([], 0)).toBe(true)
  expect(isBackupDue([{ startMs: 0, isFailed: false }], 5 * hour)).toBe(false)
  expect(isBackupDue([failed(0)], hour - 1)).toBe(false)
  expect(isBackupDue([failed(0)], hour)).toBe(true)
  expect(isBackupDue([failed(0), failed(hour), failed(2 * hour)], 9 * hour)).toBe(false)
})

describe('judgeBackups', () => {
  const now = toMs('2026-11-26T12:00:00')
  const row = (state: BackupRow['state'], startTime: string) =>
    ({ id: startTime, state, startTime, error: '磁盘空间不足' }) as BackupRow
  const old = row('succeeded', '2026-11-24T03:30:00.000Z')

  test('reports a failed run until the next success, also while one is running', () => {
    const failed = row('failed', '2026-11-26T01:00:00.000Z')
    const running = row('running', '2026-11-26T02:00:00.000Z')
    expect(judgeBackups([running, failed], old, '03:30', now)?.reason).toBe(
      '最近一次备份失败：磁盘空间不足',
    )
    const success = row('succeeded', '2026-11-26T03:00:00.000Z')
    expect(judgeBackups([success, failed], success, '00:10', toMs('2026-11-26T00:20:00'))).toBe(
      undefined,
    )
  })

  test('reports an overdue backup, but none before the first one', () => {
    expect(judgeBackups([old], old, '03:30', now)?.reason).toBe('已过定时，没有备份')
    expect(judgeBackups([], undefined, '03:30', now)).toBe(undefined)
  })
})
