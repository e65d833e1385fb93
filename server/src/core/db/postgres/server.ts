import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { changeFolderOwner, type Account } from './account'
import type { Binaries } from './binaries'
import {
  replacePidInFile,
  stopServer,
  stopLeftoverServer,
  removeLeftoverSockets,
} from './leftoverServer'
import { ensureCharacterType } from './characterType'
import { toDataPath, getEnvironment } from './initPostgres'
import { createSocketFolder, identifySocket, prepareSocketFolder } from './sockets'
import { log } from '../../logging/log'
import { runInBackground } from '../outage'

type StartOptions = {
  /** Descriptor of the folder lock, which the server inherits. */
  lock?: number
  /** These replace settings of `serverSettings`. */
  settings?: Record<string, string | number>
}

/**
 * Settings for one building on a small machine. An acknowledged write is on disk: these flags override every
 * configuration file in the folder.
 */
const serverSettings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Plain fsync leaves the data in the cache of the disk on macOS.
  ...(process.platform === 'darwin' && { wal_sync_method: 'fsync_writethrough' }),
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: 30,
  shared_buffers: '64MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '256MB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_worker_processes: 0,
  max_parallel_workers: 0,
  max_logical_replication_workers: 0,
  autovacuum_max_workers: 1,
  io_method: 'sync',
  huge_pages: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log records starts, stops and crashes; refused statements are left out, because they contain what users
  // typed.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

const maxRestartDelayMs = 30_000

/**
 * The socket file is checked at this interval in milliseconds. If it is missing, open connections keep working but
 * new ones are refused.
 */
const socketCheckMs = 1000

/**
 * Starts PostgreSQL as a child process on a private socket and on no port. It is restarted with backoff if it
 * crashes, and stopped if this process ends, even if it is killed.
 * @param folder data folder that `initPostgres` created
 * @throws Error if the server cannot start or if the data belong to another major version
 */
export async function startPostgres(
  folder: string,
  binaries: Binaries,
  account: Account,
  { lock, settings }: StartOptions = {},
) {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (Number(version) !== binaries.version)
    throw new Error(
      `${folder} 是 PostgreSQL ${version} 的数据，这里的程序是 ${binaries.version}：请用当时的版本执行 pnpm data copy`,
    )
  changeFolderOwner(folder, account)
  await stopLeftoverServer(folder)
  removeLeftoverSockets(folder)
  replacePidInFile(folder)
  const sockets = createSocketFolder(folder, account)
  const logFile = join(dirname(folder), 'postgres.log')
  rmSync(logFile, { force: true })

  let child: ChildProcess
  let isClosing = false
  let restartDelayMs = 1000
  let restartTimer: NodeJS.Timeout | undefined

  async function startChild() {
    prepareSocketFolder(sockets, folder, account)
    const output = openSync(logFile, 'a', 0o600)
    const flags = Object.entries({
      ...serverSettings,
      ...settings,
      unix_socket_directories: sockets,
    })
    child = spawn(
      join(binaries.folder, 'bin/postgres'),
      [
        ...['-D', toDataPath(folder, account)],
        ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        ...account,
        cwd: folder,
        env: getEnvironment(),
        // A separate session keeps Ctrl-C away from the database, so that the platform stops it after its last
        // writes.
        detached: true,
        stdio: ['ignore', output, output, ...(lock === undefined ? [] : [lock])],
      },
    )
    closeSync(output)
    const startTime = Date.now()
    const exitReason = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => resolve(signal ?? `状态 ${code}`))
    })
    const shutdownGuard = spawnShutdownGuard(child, sockets, account)
    let hasStarted = false
    const afterExit = exitReason.then((reason) => {
      shutdownGuard?.kill('SIGKILL')
      if (isClosing || !hasStarted) return
      if (Date.now() - startTime > 60_000) restartDelayMs = 1000
      log.error(
        { module: 'database' },
        `内置 PostgreSQL 已退出（${reason}），${restartDelayMs / 1000} 秒后重新启动`,
      )
      restartTimer = setTimeout(restartChild, restartDelayMs)
      restartDelayMs = Math.min(2 * restartDelayMs, maxRestartDelayMs)
    })
    runInBackground(afterExit, '内置 PostgreSQL 的退出未处理')
    const startError = await Promise.race([exitReason, waitUntilReady(folder, child)])
    if (startError)
      throw new Error(`内置 PostgreSQL 无法启动（${startError}）：${readLastLines(logFile)}`)
    hasStarted = true
    const socketCheck = watchSocketFile(child, sockets, () => isClosing)
    runInBackground(
      exitReason.then(() => clearInterval(socketCheck)),
      '内置 PostgreSQL 的套接字检查未停止',
    )
  }

  function restartChild() {
    startChild().catch((error: Error) => {
      if (isClosing) return
      log.error({ module: 'database', err: error }, error.message)
      restartTimer = setTimeout(restartChild, restartDelayMs)
      restartDelayMs = Math.min(2 * restartDelayMs, maxRestartDelayMs)
    })
  }

  async function close() {
    isClosing = true
    clearTimeout(restartTimer)
    if (child.pid) await stopServer(child.pid, () => hasEnded(child))
    rmSync(sockets, { recursive: true, force: true })
  }

  const connection = { host: sockets, port: 5432, user: 'postgres', database: 'postgres' }
  try {
    await startChild()
    await ensureCharacterType(connection)
  } catch (error) {
    await close()
    throw error
  }
  return {
    connection,
    get pid() {
      return child.pid
    },
    close,
  }
}

/** Ends a server whose socket file was removed or replaced, so that it is restarted with a new one. */
function watchSocketFile(child: ChildProcess, sockets: string, isClosing: () => boolean) {
  const socket = identifySocket(sockets)
  const checkTimer = setInterval(() => {
    // A server that shuts down removes its socket some time before it exits.
    if (isClosing() || identifySocket(sockets) === socket) return
    clearInterval(checkTimer)
    log.error(
      { module: 'database' },
      `内置 PostgreSQL 的套接字不见了（${sockets}），重新启动数据库`,
    )
    if (child.pid)
      runInBackground(
        stopServer(child.pid, () => hasEnded(child)),
        '内置 PostgreSQL 未停止',
      )
  }, socketCheckMs)
  return checkTimer.unref()
}

/**
 * Starts a shell that waits for the end of a pipe which only this process holds, because a killed process cannot stop
 * its child. PostgreSQL 18.4 may never end if it is asked to stop while it recovers from a crash, so the shell sends
 * SIGQUIT after 10 s.
 */
function spawnShutdownGuard(child: ChildProcess, sockets: string, account: Account) {
  if (!child.pid) return undefined
  const script = `read _; kill -INT $0; n=0
    while kill -0 $0; do sleep 1; n=$((n+1)); [ $n = 10 ] && kill -QUIT $0; done; rm -f "$1/owner"; rmdir "$1"`
  const shutdownGuard = spawn('sh', ['-c', script, String(child.pid), sockets], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shutdownGuard.on('error', () => {})
  shutdownGuard.unref()
  return shutdownGuard
}

/**
 * PostgreSQL writes its state into the eighth line of its pid file, which pg_ctl reads as well. The wait ends when
 * the process does.
 */
async function waitUntilReady(folder: string, child: ChildProcess): Promise<undefined> {
  const file = join(folder, 'postmaster.pid')
  for (let tries = 0; !hasEnded(child); tries++) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return
    if (tries === 500) log.info({ module: 'database' }, '内置 PostgreSQL 正在恢复数据，请稍候…')
    await wait(20)
  }
  // The other promise of the race reports the end of the process.
  await new Promise(() => {})
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

const readLastLines = (log: string) =>
  existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-3).join('\n') : ''
