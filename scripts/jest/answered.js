import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Reporter that fails a full run if a served endpoint was never called through the typed client with
 * success. It does not tell how well the answer was checked.
 */
export default class {
  constructor(config, { folder = '.cache' } = {}) {
    this.folder = folder
    const { testPathPatterns, testNamePattern, onlyChanged, onlyFailures, findRelatedTests } =
      config
    const { shard, watch, watchAll, runTestsByPath } = config
    this.isWhole =
      testPathPatterns.patterns.length === 0 &&
      !(testNamePattern || onlyChanged || onlyFailures || findRelatedTests || runTestsByPath) &&
      !(shard || watch || watchAll)
  }

  /** A run of single files beside a full run must not delete what the full run has collected. */
  onRunStart() {
    mkdirSync(this.folder, { recursive: true })
    if (this.isWhole) rmSync(join(this.folder, 'answered'), { force: true })
  }

  /**
   * The check is skipped after failures, because a failed test may be the only one that calls an endpoint.
   * Jest sets `success` only after its reporters have run.
   */
  onRunComplete(contexts, { numFailedTests, numRuntimeErrorTestSuites, wasInterrupted }) {
    const hasServerTests = [...contexts].some(({ config }) => config.displayName?.name === 'node')
    if (!hasServerTests) return
    if (!this.isWhole || numFailedTests > 0 || numRuntimeErrorTestSuites > 0 || wasInterrupted)
      return
    const called = new Set(readFileSync(join(this.folder, 'answered'), 'utf8').split('\n'))
    // openapi.test.ts writes this list.
    const endpoints = readFileSync(join(this.folder, 'endpoints'), 'utf8').split('\n')
    const missing = endpoints.filter((endpoint) => !called.has(endpoint))
    if (missing.length === 0) return
    this.error = new Error(`没有测试从这些接口得到过成功的应答：\n${missing.join('\n')}`)
    // Jest fails the run for an error of a reporter but does not print it.
    process.stderr.write(`\n${this.error.message}\n`)
  }

  getLastError() {
    return this.error
  }
}
