import {
  existsSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Ends the PostgreSQL that a killed process of ours left behind in this folder. Whoever calls holds the lock of the
 * folder, so nobody needs it any more.
 */
export async function endLeftover(folder: string) {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return
  const [first = '', ...rest] = readFileSync(file, 'utf8').split('\n')
  const pid = Number(first)
  const sockets = rest[3] ?? ''
  if (servesFolder(pid, folder)) {
    console.log(`结束上次遗留的数据库进程 ${pid}`)
    await end(pid, () => !servesFolder(pid, folder))
  } else if (isAlive(pid)) {
    // The number belongs to somebody else now (a restarted container counts from 1). PostgreSQL passes over the number
    // of its parent, and still looks for the memory of old ones, which it would not without the file.
    writeFileSync(file, [process.pid, ...rest].join('\n'))
  }
  if (basename(sockets).startsWith('iot-pg-')) rmSync(sockets, { recursive: true, force: true })
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
    if (process.platform === 'linux')
      return (
        basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres') &&
        readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
      )
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(
      folder,
    )
  } catch {
    return false
  }
}
