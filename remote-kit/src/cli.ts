import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Configuration } from 'webpack'
import { computeBuildId } from '../../scripts/build/buildId.ts'
import { addCompletion, runWebpack } from '../../scripts/build/make.ts'
import { devBuildId, serveRemote } from '../../scripts/dev/serve.ts'
import { removeTrailingSlash } from '../../shared/src/contract/webAddress.ts'
import { root } from '../../scripts/root.ts'
import { remote } from '../../scripts/webpack/remote.ts'
import { ReleaseRefusal } from '../../server/src/site/releaseRefusal.ts'
import { Site } from '../../server/src/site/releases.ts'
import { readKey } from '../../server/src/site/signature.ts'
import { getMenuRecords, type Area } from '../../shared/src/screens/area.ts'
import { createRemote } from './createRemote.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

const usageText = `iot-remote create <name> [--title <text>]
iot-remote dev [--console http://localhost:8080] [--port 3104]
iot-remote build
iot-remote publish --site <folder> [--key <private key>] [--who <name>] [--why <text>]`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    title: { type: 'string' },
    console: { type: 'string', default: 'http://localhost:8080' },
    port: { type: 'string', default: '3104' },
    site: { type: 'string' },
    key: { type: 'string' },
    who: { type: 'string' },
    why: { type: 'string' },
  },
})
const [subcommand, nameArgument = ''] = positionals
const folder = process.cwd()
const kitFiles = { base: root, paths: ['scripts', 'shared'] }
const lockFiles = ['pnpm-lock.yaml', 'package-lock.json', 'yarn.lock']

/** Returns the name of the remote from the area it declares. */
async function readRemoteName() {
  const routes = join(folder, 'src/routes.tsx')
  if (!existsSync(routes))
    throw new ReleaseRefusal('这里没有 src/routes.tsx；请在远程模块的文件夹中运行')
  const { area } = (await import(routes)) as { area: Area }
  return getMenuRecords(area)[0]!.routeName
}

/**
 * The cache key includes the files of the kit, because kits of one version may differ and webpack assumes that packages
 * of one version are the same.
 */
async function createConfig(name: string, build: string, dev = false): Promise<Configuration> {
  const config = remote({ name, folder, build, dev })
  const version = await computeBuildId(kitFiles)
  return { ...config, cache: config.cache && ({ ...(config.cache as object), version } as never) }
}

async function build() {
  process.env.NODE_ENV = 'production'
  const name = await readRemoteName()
  const buildId = await computeBuildId(
    { base: folder, paths: ['src', 'package.json', ...lockFiles] },
    kitFiles,
  )
  const buildFolder = join(folder, 'dist', buildId)
  if (!existsSync(join(buildFolder, 'release.json')))
    await runWebpack(addCompletion(await createConfig(name, buildId), { name, folder }, buildId))
  print(relative(folder, buildFolder))
  return buildFolder
}

async function runSubcommand() {
  if (subcommand === 'create') {
    const name = await createRemote(folder, nameArgument, values.title ?? nameArgument)
    return print(`${name}：已写好；安装依赖后 iot-remote dev 即可在控制台中看到`)
  }
  if (subcommand === 'dev') {
    const name = await readRemoteName()
    const config = await createConfig(name, devBuildId, true)
    const { port, console: address } = values
    return serveRemote({
      name,
      folder,
      config,
      port: Number(port),
      console: removeTrailingSlash(address),
    })
  }
  if (subcommand === 'build') return void (await build())
  if (subcommand === 'publish') {
    if (!values.site) throw new ReleaseRefusal('请用 --site 给出站点的文件夹')
    const { who, why } = values
    const privateKey = values.key ? readKey('privateKey', values.key) : undefined
    const site = new Site(resolve(values.site), { privateKey })
    const { revision } = await site.publish(await build(), { who, why })
    return print(`revision ${revision}`)
  }
  print(usageText)
  process.exitCode = 1
}

await runSubcommand().catch((error: unknown) => {
  if (!(error instanceof ReleaseRefusal)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
