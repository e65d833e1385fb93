import { spawn } from 'node:child_process'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { handOver, namedAccount, type Account } from './account'
import type { Binaries } from './binaries'

/** Makes an empty database, finished or not there at all. */
export async function makePostgres(folder: string, binaries: Binaries) {
  const part = `${folder}.new`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { mode: 0o700 })
  const account = namedAccount()
  handOver(part, account)
  const at = dataFolder(part, account)
  const child = spawn(
    join(binaries.folder, 'bin/initdb'),
    [
      ...['-D', at, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'],
      // Part of PostgreSQL itself: the same order of Chinese on every machine.
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    ],
    { ...account, cwd: part, env: environment(), stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  child.stderr.on('data', (text) => (said += text))
  const status = await new Promise((done) => child.on('close', done).on('error', done))
  if (status !== 0) throw new Error(`内置 PostgreSQL 建库失败：${said.trim() || status}`)
  moveFolder(part, folder)
}

/** On the disk before anybody writes into it: a rename that a power cut undoes would take what was acknowledged. */
export function moveFolder(from: string, to: string) {
  renameSync(from, to)
  const parent = openSync(dirname(to), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

/**
 * The account may have no way through the folders above; from inside, it needs none. (Linux resolves this path for each
 * process to where it stands.)
 */
export const dataFolder = (folder: string, { uid }: Account) =>
  uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : folder

/** Passwords and addresses in ours are not its business. */
export const environment = () => ({ PATH: process.env.PATH, LC_ALL: 'C' })
