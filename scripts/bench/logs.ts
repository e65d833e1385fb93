import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { buildApp } from 'server/src/app'
import { isSmall, pickSize } from './tools/size'

const rowCount = pickSize(1_000_000, 3000)
/** Larger statements would exceed the statement timeout of 15 s. */
const batchSize = Math.min(25_000, rowCount)
const repetitions = pickSize(40, 1)
const maxP95Ms = 300
const password = 'bench-2026'

type Row = { id: string }
type RequestPage = (query: object) => Promise<{ list: Row[]; total: number }>

/**
 * Measures the audit log and the sign-in log with a million rows each on the embedded database: every filter alone
 * and combined, and pages deep in the list, reached from the previous page and by number. It prints the slowest calls
 * of each kind with their plans and fails if the 95th percentile exceeds 300 ms.
 * @param nameFilter runs only queries whose name contains this text
 */
export default async function logs(nameFilter = '') {
  const folder = await mkdtemp(join(tmpdir(), 'bench-logs-'))
  const app = await buildApp({
    database: { kind: 'embedded', folder },
    adminPassword: password,
    logLevel: 'silent',
  })
  try {
    const { token } = await callApi(app, '/v1/auth/login', { username: 'admin', password })
    console.log(`${app.database.about}; ${rowCount} rows in each log`)
    await fillLogs(app)
    const actions: RequestPage = (query) => callApi(app, '/v1/action-log/page', query, token)
    const logins: RequestPage = (query) => callApi(app, '/v1/login-log/page', query, token)
    const slowQueries = [
      ...(await actionLog(actions, nameFilter)),
      ...(await loginLog(logins, nameFilter)),
    ]
    await printPlans(app)
    if (slowQueries.length > 0 && !isSmall)
      throw new Error(`above ${maxP95Ms} ms: ${slowQueries.join('; ')}`)
  } finally {
    await app.close()
    await rm(folder, { recursive: true })
  }
}

async function actionLog(requestPage: RequestPage, nameFilter: string) {
  console.log('\naction log')
  const week = { from: '2025-06-01T00:00:00Z', to: '2025-06-08T00:00:00Z' }
  const [row] = (await requestPage({ entity: '厂商', pageNo: pickSize(300, 3) })).list as (Row & {
    entityId: string
  })[]
  return measurePages(requestPage, nameFilter, {
    'no filter': {},
    'oldest first': { sort: 'time' },
    'slowest first': { sort: '-duration' },
    'user, of most lines': { username: 'user1' },
    'user, one of 500': { username: 'user417' },
    'user, two letters that nobody has': { username: 'zq' },
    'entity, of a third': { entity: '厂商' },
    'entity, of 0.1 ‰': { entity: '角色' },
    'entity that is none': { entity: '没有' },
    'one row': { entityId: row!.entityId },
    'field, of a third': { field: '状态' },
    'field, of 0.1 ‰': { field: '数据范围' },
    failed: { ok: 'false' },
    'one week': week,
    'one week, failed, of an entity': { ...week, ok: 'false', entity: '厂商' },
    'a user’s changes of a field': { username: 'user417', field: '状态' },
    'rare field of a common entity': { entity: '厂商', field: '数据范围' },
  })
}

async function loginLog(requestPage: RequestPage, nameFilter: string) {
  console.log('\nlogin log')
  return measurePages(requestPage, nameFilter, {
    'no filter': {},
    'user, one of 500': { username: 'user417' },
    'user, two letters that nobody has': { username: 'zq' },
    'address, of 1 ‰': { address: '10.0.7.1' },
    'address that is none': { address: '192.168.9' },
    failed: { ok: 'false' },
    online: { online: 'true' },
    'one week': { from: '2025-06-01T00:00:00Z', to: '2025-06-08T00:00:00Z' },
    'a user’s failures': { username: 'user417', ok: 'false' },
  })
}

/** Measures the first, a middle and the last pages of each query, by number and from the previous page. */
async function measurePages(
  requestPage: RequestPage,
  nameFilter: string,
  queries: Record<string, object>,
) {
  const slowQueries: string[] = []
  for (const [name, query] of Object.entries(queries)) {
    if (!name.includes(nameFilter)) continue
    const first = await measureTimes(() => requestPage(query))
    const deepestPage = await findDeepestPage(requestPage, query)
    const [byNumber, byAnchor] = [
      await measureTimes(() => requestPage({ ...query, pageNo: deepestPage.pageNo })),
      await measureTimes(() =>
        requestPage({ ...query, pageNo: deepestPage.pageNo + 1, anchor: deepestPage.anchor }),
      ),
    ]
    const figures = {
      'page 1': first,
      [`page ${deepestPage.pageNo}`]: byNumber,
      'the next': byAnchor,
    }
    console.log(
      `  ${name.padEnd(36)}${Object.entries(figures)
        .map(([pageLabel, { p50, p95 }]) => `${pageLabel}: ${p50} / ${p95} ms`.padEnd(30))
        .join('')}`,
    )
    for (const [pageLabel, { p95 }] of Object.entries(figures))
      if (p95 > maxP95Ms) slowQueries.push(`${name}, ${pageLabel}: ${p95} ms`)
  }
  return slowQueries
}

/** Finds the deepest page of a list, up to page 40,000. */
async function findDeepestPage(requestPage: RequestPage, query: object) {
  for (const pageNo of [40_000, 15_000, 4_000, 400, 40, 4]) {
    const [row] = (await requestPage({ ...query, pageNo })).list
    if (row) return { pageNo, anchor: `${pageNo}~${row.id}` }
  }
  return { pageNo: 1 }
}

async function measureTimes(work: () => Promise<unknown>) {
  const times: number[] = []
  for (let n = 0; n < repetitions; n++) {
    const startTime = performance.now()
    await work()
    times.push(performance.now() - startTime)
  }
  times.sort((a, b) => a - b)
  const getPercentile = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1]!)
  return { p50: getPercentile(0.5), p95: getPercentile(0.95) }
}

async function fillLogs({ db }: FastifyInstance) {
  const startTime = performance.now()
  for (let from = 0; from < rowCount; from += batchSize) {
    const numbers = sql`generate_series(${sql.raw(`${from}, ${from + batchSize - 1}`)}) as n`
    const timeExpression = sql`timestamptz '2025-01-01' + n * interval '30 seconds'`
    // The ids grow with time, as those of UUIDv7 do.
    const id = sql`('01940000-' || lpad(to_hex(n / 65536), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
    await db.execute(sql`
      insert into action_log (id, time, username, entity, entity_id, entity_name, verb, ok, reason, duration, address, trace_id, fields, changes, part)
      select ${id}, ${timeExpression}, 'user' || (n % 500),
        case when n % 10000 = 3 then '角色' when n % 3 = 0 then '厂商' when n % 3 = 1 then '品牌' else '产品' end,
        'row-' || (n % 20011), '名称 ' || n, '修改', n % 50 <> 7, case when n % 50 = 7 then '编码已存在' else '' end,
        (n::bigint * 7919 % 2000)::int, '10.0.' || (n % 250) || '.1', 'trace-' || n,
        case when n % 10000 = 3 then array['dataScope', '数据范围'] when n % 3 = 0 then array['status', '状态'] else array['name', '名称'] end,
        '[{"field":"status","title":"状态","before":"启用","after":"禁用"}]'::jsonb, n % 11 = 5
      from ${numbers}`)
    await db.execute(sql`
      insert into login_log (id, time, username, ok, reason, address, browser, system)
      select ${id}, ${timeExpression}, 'user' || (n % 500), n % 20 <> 7, case when n % 20 = 7 then '账号或密码错误' else '' end,
        '10.0.' || (n % 250) || '.' || (n % 4), 'Chrome 140', 'Windows'
      from ${numbers}`)
  }
  // PostgreSQL's autovacuum would do this within minutes.
  for (const table of ['action_log', 'login_log'])
    await db.execute(sql.raw(`vacuum analyze ${table}`))
  console.log(`filled in ${Math.round((performance.now() - startTime) / 1000)} s`)
}

/** Prints the plans of the statements that pages consist of. */
async function printPlans({ db }: FastifyInstance) {
  const anchor = `(select time, id from action_log where id = (select id from action_log order by time offset 500000 limit 1))`
  const statements = {
    'first page, failed': `select id from action_log where not part and ok = false order by time desc, id desc limit 20`,
    'far down, from a row': `select id from action_log where not part and (time, id) <= ${anchor} order by time desc, id desc limit 20 offset 20`,
    'far down, by number': `select id from action_log where not part order by time desc, id desc limit 20 offset 800000`,
    'rare field': `select id from action_log where fields @> array['数据范围'] order by time desc, id desc limit 20`,
    'one user': `select id from action_log where not part and username in ('user417') order by time desc, id desc limit 20`,
    'many users, far down': `select id from action_log where not part and username in (select 'user1' || n from generate_series(0, 99) as n) order by time desc, id desc limit 20 offset 80000`,
  }
  for (const [name, statement] of Object.entries(statements)) {
    const { rows } = await db.execute<{ 'QUERY PLAN': string }>(
      sql.raw(`explain (analyze, costs off, timing off) ${statement}`),
    )
    console.log(`\n${name}\n${rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`)
  }
}

async function callApi(app: FastifyInstance, url: string, payload: object, token = '') {
  const answer = await app.inject({
    method: 'POST',
    url,
    payload,
    headers: token ? { satoken: `Bearer ${token}` } : {},
  })
  const { code, msg, data } = answer.json<{ code: number; msg: string; data: never }>()
  if (code !== 0) throw new Error(`${url}: ${msg}`)
  return data as { token: string; list: Row[]; total: number }
}
