import { defineConfig } from '@playwright/test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, chromiumFlags } from '../scripts/chromium'
import { freePort } from '../scripts/freePort'

// Chosen once for each run: the workers read this file again and find it in their environment.
process.env.E2E_ADDRESS ??= `http://127.0.0.1:${process.env.E2E_PORT ?? (await freePort())}`
const address = process.env.E2E_ADDRESS
const ownsPlatform = process.env.E2E_PORT === undefined
const refused = 'session.refused.spec.ts'
// There is one simulated building: what switches its lamps, adds to them or counts them takes turns.
const building = [
  'device*.spec.ts',
  'edgeHost.*.spec.ts',
  'home.*.spec.ts',
  'scene.editor.spec.ts',
  'selfRegistration.rules.spec.ts',
]
process.env.ADMIN_PASSWORD ??= 'Console-2026'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  forbidOnly: true,
  workers: 2,
  // A test that passes only at the second try has a defect: `npm test` names it at its end, and goes on.
  retries: 1,
  // A slow machine, or one that does something else beside this, needs its time; what passes waits for nothing.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: '../.cache/e2e.json' }]],
  projects: [
    {
      name: 'building',
      testMatch: building,
      workers: 1,
      ...(ownsPlatform && { teardown: 'refused' }),
    },
    {
      name: 'console',
      testIgnore: [refused, ...building],
      ...(ownsPlatform && { teardown: 'refused' }),
    },
    // A platform that goes on running must not be left asking its own address for captchas.
    { name: 'refused', testMatch: ownsPlatform ? refused : [] },
  ],
  use: {
    baseURL: address,
    locale: 'zh-CN',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: chromium(), args: chromiumFlags },
  },
  /** The product as an operator gets it: built, with its own database and the simulated building on real sockets. */
  webServer: {
    command: `node scripts/bootstrap.mjs start --port ${new URL(address).port} --mqtt-port ${await freePort()} --data ${join(tmpdir(), `iot-console-e2e-${process.pid}`)}`,
    cwd: '..',
    url: `${address}/healthz`,
    timeout: 180_000,
    // E2E_PORT names a platform that runs already, started with the same ADMIN_PASSWORD.
    reuseExistingServer: process.env.E2E_PORT !== undefined,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
})
