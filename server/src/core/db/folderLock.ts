import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stopLeftoverServer, isAlive } from './postgres/leftoverServer'

type LockOwner = {
  host: string
  pid: number
  started: string
  since: string
  /** Device and inode of the lock file that this was written into. A former version did not write them. */
  file?: string
}
export type FolderLock = {
  /** The lock is held as long as this descriptor is open; a child process that inherits it holds the lock too. */
  descriptor: number
  release: () => void
}

/**
 * Locks a data folder, because two processes on one folder destroy its data silently. The operating system keeps the
 * lock: it also excludes processes of other containers, whose process numbers mean nothing here, and it ends with its
 * holders, even if they crash.
 * @param databases subfolders whose database server may still hold the lock after its platform process was killed
 * @throws Error that names the holder
 */
export async function lockFolder(folder: string, databases: string[] = []): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'lock')
  const descriptor = openSync(file, 'a+', 0o600)
  const owner = readOwner(file)
  try {
    let isLocked = tryFlock(descriptor)
    for (let tries = 0; isLocked === false && hasOwnerExited(owner) && tries < 100; tries++) {
      for (const name of databases) await stopLeftoverServer(join(folder, name))
      await wait(100)
      isLocked = tryFlock(descriptor)
    }
    if (isLocked === false)
      throw new Error(`${describeLockHolder(owner, folder)}；先结束它，锁随之解除，不必删除文件`)
    if (
      isLocked === undefined &&
      owner &&
      !isCopiedLockFile(owner, descriptor) &&
      canOwnerBeAlive(owner)
    )
      throw new Error(`${describeLockHolder(owner, folder)}；确认它已不在后，删除 ${file} 再启动`)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  ftruncateSync(descriptor)
  const { pid } = process
  writeSync(
    descriptor,
    JSON.stringify({
      host: hostname(),
      pid,
      started: getProcessStartTime(pid),
      since: new Date().toISOString(),
      file: identifyFile(descriptor),
    } satisfies LockOwner),
  )
  return {
    descriptor,
    /** The lock file is not deleted: another process may have opened it already, and both must lock the same file. */
    release() {
      ftruncateSync(descriptor)
      closeSync(descriptor)
    },
  }
}

/**
 * Node has no flock, so the `tryFlock` command locks the descriptor that it inherits; the lock lasts while our
 * descriptor is open.
 * @returns undefined if the command does not exist
 */
function tryFlock(descriptor: number): boolean | undefined {
  const { status } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  })
  return status === 0 ? true : status === 1 ? false : undefined
}

function identifyFile(descriptor: number) {
  const { dev, ino } = fstatSync(descriptor)
  return `${dev}:${ino}`
}

/**
 * A copied lock file names the process that uses the original. The check needs the same host, because another host
 * may number the same file differently.
 */
const isCopiedLockFile = ({ host, file }: LockOwner, descriptor: number) =>
  host === hostname() && file !== undefined && file !== identifyFile(descriptor)

/** The owner ran on this host and has ended. A record with our own process number is left from before a restart. */
const hasOwnerExited = (owner?: LockOwner) =>
  owner?.host === hostname() && (owner.pid === process.pid || !isAlive(owner.pid))

/**
 * The owner may be alive: processes of another host cannot be checked, and a process number of this host may have
 * been reused, so the start time is compared too.
 */
const canOwnerBeAlive = ({ host, pid, started: startTime }: LockOwner) =>
  host !== hostname() ||
  (pid !== process.pid && isAlive(pid) && getProcessStartTime(pid) === startTime)

function getProcessStartTime(pid: number) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}

function readOwner(file: string): LockOwner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const describeLockHolder = (lockOwner: LockOwner | undefined, folder: string) =>
  `数据目录正被另一个进程使用${lockOwner ? `（主机 ${lockOwner.host}，进程 ${lockOwner.pid}，自 ${lockOwner.since}）` : ''}：${folder}`
