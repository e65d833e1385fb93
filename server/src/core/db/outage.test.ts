import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { livePath } from '@iot/shared/contract/live'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { WebSocket } from 'ws'
import { password, testApp, type TestApp } from '../../testing'
import { sendSignal, startTestPostgres } from './postgres/testing'
import { log } from '../logging/log'

let postgres: Awaited<ReturnType<typeof startTestPostgres>>
let app: TestApp
let errorSpy: jest.SpyInstance
beforeAll(async () => {
  postgres = await startTestPostgres()
  app = await testApp({ database: { kind: 'server', url: postgres.url } })
  await app.as('admin').call(manufacturerApi.page, { pageNo: 1, pageSize: 1 })
})
beforeEach(() => {
  errorSpy = jest.spyOn(log, 'error').mockImplementation(() => {})
})
afterEach(() => errorSpy.mockRestore())
afterAll(async () => {
  await app?.close()
  await postgres?.close()
})

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const draft = (name: string) => ({
  name,
  shortName: '',
  code: name,
  creditCode: '',
  contact: '',
  phone: '',
  email: '' as const,
  areaCode: '110101',
  address: '',
  website: '' as const,
  logo: '',
  remark: '',
  status: 'enabled' as const,
})

/** Sends calls without pause until `stop` is called and records the answer and duration of each. */
function startWriters(prefix: string) {
  const outcomes: { answer: string; ms: number }[] = []
  const acknowledged: string[] = []
  let isStopped = false
  const writeInLane = async (laneNumber: number) => {
    for (let callIndex = 0; !isStopped; callIndex++) {
      const name = `${prefix}${laneNumber}x${callIndex}`
      const startTime = performance.now()
      const answer = await app
        .as('admin')
        .call(manufacturerApi.create, draft(name))
        .then(
          () => {
            acknowledged.push(name)
            return 'ok'
          },
          ({ status, code, msg }) => `${status} ${code} ${msg}`,
        )
      outcomes.push({ answer, ms: performance.now() - startTime })
      if (answer !== 'ok') await wait(20)
    }
  }
  const lanes = Promise.all([0, 1, 2, 3].map(writeInLane))
  return {
    outcomes,
    acknowledged,
    started: Date.now(),
    async stop() {
      isStopped = true
      await lanes
    },
  }
}

const outageAnswer = '503 503 数据库暂时不可用，请稍后再试'
const getDistinctAnswers = ({ outcomes }: ReturnType<typeof startWriters>) =>
  new Set(outcomes.map((outcome) => outcome.answer))
const getSlowestMs = ({ outcomes }: ReturnType<typeof startWriters>) =>
  Math.max(...outcomes.map(({ ms }) => ms))

/** Waits until five more calls have succeeded, without a time limit. */
async function waitForMoreWrites({ acknowledged }: ReturnType<typeof startWriters>) {
  for (const targetCount = acknowledged.length + 5; acknowledged.length < targetCount;)
    await wait(20)
}

async function waitUntilHealthy() {
  for (let tries = 0; tries < 2000; tries++) {
    if ((await app.app.inject('/healthz')).statusCode === 200) return
    await wait(50)
  }
  throw new Error('the database did not come back')
}

async function expectStored(names: string[]) {
  const { rows } = await app.app.db.execute<{ code: string }>(sql`select code from manufacturer`)
  const storedCodes = new Set(rows.map(({ code }) => code))
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !storedCodes.has(name))).toEqual([])
}

it('survives the loss of every connection during writes and answers 503 until it has reconnected', async () => {
  const writers = startWriters('cut')
  await waitForMoreWrites(writers)
  const client = new pg.Client(postgres.url)
  await client.connect()
  for (let round = 0; round < 20; round++) {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
    )
    await wait(50)
  }
  await client.end()
  await waitForMoreWrites(writers)
  await writers.stop()
  expect(getDistinctAnswers(writers)).toEqual(new Set(['ok', outageAnswer]))
  await expectStored(writers.acknowledged)
})

it('loses no acknowledged write when the database is killed repeatedly, and recovers by itself', async () => {
  const writers = startWriters('kill')
  for (let round = 0; round < 2; round++) {
    await waitForMoreWrites(writers)
    sendSignal([postgres.server.pid!], 'SIGKILL')
    // The database may be back within a second, so the loop asks without a pause.
    while ((await app.app.inject('/healthz')).statusCode !== 503);
    await waitUntilHealthy()
  }
  await waitForMoreWrites(writers)
  await writers.stop()
  expect(getDistinctAnswers(writers)).toEqual(new Set(['ok', outageAnswer]))
  await expectStored(writers.acknowledged)
  const lines = errorSpy.mock.calls.filter(([, line]) => String(line).startsWith('数据库'))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.length).toBeLessThanOrEqual(Math.ceil((Date.now() - writers.started) / 1000) + 1)
  expect(errorSpy.mock.calls.map(([, line]) => line).join()).not.toContain('kill0x')
})

it('does not sign out open pages', async () => {
  await waitUntilHealthy()
  const token = await app.login('admin', password)
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.app.server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}${livePath}`)
  socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', token })))
  const [ready] = await once(socket, 'message')
  expect(JSON.parse(String(ready))).toEqual({ type: 'ready' })
  const closeEvent = once(socket, 'close')
  sendSignal([postgres.server.pid!], 'SIGKILL')
  // The event is repeated, because a database that is already back closes no connection.
  while (socket.readyState === WebSocket.OPEN) {
    app.app.rights.emit('changed')
    await wait(20)
  }
  expect((await closeEvent)[0]).toBe(1011)
  await waitUntilHealthy()
})

it('answers while the database hangs, and recovers when the database continues', async () => {
  const writers = startWriters('hang')
  await waitForMoreWrites(writers)
  const resumePostgres = await postgres.stopAll()
  // The watcher reports an outage after one second of silence; a busy machine needs more time.
  const hangMs = 6000
  try {
    for (const endTime = Date.now() + hangMs; Date.now() < endTime; await wait(100)) {
      const startTime = performance.now()
      expect((await app.app.inject('/healthz')).statusCode).toBe(503)
      expect(performance.now() - startTime).toBeLessThan(hangMs)
    }
  } finally {
    resumePostgres()
  }
  await waitUntilHealthy()
  await waitForMoreWrites(writers)
  await writers.stop()
  expect(getDistinctAnswers(writers)).toEqual(new Set(['ok', outageAnswer]))
  expect(getSlowestMs(writers)).toBeLessThan(hangMs)
  await expectStored(writers.acknowledged)
})
