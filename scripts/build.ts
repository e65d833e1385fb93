import { spawn } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { computePackageBuildId, findPackage, packages, type Package } from './build/packages.ts'
import { publishOnStart } from '../server/src/site/publishOnStart.ts'
import { Site } from '../server/src/site/releases.ts'
import { writeBuildInfo } from './package/about.ts'
import { root } from './root.ts'

export type PackageBuild = Package & { build: string; dist: string }

/** This file stands beside a build whose types were not checked. */
const uncheckedMark = (dist: string) => `${dist}.unchecked`

/**
 * Builds the packages that changed, two at a time; the same inputs are never built twice. `pnpm build` builds all
 * packages, `pnpm build system` builds one.
 * @param checksTypes false for the first start, which a check would delay by a fifth, and for `npm test`, which checks
 *   the types of all packages at once; a later build with the check is made anew
 * @throws Error that names the packages that failed, after the others were built
 */
export async function buildAll(packagesToBuild: Package[] = packages, { checksTypes = true } = {}) {
  const builds: PackageBuild[] = await Promise.all(
    packagesToBuild.map(async (target) => {
      const build = await computePackageBuildId(target)
      return { ...target, build, dist: join(root, target.folder, 'dist', build) }
    }),
  )
  for (const { dist } of builds)
    if (checksTypes && existsSync(uncheckedMark(dist)))
      for (const path of [dist, uncheckedMark(dist)]) rmSync(path, { recursive: true, force: true })
  const missingBuilds = builds.filter(({ dist }) => !existsSync(join(dist, 'release.json')))
  const limit = pLimit(2)
  const failedFolders: string[] = []
  await Promise.all(
    missingBuilds.map((missingBuild) =>
      limit(async () => {
        if (!(await buildOne(missingBuild, checksTypes))) failedFolders.push(missingBuild.folder)
      }),
    ),
  )
  if (failedFolders.length > 0)
    throw new Error(`没有构建成功：${failedFolders.join('、')}，原因见上；其余的已构建`)
  if (packagesToBuild === packages) await writeBuildInfo({ hasBuilt: missingBuilds.length > 0 })
  return builds
}

/** Builds the packages that changed and publishes new builds into the folder that the server serves. */
export async function build({ site, key }: { site: string; key?: KeyObject }) {
  const dists = (await buildAll(packages, { checksTypes: false })).map(({ dist }) => dist)
  await publishOnStart(new Site(site, { publicKey: key }), dists)
  return site
}

const heartbeatMs = 8000
const webpackCli = createRequire(import.meta.url).resolve('webpack-cli/bin/cli.js')

/** Returns whether the build succeeded; webpack has printed why it did not. */
async function buildOne({ folder, build, dist }: PackageBuild, checksTypes: boolean) {
  const start = Date.now()
  const print = (text: string) =>
    console.log(`  ${folder} ${text} ${((Date.now() - start) / 1000).toFixed(1)} s`)
  console.log(`  ${folder} 开始构建 …`)
  const child = spawn(process.execPath, [webpackCli], {
    cwd: join(root, folder),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', CHECK_TYPES: checksTypes ? '1' : '0' },
  })
  // A start that says nothing looks as if it hung.
  const heartbeatTimer = setInterval(() => print('构建中，已'), heartbeatMs)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n'))
      // The federation plugin has no option to be silent about the archive of types.
      if (line && !line.includes('Federated types created correctly')) console.log(line)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(heartbeatTimer)
  if (code === 0 && !checksTypes) writeFileSync(uncheckedMark(dist), '')
  print(code === 0 ? `${build} built in` : 'failed in')
  return code === 0
}

if (process.argv[1] === import.meta.filename) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'without-types': { type: 'boolean', default: false } },
  })
  const selectedPackages = positionals.map((word) => {
    const pkg = findPackage(word)
    if (!pkg)
      throw new Error(
        `unknown package: ${word}; known: ${packages.map(({ name }) => name).join(', ')}`,
      )
    return pkg
  })
  const builds = await buildAll(selectedPackages.length ? selectedPackages : packages, {
    checksTypes: !values['without-types'],
  }).catch(({ message }: Error) => {
    console.error(message)
    process.exit(1)
  })
  for (const { folder, build } of builds) console.log(`${folder}/dist/${build}`)
  if (selectedPackages.length === 0) {
    const { writeOpenApi } = await import('./openapi.ts')
    console.log(relative(root, await writeOpenApi()))
  }
}
