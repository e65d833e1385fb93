import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../scripts/freePort'
import { Site } from '../../server/src/site/releases'

/** Starts a platform of its own like `npm start`, for tests that must not affect the shared one. */
export async function openPlatform() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'platform-'))
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
  return {
    origin,
    site: new Site(join(dataFolder, 'site')),
    async close() {
      const exitEvent = new Promise((resolve) => child.on('exit', resolve))
      child.kill('SIGTERM')
      await exitEvent
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
