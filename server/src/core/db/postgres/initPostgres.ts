import { spawn } from 'node:child_process'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { changeFolderOwner, getNamedAccount, type Account } from './account'
import type { Binaries } from './binaries'

/** Creates an empty database in a folder that appears under its final name only when it is complete. */
export async function initPostgres(folder: string, binaries: Binaries) {
  const temporaryFolder = `${folder}.new`
  rmSync(temporaryFolder, { recursive: true, force: true })
  mkdirSync(temporaryFolder, { mode: 0o700 })
  const account = getNamedAccount()
  changeFolderOwner(temporaryFolder, account)
  const dataPath = toDataPath(temporaryFolder, account)
  const child = spawn(
    join(binaries.folder, 'bin/initdb'),
    [
      ...['-D', dataPath, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'],
      // The builtin provider is part of PostgreSQL, so Chinese sorts the same on every machine.
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    ],
    {
      ...account,
      cwd: temporaryFolder,
      env: getEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let errorOutput = ''
  child.stderr.on('data', (text) => (errorOutput += text))
  const status = await new Promise<number | Error | null>((resolve) =>
    child.on('close', resolve).on('error', resolve),
  )
  if (status !== 0)
    throw new Error(`内置 PostgreSQL 建库失败：${errorOutput.trim() || String(status)}`)
  moveFolder(temporaryFolder, folder)
}

/** Renames a folder and flushes the rename to disk, because a power cut that undoes it would lose acknowledged data. */
export function moveFolder(source: string, target: string) {
  renameSync(source, target)
  const parent = openSync(dirname(target), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

/**
 * Returns the path of the data folder for the database process. Its account may lack access to the parent folders, so
 * Linux uses the working directory, which each process resolves to the folder it was started in.
 */
export const toDataPath = (folder: string, { uid }: Account) =>
  uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : folder

/** The environment of the platform holds passwords and addresses, so it is not passed on to the database. */
export const getEnvironment = () => ({ PATH: process.env.PATH, LC_ALL: 'C' })
