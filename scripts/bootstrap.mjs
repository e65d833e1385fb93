// This script runs before any package is installed, so it uses plain Node without dependencies.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19))
  fail(`需要 Node 20.19 或更新的版本，当前是 ${process.versions.node}`)

install()
const { register } = await import('tsx/esm/api')
register()
const [command, ...args] = process.argv.slice(2)
const { default: run } = await import(`./${command}.ts`)
await run(args)

/** Installs with the pinned pnpm, once per state of the lock file. */
function install() {
  const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'))
  const manifests = readdirSync('.')
    .map((folder) => join(folder, 'package.json'))
    .filter((file) => existsSync(file))
  const state = createHash('sha256')
  for (const file of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests])
    state.update(readFileSync(file))
  const wanted = state.digest('hex')
  const stamp = 'node_modules/.installed'
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log(
    `第一次启动要安装依赖（${packageManager}）、构建和准备数据库，共一到数分钟；以后只需几秒。`,
  )
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status } = spawnSync(
    npm,
    ['exec', '--yes', `--package=${packageManager}`, '--', 'pnpm', 'install', '--frozen-lockfile'],
    {
      stdio: 'inherit',
      shell: process.platform === 'win32',
      // The notice of a newer npm or pnpm concerns nobody here: the version is pinned.
      env: { ...process.env, npm_config_update_notifier: 'false' },
    },
  )
  if (status !== 0) fail('依赖没有装上，原因见上')
  writeFileSync(stamp, wanted)
}

function fail(reason) {
  console.error(reason)
  process.exit(1)
}
