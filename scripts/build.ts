import { spawn } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
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
  const queue = await Promise.all(
    packagesToBuild.map(async (target) => ({
      ...target,
      build: await computePackageBuildId(target),
    })),
  )
  const builds: PackageBuild[] = queue.map((target) => ({
    ...target,
    dist: join(root, target.folder, 'dist', target.build),
  }))
  for (const { dist } of builds)
    if (checksTypes && existsSync(uncheckedMark(dist)))
      for (const path of [dist, uncheckedMark(dist)]) rmSync(path, { recursive: true, force: true })
  const missingBuilds = builds.filter(
    (candidate) => !existsSync(join(candidate.dist, 'release.json')),
  )
  const hasBuilt = missingBuilds.length > 0
  const failedFolders: string[] = []
  const buildNext = async () => {
    for (let nextBuild = missingBuilds.shift(); nextBuild; nextBuild = missingBuilds.shift())
      if (!(await buildOne(nextBuild, checksTypes))) failedFolders.push(nextBuild.folder)
  }
  await Promise.all([buildNext(), buildNext()])
  if (failedFolders.length > 0)
    throw new Error(`没有构建成功：${failedFolders.join('、')}，原因见上；其余的已构建`)
  if (packagesToBuild === packages) await writeBuildInfo({ hasBuilt })
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
function buildOne({ folder, build, dist }: PackageBuild, checksTypes: boolean) {
  const start = Date.now()
  console.log(`  ${folder} 开始构建 …`)
  const child = spawn(process.execPath, [webpackCli], {
    cwd: join(root, folder),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      BUILD_PROGRESS: '1',
      CHECK_TYPES: checksTypes ? '1' : '0',
    },
  })
  let reportedPercent = 0
  // A slow machine needs longer from one quarter to the next; a start that says nothing looks as if it hung.
  const heartbeatTimer = setInterval(
    () => console.log(`  ${folder} 构建中，已 ${Math.round((Date.now() - start) / 1000)} s …`),
    heartbeatMs,
  )
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) {
      const part = Number(/^progress (\d+)$/.exec(line)?.[1] ?? NaN)
      // The federation plugin has no option to be silent about the archive of types.
      if (line.includes('Federated types created correctly')) continue
      if (Number.isNaN(part)) console.log(line)
      else if (part >= reportedPercent + 25 && part < 100)
        console.log(`  ${folder} ${(reportedPercent = part - (part % 25))}%`)
    }
  })
  return new Promise<boolean>((resolve) =>
    child.on('close', (code) => {
      clearInterval(heartbeatTimer)
      if (code === 0 && !checksTypes) writeFileSync(uncheckedMark(dist), '')
      const result = code === 0 ? `${build} built` : 'failed'
      console.log(`  ${folder} ${result} in ${((Date.now() - start) / 1000).toFixed(1)} s`)
      resolve(code === 0)
    }),
  )
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
