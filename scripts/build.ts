import { spawn } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildIdOf, packageNamed, packages, type Package } from './build/packages.ts'
import { Site } from '../server/src/site/releases.ts'
import { bringIn } from './release/bringIn.ts'
import { root } from './root.ts'

export type Built = Package & { build: string; dist: string }

/**
 * Builds the packages that changed, two at a time; the same inputs are never built twice. `pnpm build` builds all
 * packages, `pnpm build system` builds one.
 */
export async function buildAll(wanted: Package[] = packages): Promise<Built[]> {
  const queue = await Promise.all(
    wanted.map(async (one) => ({ ...one, build: await buildIdOf(one) })),
  )
  const built = queue.map((one) => ({ ...one, dist: join(root, one.folder, 'dist', one.build) }))
  const waiting = built.filter((one) => !existsSync(join(one.dist, 'release.json')))
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) await buildOne(one)
  }
  await Promise.all([work(), work()])
  return built
}

/** Builds the packages that changed and publishes new builds into the folder that the server serves. */
export async function build({ site, key }: { site: string; key?: KeyObject }) {
  const dists = (await buildAll()).map(({ dist }) => dist)
  await bringIn(new Site(site, { publicKey: key }), dists)
  return site
}

function buildOne({ folder, build }: Built) {
  const start = Date.now()
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(root, 'scripts/build/one.ts'), folder, build],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  let shown = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) {
      const part = Number(/^progress (\d+)$/.exec(line)?.[1] ?? NaN)
      if (Number.isNaN(part)) console.log(line)
      else if (part >= shown + 25 && part < 100)
        console.log(`  ${folder} ${(shown = part - (part % 25))}%`)
    }
  })
  return new Promise<void>((resolve, reject) =>
    child.on('exit', (code) => {
      if (code !== 0) return reject(new Error(`${folder}: the build failed`))
      console.log(`  ${folder} ${build} built in ${((Date.now() - start) / 1000).toFixed(1)} s`)
      resolve()
    }),
  )
}

if (process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2)
  const wanted = words.map((word) => {
    const one = packageNamed(word)
    if (!one)
      throw new Error(
        `unknown package: ${word}; known: ${packages.map(({ name }) => name).join(', ')}`,
      )
    return one
  })
  const built = await buildAll(wanted.length ? wanted : packages)
  for (const { folder, build } of built) console.log(`${folder}/dist/${build}`)
  if (wanted.length === 0) {
    const { writeOpenApi } = await import('./openapi.ts')
    console.log(relative(root, await writeOpenApi()))
  }
}
