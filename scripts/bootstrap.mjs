// This script runs before any package is installed, so it uses plain Node without dependencies.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19))
  fail(`需要 Node 20.19 或更新的版本，当前是 ${process.versions.node}`)

await install()
const { register } = await import('tsx/esm/api')
register()
const [command, ...args] = process.argv.slice(2)
const { default: run } = await import(`./${command}.ts`)
await run(args)

/** Installs with the pinned pnpm, once per state of the lock file. */
async function install() {
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
  // npm downloads pnpm in silence, which may take longer than anybody waits without a word.
  const start = Date.now()
  const heartbeat = setInterval(
    () =>
      console.log(
        `  正在下载 ${packageManager}，已 ${Math.round((Date.now() - start) / 1000)} s …`,
      ),
    5000,
  )
  const isDownloaded = await runPnpm(packageManager, ['--version'], 'ignore')
  clearInterval(heartbeat)
  if (!isDownloaded) fail('pnpm 没有下载成功，原因见上')
  if (!(await runPnpm(packageManager, ['install', '--frozen-lockfile'], 'inherit')))
    fail('依赖没有装上，原因见上')
  writeFileSync(stamp, wanted)
  console.log('依赖已装好，正在读取程序 …')
}

/** Resolves with whether the command succeeded. */
function runPnpm(packageManager, args, stdout) {
  const isWindows = process.platform === 'win32'
  const child = spawn(
    isWindows ? 'npm.cmd' : 'npm',
    ['exec', '--yes', `--package=${packageManager}`, '--', 'pnpm', ...args],
    {
      stdio: ['inherit', stdout, 'inherit'],
      shell: isWindows,
      // The notice of a newer npm or pnpm concerns nobody here: the version is pinned.
      env: { ...process.env, npm_config_update_notifier: 'false' },
    },
  )
  return new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

function fail(reason) {
  console.error(reason)
  process.exit(1)
}
