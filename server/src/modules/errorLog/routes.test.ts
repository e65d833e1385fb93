import { hourMs } from '@iot/shared/contract/duration'
import { errorLogApi } from '@iot/shared/contract/platform/errorLog.api'
import { errorReportApi } from '@iot/shared/contract/platform/errorReport.api'
import { eq, like } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { waitUntil } from '../../core/until'
import { ownApp, type TestApp } from '../../testing'
import { errorLog } from '../../tables/errorLog'

let app: TestApp
beforeAll(async () => {
  app = await ownApp()
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
  it('refuses text that is too long', () =>
    expect(report('x'.repeat(501))).rejects.toMatchObject({ code: 422 }))
  it('groups errors that differ only in numbers and names, but not those from different places, without a session', async () => {
    await report('Cannot read row 17 of "a"')
    await report('Cannot read row 230 of "b"')
    await report('Cannot read row 17 of "a"', 'Error\n    at Login (main.js:1:2)')
    const rows = await app.app.db.select().from(errorLog)
    const row = { source: 'browser', page: '/home', status: 'open' }
    expect(rows.sort((one, other) => one.count - other.count)).toMatchObject([
      { ...row, count: 1, stack: expect.stringContaining('at Login') },
      { ...row, count: 2, stack: expect.stringContaining('at Home') },
    ])
  })
  it('gives the reason why a browser stack could not be decoded', async () => {
    await report('lamp is undefined')
    const [row] = (await app.as('admin').call(errorLogApi.page, { message: 'lamp is undefined' }))
      .list
    expect(await app.as('admin').call(errorLogApi.get, { id: row!.id })).toMatchObject({
      build: '1',
      stack: 'Error\n    at Home (main.js:1:2)',
      decoded: '',
      undecoded: '控制台的文件不在这台服务器上',
    })
  })
  it('limits the reports per address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 130 }, () =>
        report('flood').then(
          () => 200,
          (error) => error.status,
        ),
      ),
    )
    expect(answers).toContain(429)
  })
})

describe('a client that reports made-up errors', () => {
  const reportFrom = (remoteAddress: string, message: string) =>
    app.app.inject({
      method: 'POST',
      url: '/v1/log/error/report',
      remoteAddress,
      payload: { message, stack: message, component: '', address: '/', build: '1' },
    })
  const toLetters = (n: number) =>
    n.toString(26).replace(/./g, (digit) => 'abcdefghijklmnopqrstuvwxyz'[parseInt(digit, 26)]!)
  const countKindsLike = (text: string) => app.app.db.$count(errorLog, like(errorLog.message, text))

  it('adds at most fifty kinds an hour per source, whatever addresses of it are used', async () => {
    for (let n = 0; n < 70; n++)
      await reportFrom(`2001:db8:1:1::${n + 1}`, `invented ${toLetters(n)}`)
    expect(await countKindsLike('invented %')).toBe(50)
    await reportFrom('10.9.9.9', 'invented elsewhere')
    expect(await countKindsLike('invented elsewhere')).toBe(1)
  })
  it('cannot displace server errors, and the oldest browser error is dropped for a new one', async () => {
    const toTime = (n: number) => new Date(Date.now() - hourMs + n).toISOString()
    const emptyFields = {
      stack: '',
      page: '',
      build: '',
      traceId: '',
      count: 1,
      status: 'open' as const,
    }
    const rows = Array.from({ length: 5_000 }, (_, n) => ({
      ...emptyFields,
      source: 'browser' as const,
      message: `filled ${n}`,
      fingerprint: `filled ${n}`,
      firstTime: toTime(n),
      lastTime: toTime(n),
    }))
    for (let n = 0; n < rows.length; n += 500)
      await app.app.db.insert(errorLog).values(rows.slice(n, n + 500))
    app.app.reportError('server', new Error('the genuine one'))
    await waitUntil(
      () => countKindsLike('the genuine one'),
      (count) => count === 1,
    )
    await reportFrom('10.9.9.8', 'a new one of a browser')
    expect(await countKindsLike('a new one of a browser')).toBe(1)
    expect([await countKindsLike('filled 0'), await countKindsLike('filled 1')]).toEqual([0, 1])
    await app.app.db.delete(errorLog).where(like(errorLog.message, 'filled %'))
    await app.app.db.delete(errorLog).where(eq(errorLog.source, 'server'))
  })
})

test('a server error is stored with its trace id and hidden from the caller', async () => {
  app.app.reportError('server', new Error('disk is gone'))
  const findServerError = async () =>
    (await app.app.db.select().from(errorLog)).find(({ source }) => source === 'server')
  expect(await waitUntil(findServerError, (row) => row !== undefined)).toMatchObject({
    message: 'disk is gone',
  })
})

describe('the error log', () => {
  const fetchPage = (query: object = {}) => app.as('admin').call(errorLogApi.page, query)
  const setStatus = (id: string, status: 'open' | 'done' | 'ignored') =>
    app.as('admin').call(errorLogApi.setStatus, { ids: [id], status })

  it('refuses without a session, without the permission, and for an unknown id', async () => {
    const guest = await app.join('guest', 'operator')
    await expect(app.stranger.call(errorLogApi.page, {})).rejects.toMatchObject({ code: 401 })
    await expect(guest.call(errorLogApi.page, {})).rejects.toMatchObject({ status: 403 })
    const ids = { ids: [uuidv7()], status: 'done' as const }
    await expect(guest.call(errorLogApi.setStatus, ids)).rejects.toMatchObject({ status: 403 })
    await expect(app.as('admin').call(errorLogApi.get, { id: uuidv7() })).rejects.toMatchObject({
      code: 404,
    })
    expect(await app.as('admin').call(errorLogApi.setStatus, ids)).toMatchObject([
      { ok: false, reason: '已被删除' },
    ])
    await expect(fetchPage({ source: 'elsewhere' })).rejects.toMatchObject({ code: 422 })
  })

  it('reopens a closed error when it recurs, but not an ignored one', async () => {
    const reportBrokerError = () => app.app.reportError('broker', new Error('broker lost its way'))
    const findLostRow = async () => (await fetchPage({ message: 'lost its way' })).list[0]
    reportBrokerError()
    const row = (await waitUntil(findLostRow, (candidate) => candidate !== undefined))!
    expect(row).toMatchObject({ source: 'broker', count: 1, status: 'open', returned: false })
    const reportAndWait = async (count: number) => {
      reportBrokerError()
      return waitUntil(findLostRow, (candidate) => candidate?.count === count)
    }
    expect(await reportAndWait(2)).toMatchObject({ status: 'open', returned: false })
    expect(await setStatus(row.id, 'done')).toMatchObject([{ ok: true }])
    expect(await reportAndWait(3)).toMatchObject({ status: 'open', returned: true })
    expect(await reportAndWait(4)).toMatchObject({ status: 'open', returned: true })
    expect((await fetchPage({ returned: 'true' })).list.map(({ id }) => id)).toEqual([row.id])
    await setStatus(row.id, 'ignored')
    expect(await reportAndWait(5)).toMatchObject({ status: 'ignored', returned: false })
    const detail = await app.as('admin').call(errorLogApi.get, { id: row.id })
    expect(detail.stack).toContain('broker lost its way')
    expect(detail).toMatchObject({ decoded: '', undecoded: '' })
    expect(Date.parse(detail.firstTime)).toBeLessThan(Date.parse(detail.lastTime))
  })

  it('filters by every field and exports the result', async () => {
    const findSources = async (query: object) =>
      (await fetchPage(query)).list.map(({ source }) => source)
    expect(await findSources({ source: 'broker' })).toEqual(['broker'])
    expect(await findSources({ status: 'ignored', message: 'lost' })).toEqual(['broker'])
    expect(await findSources({ to: '2020-01-01T00:00:00Z' })).toEqual([])
    const task = await app
      .as('admin')
      .call(errorLogApi.exportRows, { source: 'broker', format: 'csv' })
    expect(task).toMatchObject({ status: 'done', counts: { success: 1 } })
  })
})
