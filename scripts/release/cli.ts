import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from '../build.ts'
import { packageNamed, packages } from '../build/packages.ts'
import { root } from '../root.ts'
import { Refused, Site, deployedIn } from '../../server/src/site/releases.ts'

const help = `pnpm release publish <remote|host|all> [--build <folder>] [--why <text>]
pnpm release rollback <remote|host> [--to <build>] [--why <text>]
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
    keep: { type: 'string', default: '5' },
    held: { type: 'string', default: '' },
  },
})
const [verb, word = ''] = positionals
const site = new Site(resolve(values.site))
const note = { who: values.who, why: values.why }

function named() {
  const one = packageNamed(word)
  if (!one) throw new Refused(`没有 ${word}；可用：${packages.map(({ name }) => name).join('、')}`)
  return one
}

async function run() {
  if (verb === 'publish') {
    if (values.build && !existsSync(join(values.build, 'release.json')))
      throw new Refused(`${values.build} 中没有 release.json`)
    const dists = values.build
      ? [resolve(values.build)]
      : (await buildAll(word === 'all' ? packages : [named()])).map(({ dist }) => dist)
    return console.log(`revision ${(await site.publish(dists, note)).revision}`)
  }
  if (verb === 'rollback')
    return console.log(`revision ${(await site.rollback(named().name, values.to, note)).revision}`)
  if (verb === 'collect')
    return console.log(
      (await site.collect({ keep: Number(values.keep), held: values.held.split(',') })).join(
        '\n',
      ) || 'nothing to remove',
    )
  if (verb === 'list') {
    const pointer = await site.pointer()
    for (const { name } of packages) {
      const now = deployedIn(pointer, name)
      console.log(
        `${name.padEnd(14)} ${now?.build ?? '-'}  before: ${now?.previous ?? '-'}  kept: ${(await site.builds(name)).length}`,
      )
    }
    for (const { time, who, verb, name, build, why } of (await site.ledger()).slice(-10))
      console.log(`${time}  ${who}  ${verb} ${name} ${build}  ${why}`)
    return
  }
  console.log(help)
  process.exitCode = 1
}

await run().catch((error: unknown) => {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 1
})
