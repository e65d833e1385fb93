import { TestEnvironment } from 'jest-environment-node'
import { tsImport } from 'tsx/esm/api'

let shared

async function make() {
  const threads = []
  const keep = (thread) => threads.push(thread)
  process.on('worker', keep)
  const { testApp } = await tsImport('./testing.ts', import.meta.url)
  const app = await testApp()
  process.off('worker', keep)
  // Nobody knows which file is the last to use it: it ends with its worker, which must not wait for the database's thread.
  for (const thread of threads) thread.unref()
  return app
}

/**
 * Jest's own environment, and one platform for all files of a worker. It lives outside of their sandboxes, which are
 * thrown away with each file, and is made when the first of them asks for it (`sharedApp` in testing.ts).
 */
export default class extends TestEnvironment {
  async setup() {
    await super.setup()
    this.global.sharedApp = () => (shared ??= make())
  }
}
