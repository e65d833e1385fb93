import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../scripts/freePort'
import { Site } from '../../server/src/site/releases'
import { admin } from '../fixtures'
import { linkBuilds } from './console'

/** Starts a platform of its own like `npm start`, for tests that must not affect the shared one. */
export async function openPlatform() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'platform-'))
  const siteFolder = join(dataFolder, 'site')
  await linkBuilds(siteFolder, ['host', 'remotes'])
  const port = await findFreePort()
  const args = [
    'scripts/bootstrap.mjs',
    'start',
    '--port',
    String(port),
    '--mqtt-port',
    String(await findFreePort()),
    '--data',
    dataFolder,
    '--empty',
    '--no-devices',
  ]
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const origin = `http://127.0.0.1:${port}`
  for (
    let attempts = 0;
    !(await fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ));
    attempts++
  ) {
    if (attempts > 1200 || child.exitCode !== null) {
      child.kill('SIGTERM')
      throw new Error('the platform did not start')
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const answer = await fetch(`${origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  return {
    origin,
    /** The administrator has signed in; `storeToken` opens pages with it. */
    token: data.token,
    site: new Site(siteFolder),
    async close() {
      const exitEvent = new Promise((resolve) => child.on('exit', resolve))
      child.kill('SIGTERM')
      await exitEvent
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
