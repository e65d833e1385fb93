import { errorReportApi } from '@iot/shared/contract/errorReport'
import { until } from '../../device-access/testing'
import { testApp, type TestApp } from '../../testing'
import { errorLog } from '../../tables/errorLog'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const report = (message: string, stack = 'Error\n    at Home (main.js:1:2)') =>
  app.stranger.call(errorReportApi.report, {
    message,
    stack,
    component: '',
    address: '/home',
    build: '1',
  })

describe('POST /v1/log/error/report', () => {
  it('refuses what is too long', () =>
    expect(report('x'.repeat(501))).rejects.toMatchObject({ code: 422 }))
  it('groups what differs in numbers and names only, also from the login screen', async () => {
    await report('Cannot read row 17 of "a"')
    await report('Cannot read row 230 of "b"')
    await report('Cannot read row 17 of "a"', 'Error\n    at Login (main.js:1:2)')
    const rows = await app.app.db.select().from(errorLog)
    expect(rows.map(({ count }) => count).sort()).toEqual([1, 2])
    expect(rows[0]).toMatchObject({ source: 'browser', page: '/home', status: 'open' })
  })
  it('takes no flood from one address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 130 }, () =>
        report('flood').then(
          () => 200,
          (refused) => refused.status,
        ),
      ),
    )
    expect(answers).toContain(429)
  })
})

test('a fault of the server is kept with its trace and tells the caller nothing else', async () => {
  app.app.reportError('server', new Error('disk is gone'))
  const kept = async () =>
    (await app.app.db.select().from(errorLog)).find(({ source }) => source === 'server')
  expect(await until(kept, (row) => row !== undefined)).toMatchObject({ message: 'disk is gone' })
})
