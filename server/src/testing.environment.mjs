import { TestEnvironment } from 'jest-environment-node'
import { tsImport } from 'tsx/esm/api'

let testing
let shared

/** Loads the modules of the platform once per worker; inside the sandboxes each file would load them again. */
const startPlatform = async (options) => {
  testing ??= tsImport('./testing.ts', import.meta.url)
  return (await testing).testApp(options)
}

/** Starts a platform and returns it with a way to tell whether it has been closed. */
async function startOwnPlatform(options, openPlatforms) {
  const platform = await startPlatform(options)
  const { app } = platform
  const close = app.close.bind(app)
  openPlatforms.add(app)
  app.close = async () => {
    await close()
    openPlatforms.delete(app)
  }
  return platform
}

/**
 * Extends Jest's environment with platforms that live outside the sandboxes, which are discarded after each file: one
 * for all test files of a worker, created when a file first calls `sharedApp`, and those that a file creates for itself
 * with `ownApp` (see testing.ts). No file knows that it is the last one, so the shared platform ends with its worker.
 */
export default class extends TestEnvironment {
  openPlatforms = new Set()

  async setup() {
    await super.setup()
    this.global.sharedApp = () => (shared ??= startPlatform())
    this.global.ownApp = (options) => startOwnPlatform(options, this.openPlatforms)
  }

  /** A platform that runs on would do its work, and log, during the tests of other files. */
  async teardown() {
    await super.teardown()
    if (this.openPlatforms.size > 0) throw new Error('A platform of ownApp has not been closed')
  }
}
