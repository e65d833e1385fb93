import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/freePort'
import { Site } from '../../server/src/site/releases'

/** Starts a platform of its own like `npm start`, for tests that must not affect the shared one. */
export async function openPlatform() {
  const data = await mkdtemp(join(tmpdir(), 'platform-'))
  const port = await freePort()
  const args = [
    'scripts/bootstrap.mjs',
    'start',
    '--port',
    String(port),
    '--mqtt-port',
    String(await freePort()),
    '--data',
    data,
    '--empty',
    '--no-devices',
  ]
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const origin = `http://127.0.0.1:${port}`
  for (
    let tries = 0;
    !(await fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ));
    tries++
  ) {
    if (tries > 1200 || child.exitCode !== null) {
      child.kill('SIGTERM')
      throw new Error('the platform did not start')
    }
    await new Promise((done) => setTimeout(done, 200))
  }
  return {
    origin,
    site: new Site(join(data, 'site')),
    async close() {
      const ended = new Promise((done) => child.on('exit', done))
      child.kill('SIGTERM')
      await ended
      await rm(data, { recursive: true, force: true })
    },
  }
}
