import { defineConfig } from '@playwright/test'
import common from '../playwright.config'
import { browsers } from './browsers'

/** The same platform as for the other browser tests, for browsers that Playwright cannot drive as they are installed. */
export default defineConfig({
  ...common,
  testDir: '.',
  testMatch: '*.story.ts',
  outputDir: '../../test-results',
  workers: 1,
  retries: 0,
  reporter: [['list']],
  projects: undefined,
  webServer: browsers.some(({ open }) => open)
    ? Object.assign({}, common.webServer, { cwd: '../..' })
    : undefined,
})
