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
import { endLeftover, isAlive } from './postgres/leftover'

type Owner = {
  host: string
  pid: number
  started: string
  since: string
  /** Which lock file this was written into; a former version did not write it. */
  file?: string
}
export type FolderLock = {
  /** Open while the folder is ours; a child that inherits it holds the folder too. */
  descriptor: number
  release: () => void
}

/**
 * Two processes on one folder destroy its data silently. The lock is the operating system's: it holds against another
 * container, whose process numbers say nothing here, and ends with its holders, however they end.
 * @param databases folders in it whose server, left behind by a process that was killed, may hold the lock too
 * @throws Error that names the holder
 */
export async function lockFolder(folder: string, databases: string[] = []): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'lock')
  const descriptor = openSync(file, 'a+', 0o600)
  const owner = read(file)
  try {
    let locked = flock(descriptor)
    for (let tries = 0; locked === false && isGone(owner) && tries < 100; tries++) {
      for (const name of databases) await endLeftover(join(folder, name))
      await wait(100)
      locked = flock(descriptor)
    }
    if (locked === false)
      throw new Error(`${inUse(owner, folder)}；先结束它，锁随之解除，不必删除文件`)
    if (locked === undefined && owner && !isCopied(owner, descriptor) && mayLive(owner))
      throw new Error(`${inUse(owner, folder)}；确认它已不在后，删除 ${file} 再启动`)
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
      started: startOf(pid),
      since: new Date().toISOString(),
      file: identifyFile(descriptor),
    } satisfies Owner),
  )
  return {
    descriptor,
    /** The file stays: one that somebody opened a moment ago and locks next must be the one others find. */
    release() {
      ftruncateSync(descriptor)
      closeSync(descriptor)
    },
  }
}

/**
 * Node has no flock; the command locks the descriptor it inherits, which stays locked while ours is open.
 * @returns undefined where there is no such command
 */
function flock(descriptor: number): boolean | undefined {
  const { status } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  })
  return status === 0 ? true : status === 1 ? false : undefined
}

function identifyFile(descriptor: number) {
  const { dev, ino } = fstatSync(descriptor)
  return `${dev}:${ino}`
}

/** A copied lock file names the process that uses the original. Another host may number the same file differently. */
const isCopied = ({ host, file }: Owner, descriptor: number) =>
  host === hostname() && file !== undefined && file !== identifyFile(descriptor)

/** Of those that can be seen from here. A number of ours is from before a restart. */
const isGone = (owner?: Owner) =>
  owner?.host === hostname() && (owner.pid === process.pid || !isAlive(owner.pid))

/** Of another host nothing can be known; a number on this one may have been given to somebody else since. */
const mayLive = ({ host, pid, started }: Owner) =>
  host !== hostname() || (pid !== process.pid && isAlive(pid) && startOf(pid) === started)

function startOf(pid: number) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}

function read(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const inUse = (owner: Owner | undefined, folder: string) =>
  `数据目录正被另一个进程使用${owner ? `（主机 ${owner.host}，进程 ${owner.pid}，自 ${owner.since}）` : ''}：${folder}`
