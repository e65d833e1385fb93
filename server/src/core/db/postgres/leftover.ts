import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { removeSocketFolder } from './sockets'

/**
 * Ends the PostgreSQL that a killed process of ours left behind in this folder. The pid file alone proves nothing: in a
 * copied folder it names the server of the original.
 */
export async function endLeftover(folder: string) {
  const { pid } = readPidFile(folder)
  if (servesFolder(pid, folder)) {
    console.log(`结束上次遗留的数据库进程 ${pid}`)
    await end(pid, () => !servesFolder(pid, folder))
  }
}

/** Removes what an ended server left beside its folder. Only for who holds the lock of the folder. */
export const removeLeftoverSockets = (folder: string) =>
  removeSocketFolder(readPidFile(folder).sockets, folder)

/**
 * A number left behind may be somebody else's by now (a restarted container counts from 1 again), and PostgreSQL would
 * not start beside it. It passes over the number of its parent, and still looks for the memory of old ones, which it
 * would not do without the file. Only for who holds the lock of the folder.
 */
export function disownPidFile(folder: string) {
  const { pid, rest } = readPidFile(folder)
  if (isAlive(pid)) writeFileSync(join(folder, 'postmaster.pid'), [process.pid, ...rest].join('\n'))
}

/** Its lines: process, folder, time of the start, port, folder of the socket, address, memory, state. */
function readPidFile(folder: string) {
  const file = join(folder, 'postmaster.pid')
  const [first = '', ...rest] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return { pid: Number(first), rest, sockets: rest[3] ?? '' }
}

/**
 * Fast: what is open is rolled back, all is written. After 10 s immediately, which the next start recovers from.
 * @param isGone a process nobody waits for keeps its number after its end, so the caller says how to tell
 */
export async function end(pid: number, isGone: () => boolean) {
  for (const [signal, patience] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 7000],
    ['SIGKILL', 5000],
  ] as const) {
    try {
      process.kill(pid, signal)
      // One that was stopped does not hear the others.
      process.kill(pid, 'SIGCONT')
    } catch {
      return
    }
    for (let waited = 0; waited < patience; waited += 20) {
      if (isGone()) return
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

function servesFolder(pid: number, folder: string) {
  if (!(pid > 0)) return false
  try {
    if (process.platform !== 'linux') return argumentsOf(pid).includes(` -D ${folder} `)
    // The folder itself, not its name: containers may share numbers and name different folders alike.
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(folder)]
    return (
      its.ino === ours.ino &&
      its.dev === ours.dev &&
      basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres')
    )
  } catch {
    return false
  }
}

const argumentsOf = (pid: number) =>
  execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
