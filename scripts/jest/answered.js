import { mkdirSync, readFileSync, rmSync } from 'node:fs'

const answered = '.cache/answered'

/**
 * Reporter that fails a full run if a served endpoint was never called through the typed client with
 * success. It does not tell how well the answer was checked.
 */
export default class {
  constructor({ testPathPatterns, testNamePattern, onlyChanged, shard, watch, watchAll }) {
    this.isWhole =
      testPathPatterns.patterns.length === 0 &&
      !(testNamePattern || onlyChanged || shard || watch || watchAll)
  }

  onRunStart() {
    mkdirSync('.cache', { recursive: true })
    rmSync(answered, { force: true })
  }

  /** The check is skipped after failures, because a failed test may be the only one that calls an endpoint. */
  onRunComplete(_, { success }) {
    if (!this.isWhole || !success) return
    const called = new Set(readFileSync(answered, 'utf8').split('\n'))
    // openapi.test.ts writes this list.
    const endpoints = readFileSync('.cache/endpoints', 'utf8').split('\n')
    this.missing = endpoints.filter((endpoint) => !called.has(endpoint))
  }

  getLastError() {
    if (this.missing?.length)
      return new Error(`没有测试从这些接口得到过成功的应答：\n${this.missing.join('\n')}`)
  }
}
