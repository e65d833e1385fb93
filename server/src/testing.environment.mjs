import { TestEnvironment } from 'jest-environment-node'
import { tsImport } from 'tsx/esm/api'

let shared

async function make() {
  const { testApp } = await tsImport('./testing.ts', import.meta.url)
  return testApp()
}

/**
 * Extends Jest's environment with one platform for all test files of a worker. The platform lives outside the
 * sandboxes, which are discarded after each file, and is created when a file first calls `sharedApp` (see
 * testing.ts). No file knows that it is the last one, so the platform ends with its worker.
 */
export default class extends TestEnvironment {
  async setup() {
    await super.setup()
    this.global.sharedApp = () => (shared ??= make())
  }
}
