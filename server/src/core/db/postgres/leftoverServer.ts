import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { removeSocketFolder } from './sockets'
import { log } from '../../logging/log'

/**
 * Ends the PostgreSQL server that a killed process left running in this folder. The pid file alone proves nothing: in
 * a copied folder it names the server of the original.
 */
export async function stopLeftoverServer(folder: string) {
  const { pid } = readPidFile(folder)
  if (isServerOfFolderRunning(pid, folder)) {
    log.info({ module: 'database' }, `结束上次遗留的数据库进程 ${pid}`)
    await stopServer(pid, () => !isServerOfFolderRunning(pid, folder))
  }
}

/** Returns the address of the server that runs in this folder. */
export function findRunningServer(folder: string) {
  const { pid, rest, sockets } = readPidFile(folder)
  return isServerOfFolderRunning(pid, folder) ? { host: sockets, port: Number(rest[2]) } : undefined
}

/** Removes the socket folder of a server that has ended. The caller must hold the lock of the folder. */
export const removeLeftoverSockets = (folder: string) =>
  removeSocketFolder(readPidFile(folder).sockets, folder)

/**
 * PostgreSQL refuses to start if the process number in its pid file is alive, although another program may have it by
 * now (a restarted container counts from 1 again). The number is replaced by ours, because PostgreSQL ignores its
 * parent's; the rest of the file stays, since PostgreSQL uses it to find old shared memory. The caller must hold the
 * lock of the folder.
 */
export function replacePidInFile(folder: string) {
  const { pid, rest } = readPidFile(folder)
  if (isAlive(pid)) writeFileSync(join(folder, 'postmaster.pid'), [process.pid, ...rest].join('\n'))
}

/** The lines of the pid file are: process, folder, start time, port, socket folder, address, shared memory, state. */
function readPidFile(folder: string) {
  const file = join(folder, 'postmaster.pid')
  const [pidLine = '', ...rest] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return { pid: Number(pidLine), rest, sockets: rest[3] ?? '' }
}

/**
 * Stops a PostgreSQL server: fast shutdown first (transactions are rolled back, everything is written), after 10 s
 * immediate shutdown, from which the next start recovers, after 7 s more SIGKILL.
 * @param hasExited tells if the process has ended; a process without a waiting parent keeps its number after its end
 */
export async function stopServer(pid: number, hasExited: () => boolean) {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 7000],
    ['SIGKILL', 5000],
  ] as const) {
    try {
      process.kill(pid, signal)
      // A stopped process (SIGSTOP) does not receive the other signals until it continues.
      process.kill(pid, 'SIGCONT')
    } catch {
      return
    }
    for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 20) {
      if (hasExited()) return
      await wait(20)
    }
  }
}

export function isAlive(pid: number) {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isServerOfFolderRunning(pid: number, folder: string) {
  if (!(pid > 0)) return false
  try {
    if (process.platform !== 'linux') return readProcessArguments(pid).includes(` -D ${folder} `)
    // The inodes are compared instead of the names, because containers may share process numbers and name different
    // folders alike.
    const [processFolder, ownFolder] = [statSync(`/proc/${pid}/cwd`), statSync(folder)]
    return (
      processFolder.ino === ownFolder.ino &&
      processFolder.dev === ownFolder.dev &&
      basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres')
    )
  } catch {
    return false
  }
}

const readProcessArguments = (pid: number) =>
  execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
