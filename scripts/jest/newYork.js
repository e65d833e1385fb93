import { TestEnvironment } from 'jest-environment-jsdom'

/** A browser in New York, whose clock skips an hour on 2026-03-08 and repeats one on 2026-11-01. */
export default class extends TestEnvironment {
  #zone = process.env.TZ

  async setup() {
    // Node reads the zone of the process outside the sandbox, where a test cannot set it.
    process.env.TZ = 'America/New_York'
    await super.setup()
  }

  async teardown() {
    if (this.#zone === undefined) delete process.env.TZ
    else process.env.TZ = this.#zone
    await super.teardown()
  }
}
