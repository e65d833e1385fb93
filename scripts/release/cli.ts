import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from '../build.ts'
import { packageNamed, packages } from '../build/packages.ts'
import { root } from '../root.ts'
import { Refused } from '../../server/src/site/refused.ts'
import { Site, deployedIn } from '../../server/src/site/releases.ts'
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
const [verb, word = ''] = positionals
const folder = resolve(values.site)
const site = opened()
const note = { who: values.who, why: values.why, share: share() }

function share() {
  if (values.share === undefined) return undefined
  const percent = Number(values.share)
  if (Number.isInteger(percent) && percent >= 1 && percent <= 99) return percent
  console.error('--share 是 1 到 99 的百分数')
  process.exit(1)
}

/** Returns the packages of this repository and all other remotes that the site serves. */
const names = async () => [
  ...new Set([...packages.map(({ name }) => name), ...Object.keys((await site.pointer()).remotes)]),
]

async function unknown() {
  return new Refused(`没有 ${word}；可用：${(await names()).join('、')}`)
}

/** If the public key is known here, builds that the server would refuse are not published. */
function opened() {
  const { RELEASE_PUBLIC_KEY } = process.env
  try {
    return new Site(folder, {
      privateKey: values.key ? readKey('privateKey', values.key) : undefined,
      publicKey: RELEASE_PUBLIC_KEY ? readKey('publicKey', RELEASE_PUBLIC_KEY) : undefined,
    })
  } catch (error) {
    return refuse(error)
  }
}

function makeKeys() {
  if (!word) throw new Refused('请给出私钥的文件名')
  const file = resolve(word)
  if (file.startsWith(folder + sep)) throw new Refused('私钥不能放在站点的文件夹里')
  console.log(
    `私钥 ${file}：发布时用 --key 给出，不要放在服务器上\n公钥 ${writeKeys(file)}：RELEASE_PUBLIC_KEY`,
  )
}

function refuse(error: unknown): never {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exit(1)
}

/**
 * Returns a build folder from elsewhere after checking that its record names the package that was typed.
 * @throws Refused otherwise
 */
async function distAt(folder: string) {
  const text = await readFile(join(folder, 'release.json'), 'utf8').catch(() => {
    throw new Refused(`${folder} 中没有 release.json`)
  })
  const { name } = JSON.parse(text) as { name?: string }
  if (name !== (packageNamed(word)?.name ?? word))
    throw new Refused(`${folder} 中是 ${name}，不是 ${word}`)
  return [folder]
}

async function build() {
  const one = packageNamed(word)
  if (word !== 'all' && !one) throw await unknown()
  return (await buildAll(one ? [one] : packages)).map(({ dist }) => dist)
}

async function run() {
  if (verb === 'key') return makeKeys()
  if (verb === 'publish') {
    const dists = values.build ? await distAt(resolve(values.build)) : await build()
    return console.log(`revision ${(await site.publish(dists, note)).revision}`)
  }
  if (verb === 'rollback') {
    const name = packageNamed(word)?.name ?? word
    if (!(await names()).includes(name)) throw await unknown()
    return console.log(`revision ${(await site.rollback(name, values.to, note)).revision}`)
  }
  if (verb === 'widen') {
    const name = packageNamed(word)?.name ?? word
    return console.log(`revision ${(await site.widen(name, note)).revision}`)
  }
  if (verb === 'collect')
    return console.log(
      (await site.collect({ keep: Number(values.keep), held: values.held.split(',') })).join(
        '\n',
      ) || 'nothing to remove',
    )
  if (verb === 'list') {
    const pointer = await site.pointer()
    for (const name of await names()) {
      const now = deployedIn(pointer, name)
      console.log(
        `${name.padEnd(14)} ${now?.build ?? '-'}${now?.canary ? `  canary: ${now.canary.build} ${now.canary.share}%` : ''}  before: ${now?.previous ?? '-'}  kept: ${(await site.builds(name)).length}`,
      )
    }
    for (const { time, who, verb, name, build, why, share } of (await site.ledger()).slice(-10))
      console.log(`${time}  ${who}  ${verb} ${name} ${build}${share ? ` ${share}%` : ''}  ${why}`)
    return
  }
  console.log(help)
  process.exitCode = 1
}

await run().catch(refuse)
