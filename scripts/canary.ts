import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './root.ts'

/** The console relies on undocumented internals of these packages; see decision 130. */
const watched = ['webpack', '@module-federation/enhanced', '@module-federation/runtime']
const others = ['react-router-dom', 'antd', 'zod', 'axios']
const usage = `pnpm canary [${[...watched, ...others].join(' | ')} …]`

/**
 * Tries the next versions of bundler and federation, or of the named packages, in a separate checkout: installation,
 * type check, build, and the browser tests of the federation.
 */
function canary(packages: string[]) {
  const unknown = packages.filter((one) => ![...watched, ...others].includes(one))
  if (unknown.length) throw new Error(`unknown: ${unknown.join(', ')}\n${usage}`)
  const tree = mkdtempSync(join(tmpdir(), 'canary-'))
  run('git', ['worktree', 'add', '--force', '--detach', tree, 'HEAD'], root)
  try {
    const rows = bump(join(tree, 'pnpm-workspace.yaml'), packages)
    console.table(rows)
    if (Object.values(rows).every(({ now, next }) => now === next))
      return console.log('nothing newer')
    const steps: [string, string, string[]][] = [
      ['install', 'pnpm', ['install', '--no-frozen-lockfile', '--prefer-offline']],
      ['types', 'pnpm', ['types']],
      ['build', 'pnpm', ['build']],
      ['browser', 'pnpm', ['e2e', 'federation.', 'release.', 'session.', '--reporter=line']],
    ]
    for (const [name, command, words] of steps) {
      const start = Date.now()
      const good = run(command, words, tree, false)
      console.log(`${good ? '✓' : '✘'} ${name} (${Math.round((Date.now() - start) / 1000)} s)`)
      if (!good) return void (process.exitCode = 1)
    }
  } finally {
    run('git', ['worktree', 'remove', '--force', tree], root)
    rmSync(tree, { recursive: true, force: true })
  }
}

/** Writes the newest published version, including pre-releases tagged `next`, into the catalog. */
function bump(file: string, packages: string[]) {
  let catalog = readFileSync(file, 'utf8')
  const rows: Record<string, { now: string; next: string }> = {}
  for (const one of packages) {
    const line = new RegExp(`^(  ['"]?${one}['"]?: )(.+)$`, 'm')
    const now = line.exec(catalog)![2]!
    const tags = JSON.parse(read('npm', ['view', one, 'dist-tags', '--json'])) as {
      latest: string
      next?: string
    }
    const next = tags.next ?? tags.latest
    rows[one] = { now, next }
    catalog = catalog.replace(line, `$1${next}`)
  }
  writeFileSync(file, catalog)
  return rows
}

const read = (command: string, words: string[]) =>
  spawnSync(command, words, { encoding: 'utf8', cwd: root }).stdout

function run(command: string, words: string[], cwd: string, mustPass = true) {
  const { status } = spawnSync(command, words, { cwd, stdio: 'inherit' })
  if (status !== 0 && mustPass) throw new Error(`${command} ${words.join(' ')} failed`)
  return status === 0
}

const named = process.argv.slice(2)
canary(named.length ? named : watched)
