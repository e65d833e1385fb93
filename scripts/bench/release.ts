import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { Pointer, ReleaseRecord } from '@iot/shared/contract/release/release.schema'
import { Site } from '../../server/src/site/releases'
import { registerSite as serveSite } from '../../server/src/site/site'
import { buildAll } from '../build.ts'
import { packages } from '../build/packages.ts'
import { root } from '../root.ts'
import { pickSize } from './tools/size.ts'

const rounds = pickSize(5, 1)

/**
 * Measures the time from starting `pnpm release publish` or `rollback` until the new pointer is served, as a ratio to
 * copying the same files. The start of the command dominates and is measured separately too.
 */
export default async function release() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const siteFolder = join(folder, 'site')
  const site = new Site(siteFolder)
  const [system] = await buildAll(packages.filter(({ name }) => name === 'system'))
  await site.publish(system!.dist)
  const app = Fastify()
  await serveSite(app, { folder: siteFolder })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const readServedBuild = async () =>
    ((await (await fetch(`${origin}/pointer.json`)).json()) as Pointer).remotes.system!.build
  const waitForBuild = async (build: string) => {
    while ((await readServedBuild()) !== build)
      await new Promise((resolve) => setTimeout(resolve, 5))
  }

  const times: Record<'publish' | 'rollback' | 'start of the command' | 'copy', number[]> = {
    publish: [],
    rollback: [],
    'start of the command': [],
    copy: [],
  }
  for (let round = 0; round < rounds; round++) {
    const build = `00000000000${round}`
    const dist = await copyBuild(system!.dist, join(folder, build), build)
    const previousBuild = await readServedBuild()
    times.publish.push(
      await measureTime(() =>
        Promise.all([
          runCli('publish', 'system', '--build', dist, '--site', siteFolder),
          waitForBuild(build),
        ]),
      ),
    )
    times.rollback.push(
      await measureTime(() =>
        Promise.all([
          runCli('rollback', 'system', '--site', siteFolder),
          waitForBuild(previousBuild),
        ]),
      ),
    )
    times['start of the command'].push(
      await measureTime(() => runCli('list', '--site', siteFolder)),
    )
    times.copy.push(
      await measureTime(() => cp(dist, join(folder, `copy-${round}`), { recursive: true })),
    )
    await site.publish(dist)
  }
  const fastestCopyMs = Math.min(...times.copy)
  for (const [name, durations] of Object.entries(times))
    console.log(
      `${name.padEnd(22)} ${Math.min(...durations).toFixed(0)}–${Math.max(...durations).toFixed(0)} ms, ${(Math.min(...durations) / fastestCopyMs).toFixed(1)} × copy`,
    )
  await app.close()
  await rm(folder, { recursive: true })
}

async function copyBuild(dist: string, target: string, build: string) {
  await cp(dist, target, { recursive: true })
  const record = JSON.parse(await readFile(join(target, 'release.json'), 'utf8')) as ReleaseRecord
  await writeFile(join(target, 'release.json'), JSON.stringify({ ...record, build }))
  return target
}

async function measureTime(work: () => Promise<unknown>) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const runCli = (...args: string[]) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(root, 'scripts/release/cli.ts'), ...args],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`release ${args[0]} ended with ${code}`)),
    )
  })
