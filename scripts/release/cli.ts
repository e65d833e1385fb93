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
pnpm release collect [--keep 5]
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
  },
})
const [command, target = ''] = positionals
const ownPackage = findPackage(target)
const name = ownPackage?.name ?? target
const folder = resolve(values.site)

function parseShare() {
  const percent = values.share === undefined ? undefined : Number(values.share)
  if (percent === undefined || (Number.isInteger(percent) && percent >= 1 && percent <= 99))
    return percent
  throw new ReleaseRefusal('--share 是 1 到 99 的百分数')
}

/** If the public key is known here, builds that the server would refuse are not published. */
function openSite() {
  const { RELEASE_PUBLIC_KEY } = process.env
  return new Site(folder, {
    privateKey: values.key ? readKey('privateKey', values.key) : undefined,
    publicKey: RELEASE_PUBLIC_KEY ? readKey('publicKey', RELEASE_PUBLIC_KEY) : undefined,
  })
}

function makeKeys() {
  if (!target) throw new ReleaseRefusal('请给出私钥的文件名')
  const file = resolve(target)
  if (file.startsWith(folder + sep)) throw new ReleaseRefusal('私钥不能放在站点的文件夹里')
  console.log(
    `私钥 ${file}：发布时用 --key 给出，不要放在服务器上\n公钥 ${writeKeys(file)}：RELEASE_PUBLIC_KEY`,
  )
}

/** Returns the packages of this repository and all other remotes that the site serves. */
const listNames = async (site: Site) => [
  ...new Set([...packages.map((pkg) => pkg.name), ...Object.keys((await site.pointer()).remotes)]),
]

async function assertIsKnown(site: Site, knownNames: string[]) {
  if (!knownNames.includes(name))
    throw new ReleaseRefusal(`没有 ${target}；可用：${(await listNames(site)).join('、')}`)
}

/** @throws ReleaseRefusal if the record of a build from elsewhere does not name the package that was typed */
async function assertIsBuildOfTarget(dist: string) {
  const text = await readFile(join(dist, 'release.json'), 'utf8').catch(() => {
    throw new ReleaseRefusal(`${dist} 中没有 release.json`)
  })
  const record = JSON.parse(text) as { name?: string }
  if (record.name !== name) throw new ReleaseRefusal(`${dist} 中是 ${record.name}，不是 ${target}`)
}

async function listDists(site: Site) {
  if (values.build) {
    const dist = resolve(values.build)
    await assertIsBuildOfTarget(dist)
    return [dist]
  }
  await assertIsKnown(site, ['all', ...packages.map((pkg) => pkg.name)])
  return (await buildAll(ownPackage ? [ownPackage] : packages)).map(({ dist }) => dist)
}

async function printReleases(site: Site) {
  const pointer = await site.pointer()
  for (const listedName of await listNames(site)) {
    const { build, previous, canary } = getDeployed(pointer, listedName) ?? {}
    const canaryText = canary ? `  canary: ${canary.build} ${canary.share}%` : ''
    const { length: buildCount } = await site.builds(listedName)
    console.log(
      `${listedName.padEnd(14)} ${build ?? '-'}${canaryText}  before: ${previous ?? '-'}  kept: ${buildCount}`,
    )
  }
  for (const { time, who, verb, why, share, ...entry } of (await site.ledger()).slice(-10))
    console.log(
      `${time}  ${who}  ${verb} ${entry.name} ${entry.build}${share ? ` ${share}%` : ''}  ${why}`,
    )
}

const printRevision = ({ revision }: { revision: number }) => console.log(`revision ${revision}`)

async function run() {
  if (command === 'key') return makeKeys()
  const site = openSite()
  const note = { who: values.who, why: values.why, share: parseShare() }
  if (command === 'publish') return printRevision(await site.publish(await listDists(site), note))
  if (command === 'widen') return printRevision(await site.widenCanary(name, note))
  if (command === 'list') return printReleases(site)
  if (command === 'rollback') {
    await assertIsKnown(site, await listNames(site))
    return printRevision(await site.rollback(name, values.to, note))
  }
  if (command === 'collect') {
    const removedBuilds = await site.removeUnusedBuilds({ keep: Number(values.keep) })
    return console.log(removedBuilds.join('\n') || 'nothing to remove')
  }
  console.log(help)
  process.exitCode = 1
}

await run().catch((error: unknown) => {
  if (!(error instanceof ReleaseRefusal)) throw error
  console.error(error.message)
  process.exitCode = 1
})
