import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './root.ts'

/** The console relies on undocumented internals of these packages; see decision 130. */
const criticalPackages = ['webpack', '@module-federation/enhanced', '@module-federation/runtime']
const optionalPackages = ['react-router-dom', 'antd', 'zod', 'axios']
const usage = `pnpm canary [${[...criticalPackages, ...optionalPackages].join(' | ')} …]`

/**
 * Tries the next versions of bundler and federation, or of the named packages, in a separate checkout: installation,
 * type check, build, and the browser tests of the federation.
 */
function runCanary(packages: string[]) {
  const unknownPackages = packages.filter(
    (packageName) => ![...criticalPackages, ...optionalPackages].includes(packageName),
  )
  if (unknownPackages.length) throw new Error(`unknown: ${unknownPackages.join(', ')}\n${usage}`)
  const worktree = mkdtempSync(join(tmpdir(), 'canary-'))
  runCommand('git', ['worktree', 'add', '--force', '--detach', worktree, 'HEAD'], root)
  try {
    const rows = bumpCatalog(join(worktree, 'pnpm-workspace.yaml'), packages)
    console.table(rows)
    if (Object.values(rows).every(({ now, next }) => now === next))
      return console.log('nothing newer')
    const steps: [string, string, string[]][] = [
      ['install', 'pnpm', ['install', '--no-frozen-lockfile', '--prefer-offline']],
      ['types', 'pnpm', ['types']],
      ['build', 'pnpm', ['build']],
      ['browser', 'pnpm', ['e2e', 'federation.', 'release.', 'session.', '--reporter=line']],
    ]
    for (const [name, command, args] of steps) {
      const start = Date.now()
      const isOk = runCommand(command, args, worktree, false)
      console.log(`${isOk ? '✓' : '✘'} ${name} (${Math.round((Date.now() - start) / 1000)} s)`)
      if (!isOk) return void (process.exitCode = 1)
    }
  } finally {
    runCommand('git', ['worktree', 'remove', '--force', worktree], root)
    rmSync(worktree, { recursive: true, force: true })
  }
}

/** Writes the newest published version, including pre-releases tagged `nextVersion`, into the catalog. */
function bumpCatalog(file: string, packages: string[]) {
  let catalog = readFileSync(file, 'utf8')
  const rows: Record<string, { now: string; next: string }> = {}
  for (const packageName of packages) {
    const line = new RegExp(`^(  ['"]?${packageName}['"]?: )(.+)$`, 'm')
    const now = line.exec(catalog)![2]!
    const tags = JSON.parse(readCommand('npm', ['view', packageName, 'dist-tags', '--json'])) as {
      latest: string
      next?: string
    }
    const nextVersion = tags.next ?? tags.latest
    rows[packageName] = { now, next: nextVersion }
    catalog = catalog.replace(line, `$1${nextVersion}`)
  }
  writeFileSync(file, catalog)
  return rows
}

const readCommand = (command: string, args: string[]) =>
  spawnSync(command, args, { encoding: 'utf8', cwd: root }).stdout

function runCommand(command: string, args: string[], cwd: string, mustPass = true) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0 && mustPass) throw new Error(`${command} ${args.join(' ')} failed`)
  return status === 0
}

const requestedPackages = process.argv.slice(2)
runCanary(requestedPackages.length ? requestedPackages : criticalPackages)
