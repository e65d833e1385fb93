import type { BackupKind, Verification } from '@iot/shared/contract/platform/backup.schema'
import { hourMs, minuteMs } from '@iot/shared/contract/duration'
import type { FastifyInstance } from 'fastify'
import { createReadStream } from 'node:fs'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { partialSuffix } from '../../core/backup/archiveWriter'
import { createBackup } from '../../core/backup/createBackup'
import { readPassphrase } from '../../core/backup/passphrase'
import { verifyBackup } from '../../core/backup/restoreBackup'
import { logError, runInBackground } from '../../core/db/outage'
import { jobsLease } from '../../core/lease/members'
import { describeReason } from '../../core/logging/safeError'
import { createRefusal } from '../../core/refusal'
import { now } from '../../tables/columns'
import { backupQueries, type BackupDue, type BackupRow } from './queries'
import { getLastDueMs, isBackupDue } from './schedule'

const renewIntervalMs = 10_000
/** A restored database with its indexes needs about this many times the text of its rows. */
const scratchSpaceFactor = 3
const scratchFolderName = '.verify'
const fileNamePattern = /^iot-backup-\d{8}T\d{6}Z\.tar\.gz(\.enc)?$/
/** A partial file that was not written to for this long belongs to a process that was killed. */
const partialFileAgeMs = hourMs

const formatFileName = (isEncrypted: boolean) =>
  `iot-backup-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.tar.gz${isEncrypted ? '.enc' : ''}`

/**
 * Makes backups by schedule, on the process that holds the lease of the periodic jobs, and when a person asks, on the
 * process that answers. A row of the database admits one at a time.
 */
export function createBackups(app: FastifyInstance) {
  const { backup: settings, site } = app.settings
  const queries = backupQueries(app.db)
  const host = hostname()
  const closing = new AbortController()
  let current: Promise<unknown> = Promise.resolve()

  /** @returns undefined if another backup is running, or a scheduled one is not due any more */
  async function start(kind: BackupKind, startedBy: string, due?: BackupDue) {
    const folder = requireFolder()
    // A missing passphrase must not be noticed at the end.
    const passphrase = settings?.passphraseFile && readPassphrase(settings.passphraseFile)
    const isEncrypted = passphrase !== undefined
    const row = await queries.claim({ kind, startedBy, host, isEncrypted }, due)
    if (!row) return undefined
    current = run(row, folder, passphrase).catch((error: unknown) =>
      logError('备份的结果未能记录', error),
    )
    return row
  }

  async function run(row: BackupRow, folder: string, passphrase?: string) {
    const renewal = setInterval(
      () => runInBackground(queries.renew(row.id), '备份的状态暂未更新'),
      renewIntervalMs,
    )
    try {
      await removeLeftovers(folder)
      const fileName = formatFileName(row.isEncrypted)
      const summary = await write(join(folder, fileName), passphrase)
      await queries.change(row.id, { ...summary, fileName, step: 'verifying' })
      const verified = await verify(join(folder, fileName), folder, passphrase)
      await removeSurplus(row.kind, folder).catch((error: unknown) =>
        logError('旧的备份未能删除', error),
      )
      await queries.change(row.id, { ...verified, state: 'succeeded', endTime: now() })
    } catch (error) {
      const isClosing = closing.signal.aborted
      await queries.change(row.id, {
        state: isClosing ? 'interrupted' : 'failed',
        error: isClosing ? '平台停止，备份没有做完' : describeFailure(error),
        endTime: now(),
      })
      if (!isClosing) logError('备份失败', error)
    } finally {
      clearInterval(renewal)
    }
  }

  async function write(file: string, passphrase?: string) {
    const client = await app.database.openConnection()
    try {
      const { bytes, rows } = await createBackup(
        { client, siteFolder: site?.folder },
        { file, passphrase, signal: closing.signal },
      )
      const rowCount = Object.values(rows).reduce((sum, count) => sum + count, 0)
      return { bytes, rowCount, tableCount: Object.keys(rows).length }
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** A temporary instance needs the embedded PostgreSQL and room; otherwise the file alone is checked, which is said. */
  async function verify(
    file: string,
    folder: string,
    passphrase?: string,
  ): Promise<{ verification: Verification; error: string }> {
    const options = { passphrase, signal: closing.signal }
    const isEmbedded = app.database.kind === 'embedded'
    const hasRoom = isEmbedded && (await hasRoomForScratch(file, folder))
    await verifyBackup(file, hasRoom ? join(folder, scratchFolderName) : undefined, options)
    return {
      verification: hasRoom ? 'restored' : 'read',
      error: isEmbedded && !hasRoom ? '磁盘空间不够试恢复，只校验了文件' : '',
    }
  }

  async function hasRoomForScratch(file: string, folder: string) {
    const [{ size }, { bavail, bsize }] = await Promise.all([stat(file), statfs(folder)])
    // Text shrinks to about a fifth in the file.
    return bavail * bsize > size * 5 * scratchSpaceFactor
  }

  /** Makes room for the verified backup, whose row is still running and not among the others. */
  async function removeSurplus(kind: BackupKind, folder: string) {
    for (const { id, fileName } of await queries.listSurplus(kind, host, settings!.keep - 1)) {
      await rm(join(folder, fileName!), { force: true })
      await queries.forgetFile(id)
    }
    await queries.removeOldRows()
  }

  function requireFolder() {
    if (settings?.folder === undefined)
      throw createRefusal('没有设置备份目录：请在平台的设置中给出 BACKUP_FOLDER')
    return settings.folder
  }

  async function startIfDue() {
    if (settings?.folder === undefined || !app.leases.isHeld(jobsLease)) return
    const nowMs = Date.now()
    const dueTime = new Date(getLastDueMs(settings.at, nowMs)).toISOString()
    const attempts = (await queries.listAttemptsSince(dueTime)).map(({ startTime, state }) => ({
      startMs: Date.parse(startTime),
      isFailed: state === 'failed' || state === 'interrupted',
    }))
    if (isBackupDue(attempts, nowMs))
      await start('schedule', '系统', { time: dueTime, attemptCount: attempts.length })
  }

  const timer = setInterval(() => runInBackground(startIfDue(), '定时备份未开始'), minuteMs).unref()

  return {
    async start(kind: BackupKind, startedBy: string) {
      const row = await start(kind, startedBy)
      if (!row) throw createRefusal('已有备份在进行中，请等它结束')
      return row
    },
    startIfDue,
    /** Resolves when the backup that this process runs has ended. */
    settled: () => current,
    /** Says why the file of a run cannot be downloaded from this process; empty if it can. */
    async explainUnavailable({ state, fileName, host: fileHost }: BackupRow) {
      if (state !== 'succeeded')
        return state === 'running' ? '备份还在进行中' : '没有做成，没有文件'
      if (fileName === null) return '已按保留份数删除'
      if (settings?.folder === undefined) return '这个进程没有设置 BACKUP_FOLDER'
      const exists = await stat(join(settings.folder, fileName)).then(
        () => true,
        () => false,
      )
      if (exists) return ''
      return fileHost === host ? '文件不在备份目录中，可能已被移走' : `文件在主机 ${fileHost} 上`
    },
    openFile: (fileName: string) => createReadStream(join(requireFolder(), fileName)),
    statFile: (fileName: string) => stat(join(requireFolder(), fileName)),
    async close() {
      clearInterval(timer)
      closing.abort(new Error('平台停止'))
      await current
    },
  }
}
export type Backups = ReturnType<typeof createBackups>

const describeFailure = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC'
    ? '磁盘空间不足'
    : describeReason(error).slice(0, 500)

/** Partial files of killed processes are of no use and take room. */
async function removeLeftovers(folder: string) {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    if (
      !name.endsWith(partialSuffix) ||
      !fileNamePattern.test(name.slice(0, -partialSuffix.length))
    )
      continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > partialFileAgeMs) await rm(join(folder, name), { force: true })
  }
}
