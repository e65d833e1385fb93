import { spawn } from 'node:child_process'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { handOver, namedAccount, type Account } from './account'
import type { Binaries } from './binaries'

/** Creates an empty database in a folder that appears under its final name only when it is complete. */
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
      // The builtin provider is part of PostgreSQL, so Chinese sorts the same on every machine.
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

/** Renames a folder and flushes the rename to disk, because a power cut that undoes it would lose acknowledged data. */
export function moveFolder(from: string, to: string) {
  renameSync(from, to)
  const parent = openSync(dirname(to), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

/**
 * Returns the path of the data folder for the database process. Its account may lack access to the parent folders, so
 * Linux uses the working directory, which each process resolves to the folder it was started in.
 */
export const dataFolder = (folder: string, { uid }: Account) =>
  uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : folder

/** The environment of the platform holds passwords and addresses, so it is not passed on to the database. */
export const environment = () => ({ PATH: process.env.PATH, LC_ALL: 'C' })
