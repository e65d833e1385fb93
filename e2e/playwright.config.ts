import { defineConfig } from '@playwright/test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, chromiumFlags } from '../scripts/chromium'
import { findFreePort } from '../scripts/freePort'

// The port is chosen once per run: the workers evaluate this file again and find it in their environment.
process.env.E2E_ADDRESS ??= `http://127.0.0.1:${process.env.E2E_PORT ?? (await findFreePort())}`
const address = process.env.E2E_ADDRESS
const ownsPlatform = process.env.E2E_PORT === undefined
const signInFailureSpec = 'session.refused.spec.ts'
// There is one simulated building, so tests that switch, add or count its lamps run one after another.
const buildingSpecs = [
  'device*.spec.ts',
  'edgeHost.*.spec.ts',
  'home.*.spec.ts',
  'scene.editor.spec.ts',
  'selfRegistration.rules.spec.ts',
]
/** A page of a test lives for seconds: code that V8 compiles ahead or optimizes is paid for and hardly used. */
const shortLivedPageFlag = '--js-flags=--max-lazy --no-opt --no-maglev'
process.env.ADMIN_PASSWORD ??= 'Console-2026'
// The hash of a password takes 0.3 s of a processor on a site; the tests sign in about a hundred times.
process.env.SCRYPT_LOG_N ??= '10'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  forbidOnly: true,
  workers: 3,
  // A test that passes only at the second attempt has a defect, which `npm test` names at its end without failing.
  retries: 1,
  // The timeout suits a slow or busy machine; a passing test does not wait for it.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: '../.cache/e2e.json' }]],
  projects: [
    {
      name: 'building',
      testMatch: buildingSpecs,
      workers: 1,
      ...(ownsPlatform && { teardown: 'refused' }),
    },
    {
      name: 'console',
      testIgnore: [signInFailureSpec, ...buildingSpecs],
      ...(ownsPlatform && { teardown: 'refused' }),
    },
    // These tests are left out on a platform that keeps running, because its address would need captchas afterwards.
    { name: 'refused', testMatch: ownsPlatform ? signInFailureSpec : [] },
  ],
  use: {
    baseURL: address,
    locale: 'zh-CN',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: chromium(), args: [...chromiumFlags, shortLivedPageFlag] },
  },
  /**
   * The server is the product as an operator gets it: built, with a database of its own and the simulated building on
   * real sockets.
   */
  webServer: {
    command: `node scripts/bootstrap.mjs start --no-samples --port ${new URL(address).port} --mqtt-port ${await findFreePort()} --data ${join(tmpdir(), `iot-console-e2e-${process.pid}`)}`,
    cwd: '..',
    url: `${address}/healthz`,
    timeout: 180_000,
    // The receivers of notifications run inside the tests, and no device reconnects after a restart.
    env: { NOTIFICATION_PRIVATE_NETWORKS: '127.0.0.1', OFFLINE_GRACE_SECONDS: '1' },
    // E2E_PORT names a platform that is already running, started with the same ADMIN_PASSWORD.
    reuseExistingServer: process.env.E2E_PORT !== undefined,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
})
