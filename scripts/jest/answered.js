import { mkdirSync, readFileSync, rmSync } from 'node:fs'

const answered = '.cache/answered'

/**
 * Reporter that fails a full run if an endpoint of server/openapi.json was never called through the typed client with
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
    const { paths } = JSON.parse(readFileSync('server/openapi.json', 'utf8'))
    this.missing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .map((method) => `${method.toUpperCase()} ${path}`)
        .filter((endpoint) => !called.has(endpoint)),
    )
  }

  getLastError() {
    if (this.missing?.length)
      return new Error(`没有测试从这些接口得到过成功的应答：\n${this.missing.join('\n')}`)
  }
}
