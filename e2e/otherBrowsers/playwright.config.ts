import { defineConfig } from '@playwright/test'
import common from '../playwright.config'

/** The same platform as the other browser tests, for browsers that Playwright cannot drive as they are installed. */
export default defineConfig({
  ...common,
  testDir: '.',
  testMatch: '*.story.ts',
  outputDir: '../../test-results',
  workers: 1,
  reporter: [['list']],
  projects: undefined,
})
