import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { Pointer, ReleaseRecord } from '@iot/shared/contract/release'
import { Site } from '../../server/src/site/releases'
import { site as serveSite } from '../../server/src/site/site'
import { buildAll } from '../build.ts'
import { packages } from '../build/packages.ts'
import { root } from '../root.ts'

const rounds = 5

/**
 * Measures the time from starting `pnpm release publish` or `rollback` until the new pointer is served, as a ratio to
 * copying the same files. The start of the command dominates and is measured separately too.
 */
export default async function release() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const at = join(folder, 'site')
  const site = new Site(at)
  const [system] = await buildAll(packages.filter(({ name }) => name === 'system'))
  await site.publish(system!.dist)
  const app = Fastify()
  await serveSite(app, { folder: at })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const served = async () =>
    ((await (await fetch(`${origin}/pointer.json`)).json()) as Pointer).remotes.system!.build
  const until = async (build: string) => {
    while ((await served()) !== build) await new Promise((done) => setTimeout(done, 5))
  }

  const times: Record<'publish' | 'rollback' | 'start of the command' | 'copy', number[]> = {
    publish: [],
    rollback: [],
    'start of the command': [],
    copy: [],
  }
  for (let round = 0; round < rounds; round++) {
    const build = `00000000000${round}`
    const dist = await renamed(system!.dist, join(folder, build), build)
    const before = await served()
    times.publish.push(
      await timed(() =>
        Promise.all([cli('publish', 'system', '--build', dist, '--site', at), until(build)]),
      ),
    )
    times.rollback.push(
      await timed(() => Promise.all([cli('rollback', 'system', '--site', at), until(before)])),
    )
    times['start of the command'].push(await timed(() => cli('list', '--site', at)))
    times.copy.push(await timed(() => cp(dist, join(folder, `copy-${round}`), { recursive: true })))
    await site.publish(dist)
  }
  const best = Math.min(...times.copy)
  for (const [name, all] of Object.entries(times))
    console.log(
      `${name.padEnd(22)} ${Math.min(...all).toFixed(0)}–${Math.max(...all).toFixed(0)} ms, ${(Math.min(...all) / best).toFixed(1)} × copy`,
    )
  await app.close()
  await rm(folder, { recursive: true })
}

async function renamed(dist: string, to: string, build: string) {
  await cp(dist, to, { recursive: true })
  const record = JSON.parse(await readFile(join(to, 'release.json'), 'utf8')) as ReleaseRecord
  await writeFile(join(to, 'release.json'), JSON.stringify({ ...record, build }))
  return to
}

async function timed(work: () => Promise<unknown>) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const cli = (...words: string[]) =>
  new Promise<void>((done, refuse) => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(root, 'scripts/release/cli.ts'), ...words],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    child.on('exit', (code) =>
      code === 0 ? done() : refuse(new Error(`release ${words[0]} ended with ${code}`)),
    )
  })
