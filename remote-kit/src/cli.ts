import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Configuration } from 'webpack'
import { idOf } from '../../scripts/build/id.ts'
import { make } from '../../scripts/build/make.ts'
import { developed, serve } from '../../scripts/dev/serve.ts'
import { root } from '../../scripts/root.ts'
import { remote } from '../../scripts/webpack/remote.ts'
import { Refused } from '../../server/src/site/refused.ts'
import { Site } from '../../server/src/site/releases.ts'
import { readKey } from '../../server/src/site/signature.ts'
import { menuOf, type Area } from '../../shared/src/screens/area.ts'
import { create } from './create.ts'

const help = `iot-remote create <name> [--title <text>]
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
const [verb, word = ''] = positionals
const folder = process.cwd()
const locks = ['pnpm-lock.yaml', 'package-lock.json', 'yarn.lock']

/** Returns the name of the remote from the area it declares. */
async function ownName() {
  const routes = join(folder, 'src/routes.tsx')
  if (!existsSync(routes)) throw new Refused('这里没有 src/routes.tsx；请在远程模块的文件夹中运行')
  const { area } = (await import(routes)) as { area: Area }
  return menuOf(area)[0]!.routeName
}

const kitId = () => idOf({ base: root, paths: ['scripts', 'shared'] })

/**
 * The cache key includes the kit id, because kits of one version may differ and webpack assumes that packages of one
 * version are the same.
 */
async function configured(name: string, build: string, dev = false): Promise<Configuration> {
  const config = remote({ name, folder, build, dev })
  return { ...config, cache: { ...(config.cache as object), version: await kitId() } as never }
}

async function build() {
  process.env.NODE_ENV = 'production'
  const name = await ownName()
  const id = await idOf(
    { base: folder, paths: ['src', 'package.json', ...locks] },
    { base: root, paths: ['scripts', 'shared'] },
  )
  const dist = join(folder, 'dist', id)
  if (!existsSync(join(dist, 'release.json')))
    await make({ name, folder }, id, await configured(name, id))
  console.log(relative(folder, dist))
  return dist
}

async function run() {
  if (verb === 'create') {
    const name = await create(folder, word, values.title ?? word)
    return console.log(`${name}：已写好；安装依赖后 iot-remote dev 即可在控制台中看到`)
  }
  if (verb === 'dev') {
    const name = await ownName()
    const config = await configured(name, developed, true)
    const { port, console: address } = values
    return serve({ name, folder, config, port: Number(port), console: address })
  }
  if (verb === 'build') return void (await build())
  if (verb === 'publish') {
    if (!values.site) throw new Refused('请用 --site 给出站点的文件夹')
    const { who, why } = values
    const privateKey = values.key ? readKey('privateKey', values.key) : undefined
    const site = new Site(resolve(values.site), { privateKey })
    const { revision } = await site.publish(await build(), { who, why })
    return console.log(`revision ${revision}`)
  }
  console.log(help)
  process.exitCode = 1
}

await run().catch((error: unknown) => {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 1
})
