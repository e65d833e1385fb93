import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AnsweredReporter from './answered'

const folder = mkdtempSync(join(tmpdir(), 'answered-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => {
  jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  writeFileSync(join(folder, 'answered'), 'GET /v1/former\n')
})
afterEach(() => jest.restoreAllMocks())

const wholeRun = { testPathPatterns: { patterns: [] as string[] } }
const passedResult = { numFailedTests: 0, numRuntimeErrorTestSuites: 0, wasInterrupted: false }
const serverContext = { config: { displayName: { name: 'node' } } }
/** Returns the message of the reporter after a run in which these endpoints were answered. */
function report(
  answeredEndpoints: string[],
  { config = {}, result = {}, contexts = [serverContext] } = {},
) {
  const reporter = new AnsweredReporter({ ...wholeRun, ...config }, { folder })
  reporter.onRunStart()
  for (const line of answeredEndpoints)
    writeFileSync(join(folder, 'answered'), `${line}\n`, { flag: 'a' })
  writeFileSync(join(folder, 'endpoints'), 'GET /v1/a\nDELETE /v1/b')
  // Jest leaves `success` false until its reporters have run.
  reporter.onRunComplete(new Set(contexts), { ...passedResult, success: false, ...result })
  return reporter.getLastError()?.message
}
const bMissing = '没有测试从这些接口得到过成功的应答：\nDELETE /v1/b'

it('fails a whole run in which an endpoint was never answered, and prints the endpoint', () => {
  expect(report(['GET /v1/a'])).toBe(bMissing)
  expect(process.stderr.write).toHaveBeenCalledWith(`\n${bMissing}\n`)
})
it('passes a whole run in which each endpoint was answered', () =>
  expect(report(['DELETE /v1/b', 'GET /v1/a'])).toBeUndefined())
it.each([
  ['of a failed test', { result: { numFailedTests: 1 } }],
  ['of a file that did not run', { result: { numRuntimeErrorTestSuites: 1 } }],
  ['that was interrupted', { result: { wasInterrupted: true } }],
  ['of named files', { config: { testPathPatterns: { patterns: ['brand'] } } }],
  ['of named tests', { config: { testNamePattern: 'brand' } }],
  ['of changed files', { config: { onlyChanged: true } }],
  ['of the browser project only', { contexts: [] }],
])('checks nothing after a run %s', (_, run) => expect(report([], run)).toBeUndefined())
it('deletes what an earlier whole run collected, which a run of single files does not', () => {
  report(['GET /v1/a'])
  const readBack = report(['DELETE /v1/b'])
  expect(readBack).toContain('GET /v1/a')
  report([], { config: { testPathPatterns: { patterns: ['brand'] } } })
  expect(existsSync(join(folder, 'answered'))).toBe(true)
})
