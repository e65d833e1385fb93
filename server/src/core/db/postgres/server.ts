import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { handOver, type Account } from './account'
import type { Binaries } from './binaries'
import { disownPidFile, end, endLeftover, removeLeftoverSockets } from './leftover'
import { readLetters } from './letters'
import { dataFolder, environment } from './make'
import { createSocketFolder, identifySocket, prepareSocketFolder } from './sockets'

/** For a building on a small machine. What is acknowledged is on the disk: no file of the folder can turn that off. */
const settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Plain fsync leaves it in the cache of the disk there.
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
  // Starts, stops and crashes; not the statements that were refused, which hold what people typed.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

const longestPause = 30_000

/** How often the socket is looked for: without it those who are connected work on and nobody else gets in. */
const socketCheckMs = 1000

/**
 * PostgreSQL as a child of ours, on a socket nobody else may open and on no port. When it dies it is started again after
 * a pause; when we die, however suddenly, it is stopped.
 * @param folder its data, of `makePostgres`
 * @param lock the descriptor of the lock of the folder, which it shares with us
 */
export async function startPostgres(
  folder: string,
  binaries: Binaries,
  account: Account,
  lock?: number,
) {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (Number(version) !== binaries.version)
    throw new Error(
      `${folder} 是 PostgreSQL ${version} 的数据，这里的程序是 ${binaries.version}：请用当时的版本执行 pnpm data copy`,
    )
  handOver(folder, account)
  await endLeftover(folder)
  removeLeftoverSockets(folder)
  disownPidFile(folder)
  const sockets = createSocketFolder(folder, account)
  const log = join(dirname(folder), 'postgres.log')
  rmSync(log, { force: true })

  let child: ChildProcess
  let closing = false
  let pause = 1000
  let restart: NodeJS.Timeout | undefined

  async function start() {
    prepareSocketFolder(sockets, folder, account)
    const output = openSync(log, 'a', 0o600)
    const flags = Object.entries({ ...settings, unix_socket_directories: sockets })
    child = spawn(
      join(binaries.folder, 'bin/postgres'),
      [
        ...['-D', dataFolder(folder, account)],
        ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        ...account,
        cwd: folder,
        env: environment(),
        // Of another session, so that Ctrl-C reaches us alone and we stop it when we have written what we must.
        detached: true,
        stdio: ['ignore', output, output, ...(lock === undefined ? [] : [lock])],
      },
    )
    closeSync(output)
    const since = Date.now()
    const over = new Promise<string>((done) => {
      child.once('error', (error) => done(error.message))
      child.once('exit', (code, signal) => done(signal ?? `状态 ${code}`))
    })
    const guard = stopWithUs(child, sockets, account)
    let ready = false
    void over.then((how) => {
      guard?.kill('SIGKILL')
      if (closing || !ready) return
      if (Date.now() - since > 60_000) pause = 1000
      console.error(`内置 PostgreSQL 已退出（${how}），${pause / 1000} 秒后重新启动`)
      restart = setTimeout(again, pause)
      pause = Math.min(2 * pause, longestPause)
    })
    const failed = await Promise.race([over, isReady(folder, child)])
    if (failed) throw new Error(`内置 PostgreSQL 无法启动（${failed}）：${lastLines(log)}`)
    ready = true
    const socketCheck = endWithoutSocket(child, sockets, () => closing)
    void over.then(() => clearInterval(socketCheck))
  }

  function again() {
    start().catch((error: Error) => {
      if (closing) return
      console.error(error.message)
      restart = setTimeout(again, pause)
      pause = Math.min(2 * pause, longestPause)
    })
  }

  async function close() {
    closing = true
    clearTimeout(restart)
    if (child.pid) await end(child.pid, () => hasEnded(child))
    rmSync(sockets, { recursive: true, force: true })
  }

  const connection = { host: sockets, port: 5432, user: 'postgres', database: 'postgres' }
  try {
    await start()
    await readLetters(connection)
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

/** Ends a server whose socket somebody removed or replaced, so that it is started again with one of its own. */
function endWithoutSocket(child: ChildProcess, sockets: string, isClosing: () => boolean) {
  const socket = identifySocket(sockets)
  const check = setInterval(() => {
    // A server that stops removes its socket itself, some time before its end.
    if (isClosing() || identifySocket(sockets) === socket) return
    clearInterval(check)
    console.error(`内置 PostgreSQL 的套接字不见了（${sockets}），重新启动数据库`)
    if (child.pid) void end(child.pid, () => hasEnded(child))
  }, socketCheckMs)
  return check.unref()
}

/**
 * A shell that waits for the end of a pipe only we hold; a process that was killed cannot stop its child itself. One that
 * is asked to stop while it recovers from a crash may never end (seen with 18.4), so it is made to.
 */
function stopWithUs(child: ChildProcess, sockets: string, account: Account) {
  if (!child.pid) return undefined
  const script = `read _; kill -INT $0; n=0
    while kill -0 $0; do sleep 1; n=$((n+1)); [ $n = 10 ] && kill -QUIT $0; done; rm -f "$1/owner"; rmdir "$1"`
  const guard = spawn('sh', ['-c', script, String(child.pid), sockets], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => {})
  guard.unref()
  return guard
}

/** PostgreSQL writes its state into the eighth line of its pid file, as pg_ctl reads it. Ends with the process too. */
async function isReady(folder: string, child: ChildProcess): Promise<undefined> {
  const file = join(folder, 'postmaster.pid')
  for (let tries = 0; !hasEnded(child); tries++) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return
    if (tries === 500) console.log('内置 PostgreSQL 正在恢复数据，请稍候…')
    await wait(20)
  }
  // Its end is told by the other side of the race.
  await new Promise(() => {})
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

const lastLines = (log: string) =>
  existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-3).join('\n') : ''
