import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from '../build.ts'
import { findPackage, packages } from '../build/packages.ts'
import { root } from '../root.ts'
import { ReleaseRefusal } from '../../server/src/site/releaseRefusal.ts'
import { getDeployed } from '../../server/src/site/pointer.ts'
import { Site } from '../../server/src/site/releases.ts'
import { readKey, writeKeys } from '../../server/src/site/signature.ts'

const help = `pnpm release publish <remote|host|all> [--build <folder>] [--why <text>]
pnpm release publish <remote> --share <percent>: to that part of the browsers first
pnpm release widen <remote> [--share <percent>]: to more of them, or to all
pnpm release rollback <remote|host> [--to <build>] [--why <text>]
pnpm release key <file>: a pair of keys; with --key <file> publish signs with the private one
pnpm release list
pnpm release collect [--keep 5] [--held <build,build>]
Everywhere: --site <folder> (default .data/site), --who <name>`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    site: { type: 'string', default: join(root, '.data/site') },
    build: { type: 'string' },
    to: { type: 'string' },
    why: { type: 'string' },
    who: { type: 'string' },
    share: { type: 'string' },
    key: { type: 'string' },
    keep: { type: 'string', default: '5' },
    held: { type: 'string', default: '' },
  },
})
const [command, target = ''] = positionals
const folder = resolve(values.site)
const site = openSite()
const publishNote = { who: values.who, why: values.why, share: parseShare() }

function parseShare() {
  if (values.share === undefined) return undefined
  const percent = Number(values.share)
  if (Number.isInteger(percent) && percent >= 1 && percent <= 99) return percent
  console.error('--share 是 1 到 99 的百分数')
  process.exit(1)
}

/** Returns the packages of this repository and all other remotes that the site serves. */
const listNames = async () => [
  ...new Set([...packages.map(({ name }) => name), ...Object.keys((await site.pointer()).remotes)]),
]

async function createUnknownError() {
  return new ReleaseRefusal(`没有 ${target}；可用：${(await listNames()).join('、')}`)
}

/** If the public key is known here, builds that the server would refuse are not published. */
function openSite() {
  const { RELEASE_PUBLIC_KEY } = process.env
  try {
    return new Site(folder, {
      privateKey: values.key ? readKey('privateKey', values.key) : undefined,
      publicKey: RELEASE_PUBLIC_KEY ? readKey('publicKey', RELEASE_PUBLIC_KEY) : undefined,
    })
  } catch (error) {
    return exitWithError(error)
  }
}

function makeKeys() {
  if (!target) throw new ReleaseRefusal('请给出私钥的文件名')
  const file = resolve(target)
  if (file.startsWith(folder + sep)) throw new ReleaseRefusal('私钥不能放在站点的文件夹里')
  console.log(
    `私钥 ${file}：发布时用 --key 给出，不要放在服务器上\n公钥 ${writeKeys(file)}：RELEASE_PUBLIC_KEY`,
  )
}

function exitWithError(error: unknown): never {
  if (!(error instanceof ReleaseRefusal)) throw error
  console.error(error.message)
  process.exit(1)
}

/**
 * Returns a build folder from elsewhere after checking that its record names the package that was typed.
 * @throws Refused otherwise
 */
async function checkDist(folder: string) {
  const text = await readFile(join(folder, 'release.json'), 'utf8').catch(() => {
    throw new ReleaseRefusal(`${folder} 中没有 release.json`)
  })
  const { name } = JSON.parse(text) as { name?: string }
  if (name !== (findPackage(target)?.name ?? target))
    throw new ReleaseRefusal(`${folder} 中是 ${name}，不是 ${target}`)
  return [folder]
}

async function buildDists() {
  const pkg = findPackage(target)
  if (target !== 'all' && !pkg) throw await createUnknownError()
  return (await buildAll(pkg ? [pkg] : packages)).map(({ dist }) => dist)
}

async function run() {
  if (command === 'key') return makeKeys()
  if (command === 'publish') {
    const dists = values.build ? await checkDist(resolve(values.build)) : await buildDists()
    return console.log(`revision ${(await site.publish(dists, publishNote)).revision}`)
  }
  if (command === 'rollback') {
    const name = findPackage(target)?.name ?? target
    if (!(await listNames()).includes(name)) throw await createUnknownError()
    return console.log(`revision ${(await site.rollback(name, values.to, publishNote)).revision}`)
  }
  if (command === 'widen') {
    const name = findPackage(target)?.name ?? target
    return console.log(`revision ${(await site.widenCanary(name, publishNote)).revision}`)
  }
  if (command === 'collect')
    return console.log(
      (
        await site.removeUnusedBuilds({ keep: Number(values.keep), held: values.held.split(',') })
      ).join('\n') || 'nothing to remove',
    )
  if (command === 'list') {
    const pointer = await site.pointer()
    for (const name of await listNames()) {
      const current = getDeployed(pointer, name)
      console.log(
        `${name.padEnd(14)} ${current?.build ?? '-'}${current?.canary ? `  canary: ${current.canary.build} ${current.canary.share}%` : ''}  before: ${current?.previous ?? '-'}  kept: ${(await site.builds(name)).length}`,
      )
    }
    for (const { time, who, verb, name, build, why, share } of (await site.ledger()).slice(-10))
      console.log(`${time}  ${who}  ${verb} ${name} ${build}${share ? ` ${share}%` : ''}  ${why}`)
    return
  }
  console.log(help)
  process.exitCode = 1
}

await run().catch(exitWithError)
