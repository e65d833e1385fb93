import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { buildApp } from 'server/src/app'

const rows = 1_000_000
/** Larger statements would exceed the statement timeout of 15 s. */
const portion = 25_000
const calls = 40
const most = 300
const password = 'bench-2026'

type Row = { id: string }
type Ask = (query: object) => Promise<{ list: Row[]; total: number }>

/**
 * Measures the audit log and the sign-in log with a million rows each on the embedded database: every filter alone
 * and combined, and pages deep in the list, reached from the previous page and by number. It prints the slowest calls
 * of each kind with their plans and fails if the 95th percentile exceeds 300 ms.
 * @param only runs only queries whose name contains this text
 */
export default async function logs(only = '') {
  const folder = await mkdtemp(join(tmpdir(), 'bench-logs-'))
  const app = await buildApp({
    database: { kind: 'embedded', folder },
    adminPassword: password,
    logLevel: 'silent',
  })
  try {
    const { token } = await send(app, '/v1/auth/login', { username: 'admin', password })
    console.log(`${app.database.about}; ${rows} rows in each log`)
    await fill(app)
    const actions: Ask = (query) => send(app, '/v1/action-log/page', query, token)
    const logins: Ask = (query) => send(app, '/v1/login-log/page', query, token)
    const slow = [...(await actionLog(actions, only)), ...(await loginLog(logins, only))]
    await plans(app)
    if (slow.length > 0) throw new Error(`above ${most} ms: ${slow.join('; ')}`)
  } finally {
    await app.close()
    await rm(folder, { recursive: true })
  }
}

async function actionLog(ask: Ask, only: string) {
  console.log('\naction log')
  const week = { from: '2025-06-01T00:00:00Z', to: '2025-06-08T00:00:00Z' }
  const [row] = (await ask({ entity: '厂商', pageNo: 300 })).list as (Row & { entityId: string })[]
  return measure(ask, only, {
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

async function loginLog(ask: Ask, only: string) {
  console.log('\nlogin log')
  return measure(ask, only, {
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
async function measure(ask: Ask, only: string, queries: Record<string, object>) {
  const slow: string[] = []
  for (const [name, query] of Object.entries(queries)) {
    if (!name.includes(only)) continue
    const first = await time(() => ask(query))
    const deep = await deepest(ask, query)
    const [byNumber, onward] = [
      await time(() => ask({ ...query, pageNo: deep.pageNo })),
      await time(() => ask({ ...query, pageNo: deep.pageNo + 1, anchor: deep.anchor })),
    ]
    const figures = { 'page 1': first, [`page ${deep.pageNo}`]: byNumber, 'the next': onward }
    console.log(
      `  ${name.padEnd(36)}${Object.entries(figures)
        .map(([what, { p50, p95 }]) => `${what}: ${p50} / ${p95} ms`.padEnd(30))
        .join('')}`,
    )
    for (const [what, { p95 }] of Object.entries(figures))
      if (p95 > most) slow.push(`${name}, ${what}: ${p95} ms`)
  }
  return slow
}

/** Finds the deepest page of a list, up to page 40,000. */
async function deepest(ask: Ask, query: object) {
  for (const pageNo of [40_000, 15_000, 4_000, 400, 40, 4]) {
    const [row] = (await ask({ ...query, pageNo })).list
    if (row) return { pageNo, anchor: `${pageNo}~${row.id}` }
  }
  return { pageNo: 1 }
}

async function time(work: () => Promise<unknown>) {
  const times: number[] = []
  for (let n = 0; n < calls; n++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1]!)
  return { p50: at(0.5), p95: at(0.95) }
}

async function fill({ db }: FastifyInstance) {
  const began = performance.now()
  for (let from = 0; from < rows; from += portion) {
    const numbers = sql`generate_series(${sql.raw(`${from}, ${from + portion - 1}`)}) as n`
    const at = sql`timestamptz '2025-01-01' + n * interval '30 seconds'`
    // The ids grow with time, as those of UUIDv7 do.
    const id = sql`('01940000-' || lpad(to_hex(n / 65536), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
    await db.execute(sql`
      insert into action_log (id, time, username, entity, entity_id, entity_name, verb, ok, reason, duration, address, trace_id, fields, changes, part)
      select ${id}, ${at}, 'user' || (n % 500),
        case when n % 10000 = 3 then '角色' when n % 3 = 0 then '厂商' when n % 3 = 1 then '品牌' else '产品' end,
        'row-' || (n % 20011), '名称 ' || n, '修改', n % 50 <> 7, case when n % 50 = 7 then '编码已存在' else '' end,
        (n::bigint * 7919 % 2000)::int, '10.0.' || (n % 250) || '.1', 'trace-' || n,
        case when n % 10000 = 3 then array['dataScope', '数据范围'] when n % 3 = 0 then array['status', '状态'] else array['name', '名称'] end,
        '[{"field":"status","title":"状态","before":"启用","after":"禁用"}]'::jsonb, n % 11 = 5
      from ${numbers}`)
    await db.execute(sql`
      insert into login_log (id, time, username, ok, reason, address, browser, system)
      select ${id}, ${at}, 'user' || (n % 500), n % 20 <> 7, case when n % 20 = 7 then '账号或密码错误' else '' end,
        '10.0.' || (n % 250) || '.' || (n % 4), 'Chrome 140', 'Windows'
      from ${numbers}`)
  }
  // PostgreSQL's autovacuum would do this within minutes.
  for (const table of ['action_log', 'login_log'])
    await db.execute(sql.raw(`vacuum analyze ${table}`))
  console.log(`filled in ${Math.round((performance.now() - began) / 1000)} s`)
}

/** Prints the plans of the statements that pages consist of. */
async function plans({ db }: FastifyInstance) {
  const anchor = `(select time, id from action_log where id = (select id from action_log order by time offset 500000 limit 1))`
  const asked = {
    'first page, failed': `select id from action_log where not part and ok = false order by time desc, id desc limit 20`,
    'far down, from a row': `select id from action_log where not part and (time, id) <= ${anchor} order by time desc, id desc limit 20 offset 20`,
    'far down, by number': `select id from action_log where not part order by time desc, id desc limit 20 offset 800000`,
    'rare field': `select id from action_log where fields @> array['数据范围'] order by time desc, id desc limit 20`,
    'one user': `select id from action_log where not part and username in ('user417') order by time desc, id desc limit 20`,
    'many users, far down': `select id from action_log where not part and username in (select 'user1' || n from generate_series(0, 99) as n) order by time desc, id desc limit 20 offset 80000`,
  }
  for (const [name, statement] of Object.entries(asked)) {
    const { rows } = await db.execute<{ 'QUERY PLAN': string }>(
      sql.raw(`explain (analyze, costs off, timing off) ${statement}`),
    )
    console.log(`\n${name}\n${rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`)
  }
}

async function send(app: FastifyInstance, url: string, payload: object, token = '') {
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
