import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { sql } from 'drizzle-orm'
import { testApp, type TestApp } from '../../testing'
import { log } from '../../core/logging/log'
import { backupRun } from '../../tables/backup'

let app: TestApp
beforeAll(async () => {
  app = await testApp({
    metricsToken: 'a-token-of-16-letters',
    mqttPort: 0,
    mqttHost: '127.0.0.1',
    data: tmpdir(),
  })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const get = async (url: string, headers = {}) => {
  const answer = await app.app.inject({ method: 'GET', url, headers })
  return { status: answer.statusCode, text: answer.body }
}
const draft = {
  name: '满',
  shortName: '',
  code: 'full',
  creditCode: '',
  contact: '',
  phone: '',
  email: '' as const,
  areaCode: '440305',
  address: '',
  website: '',
  logo: '',
  remark: '',
  status: 'enabled' as const,
}

describe('a full disk', () => {
  /** Simulates the error that PostgreSQL reports when it cannot extend a file. */
  async function simulateFullDisk() {
    const { db } = app.app
    await db.execute(sql`
      create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
    for (const table of ['manufacturer', 'login_failure', 'action_log'])
      await db.execute(
        sql`create trigger no_room before insert on ${sql.identifier(table)} execute function no_room()`,
      )
  }
  const endFullDisk = () => app.app.db.execute(sql`drop function no_room cascade`)

  it('is answered with a readable message, logged once, and over when there is space', async () => {
    const admin = app.as('admin')
    await admin.call(manufacturerApi.page, {})
    const errorSpy = jest.spyOn(log, 'error').mockImplementation(() => {})
    await simulateFullDisk()
    const startMs = performance.now()
    const createCalls = Array.from({ length: 20 }, () =>
      admin.call(manufacturerApi.create, draft).catch((refusal: object) => refusal),
    )
    for (const answer of await Promise.all(createCalls))
      expect(answer).toMatchObject({ status: 507, msg: expect.stringContaining('磁盘空间不足') })
    // The error is logged at most once per second.
    expect(errorSpy.mock.calls.length).toBeLessThanOrEqual((performance.now() - startMs) / 1000 + 2)
    expect(errorSpy.mock.calls[0]).toEqual([
      expect.anything(),
      expect.stringMatching(/^磁盘空间不足：/),
    ])
    errorSpy.mockRestore()

    expect(await admin.call(manufacturerApi.page, {})).toMatchObject({ total: 0 })
    expect(await get('/healthz')).toMatchObject({
      status: 200,
      text: expect.stringContaining('"full"'),
    })
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      text: expect.stringContaining('"full"'),
    })

    await endFullDisk()
    expect(await get('/healthz')).toMatchObject({ text: expect.stringContaining('"ok"') })
    expect(await get('/readyz')).toMatchObject({ status: 200 })
    expect(await admin.call(manufacturerApi.create, draft)).toMatchObject({ code: 'full' })
  })
})

describe('GET /readyz', () => {
  it('is 503 while the broker is away and /healthz stays 200', async () => {
    const broker = jest.spyOn(app.app.devices, 'broker').mockReturnValue('away')
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      text: expect.stringContaining('"away"'),
    })
    expect(await get('/healthz')).toMatchObject({ status: 200 })
    broker.mockRestore()
    expect(await get('/readyz')).toMatchObject({ status: 200 })
  })
})

describe('a database with working connections that refuses new logins', () => {
  it('is 503 at /readyz and /healthz', async () => {
    const ready = jest
      .spyOn(app.app.database, 'ready')
      .mockRejectedValue(new Error('connect ENOENT /tmp/iot-pg-x/.s.PGSQL.5432'))
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      text: expect.stringContaining('"unavailable"'),
    })
    expect(await get('/healthz')).toMatchObject({ status: 503 })
    ready.mockRestore()
    expect(await get('/readyz')).toMatchObject({ status: 200 })
  })
})

describe('GET /metrics', () => {
  const readMetrics = async () =>
    (await get('/metrics', { authorization: 'Bearer a-token-of-16-letters' })).text

  it('requires the token', async () => {
    expect(await get('/metrics')).toMatchObject({ status: 403 })
    expect(await get('/metrics', { authorization: 'Bearer x' })).toMatchObject({ status: 403 })
  })
  it('exposes calls, sessions, devices, tasks, memory and event loop delay', async () => {
    const text = await readMetrics()
    expect(text).toMatch(
      /http_request_duration_seconds_count\{.*route="\/v1\/manufacturer\/page".*\} \d/,
    )
    expect(text).toMatch(/^iot_sessions 1$/m)
    for (const name of [
      'iot_tasks_running 0',
      'iot_notifications_pending 0',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'iot_device_reports_total 0',
      'iot_device_messages_total{direction="up"} 0',
      'iot_database_up 1',
      'iot_database_pool_waiting 0',
      'iot_broker_connected 1',
      'iot_device_refusals_total{reason="wrongSecret"} 0',
      'iot_buffered_rows{buffer="设备状态"} 0',
      'iot_control_entries_open 0',
    ])
      expect(text).toContain(name)
    expect(text).toMatch(/^iot_disk_free_bytes [1-9]\d+$/m)
  })
  it('tells when the newest successful backup began, and nothing before there is one', async () => {
    const name = 'iot_backup_last_success_timestamp_seconds'
    expect(await readMetrics()).not.toMatch(new RegExp(`^${name} `, 'm'))
    const createRun = (state: 'succeeded' | 'failed', startTime: string) => ({
      kind: 'schedule' as const,
      state,
      step: 'verifying' as const,
      startedBy: '平台',
      startTime,
      endTime: startTime,
      aliveTime: startTime,
      host: 'machine',
      isEncrypted: false,
      verification: 'none' as const,
    })
    await app.app.db
      .insert(backupRun)
      .values([
        createRun('succeeded', '2026-10-01T02:00:00.000Z'),
        createRun('succeeded', '2026-10-02T02:00:00.000Z'),
        createRun('failed', '2026-10-03T02:00:00.000Z'),
      ])
    expect(await readMetrics()).toContain(`\n${name} 1790906400\n`)
  })
  it('counts a refused sign-in', async () => {
    const wrongLogin = { username: 'admin', password: 'wrong-password-1' }
    await expect(app.stranger.call(authApi.login, wrongLogin)).rejects.toMatchObject({ code: 1001 })
    expect(await readMetrics()).toMatch(/^iot_login_failures_total 1$/m)
  })
  it('answers while the database is away, without the values it would have to ask for', async () => {
    const failQuery = () => Promise.reject(new Error('away'))
    const spies = [
      jest.spyOn(app.app.database, 'ready').mockImplementation(failQuery),
      jest.spyOn(app.app.db, '$count').mockImplementation(failQuery as never),
    ]
    const text = await readMetrics()
    for (const spy of spies) spy.mockRestore()
    expect(text).toMatch(/^iot_database_up 0$/m)
    expect(text).not.toMatch(/^iot_sessions /m)
    expect(await readMetrics()).toMatch(/^iot_sessions 1$/m)
  })
  it.each(['prometheus-alerts.yml', 'grafana-dashboard.json'])(
    'has every metric that deploy/%s names',
    async (file) => {
      const text = await readMetrics()
      const content = readFileSync(join(__dirname, '../../../../deploy', file), 'utf8')
      const names = content.match(/\b(iot|http|process|nodejs)_[a-z0-9_]+/g)!
      expect(names.length).toBeGreaterThan(10)
      const missingNames = names.filter(
        (name) =>
          !new RegExp(`^# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `, 'm').test(text),
      )
      expect(missingNames).toEqual([])
    },
  )
})
