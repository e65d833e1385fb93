import { sql } from 'drizzle-orm'
import Fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'
import { uuidv7 } from 'uuidv7'
import { buildApp } from 'server/src/app'
import { startTestPostgres } from 'server/src/core/db/postgres/testing'
import { manufacturer } from 'server/src/tables/manufacturer'
import { pickSize } from './tools/size'

const rowCount = pickSize(100_000, 2000)
const parallelCalls = 8
const durationSeconds = pickSize(4, 0.1)
const rounds = pickSize(3, 1)
const password = 'bench-2026'

/**
 * Measures a list of 100,000 rows and its search on PostgreSQL, and the cost of the
 * server's lists and writes compared with a bare route that sends the same statements through `pg`.
 */
export default async function lists() {
  const server = await startTestPostgres()
  const app = await buildApp({
    database: { kind: 'server', url: server.url },
    adminPassword: password,
  })
  try {
    const { token } = await callApi(app, '/v1/auth/login', { username: 'admin', password })
    const requestPage = (query: object) => () => callApi(app, '/v1/manufacturer/page', query, token)
    let createdCount = 0
    const create = () => callApi(app, '/v1/manufacturer', createDraft(`n${createdCount++}`), token)

    await fillRows(app, 0, 1000)
    // The bare server ends with this block, so that it does not share the machine with the searches below.
    {
      await using bareServer = await createBareApp(server.url)
      const list = requestPage({ pageNo: 2, pageSize: 20 })
      await compare('a list of 20 rows', list, () => callApi(bareServer, '/list', {}))
      await compare('a write with its log line', create, () => callApi(bareServer, '/write', {}))
    }

    await fillRows(app, 1000, rowCount)
    await app.db.execute(sql`analyze`)
    console.log(`\n${rowCount} rows, ${parallelCalls} calls at a time`)
    await reportRate('page 1', requestPage({ pageNo: 1, pageSize: 20 }))
    await reportRate('page 20', requestPage({ pageNo: 20, pageSize: 20 }))
    await reportRate('the last page', requestPage({ pageNo: rowCount / 20, pageSize: 20 }))
    await reportRate(
      'sorted by name, page 20',
      requestPage({ pageNo: 20, pageSize: 20, sort: 'name' }),
    )
    await reportRate('name has 照明 (a third)', requestPage({ name: '照明' }))
    await reportRate('name has 极光 (a hundredth)', requestPage({ name: '极光' }))
    await reportRate('name has 极光照明 (3 ‰)', requestPage({ name: '极光照明' }))
    await reportRate('name has 54321 (one)', requestPage({ name: '54321' }))
    await reportRate('name has 没有的 (none)', requestPage({ name: '没有的' }))
    await reportRate('a write', create)
  } finally {
    await app.close()
    await server.close()
  }
}

const trades = ['照明', '电器', '自动化']
const createName = (n: number) => `${n % 100 === 7 ? '极光' : '华明'}${trades[n % 3]}${n}有限公司`

const createDraft = (code: string, name = code) => ({
  name,
  code,
  shortName: name.slice(0, 4),
  creditCode: '',
  contact: '张工',
  phone: '13800138000',
  email: '',
  areaCode: '440305',
  address: '科苑路 1 号',
  website: '',
  logo: '',
  remark: '',
  status: 'enabled' as const,
})

async function fillRows(app: FastifyInstance, from: number, to: number) {
  for (let n = from; n < to; n += 1000)
    await app.db.insert(manufacturer).values(
      Array.from({ length: Math.min(1000, to - n) }, (_, m) => ({
        ...createDraft(`old${n + m}`, createName(n + m)),
        createBy: 'bench',
        updateBy: 'bench',
      })),
    )
}

/** Serves the same rows with the same statements and no further work. */
async function createBareApp(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const server = Fastify()
  const columns = Object.values(draftColumns)
  server.post('/list', async () => {
    const list = await pool.query(
      'select * from manufacturer order by create_time desc, id desc limit $1 offset $2',
      [20, 20],
    )
    const count = await pool.query('select count(*)::int as total from manufacturer')
    return { code: 0, msg: 'ok', data: { list: list.rows, total: count.rows[0].total } }
  })
  let insertedCount = 0
  server.post('/write', async () => {
    const client = await pool.connect()
    try {
      const createTime = new Date().toISOString()
      const row = Object.values(createDraft(`bare${insertedCount++}`))
      await client.query('begin')
      const { rows } = await client.query(
        `insert into manufacturer (id, create_by, create_time, update_by, update_time, ${columns.join()})
          values (${Array.from({ length: 5 + columns.length }, (_, n) => `$${n + 1}`).join()}) returning *`,
        [uuidv7(), 'bench', createTime, 'bench', createTime, ...row],
      )
      await client.query(
        `insert into action_log (id, time, username, entity, entity_id, entity_name, verb, ok, reason, duration, address, trace_id, changes)
          values ($1, $2, 'bench', '厂商', $3, $4, '新建厂商', true, '', 1, '', '', $5)`,
        [uuidv7(), createTime, rows[0].id, rows[0].name, JSON.stringify(changes)],
      )
      await client.query('commit')
      return { code: 0, msg: 'ok', data: rows[0] }
    } finally {
      client.release()
    }
  })
  server.addHook('onClose', () => pool.end())
  return server
}

const draftColumns = Object.fromEntries(
  Object.keys(createDraft('')).map((name) => [name, name.replace(/[A-Z]/g, '_$&').toLowerCase()]),
)
const changes = Object.entries(createDraft('bare')).map(([field, after]) => ({
  field,
  title: field,
  before: '',
  after,
}))

async function callApi(app: FastifyInstance, url: string, payload: object, token = '') {
  const { code, msg, data } = (
    await app.inject({ method: 'POST', url, payload, headers: { satoken: `Bearer ${token}` } })
  ).json<{ code: number; msg: string; data: { token: string } }>()
  if (code !== 0) throw new Error(`${url}: ${msg}`)
  return data
}

type Work = () => Promise<unknown>

/** Runs the two alternately, so that other load on the machine affects both. */
async function compare(name: string, runOurs: Work, runBare: Work) {
  const ratios: number[] = []
  let last = ''
  for (let round = 0; round <= rounds; round++) {
    const [a, b] = [await measureRate(runOurs), await measureRate(runBare)]
    // The first round warms up and is not counted.
    if (round > 0) ratios.push(a.rate / b.rate)
    last = `${a.rate.toFixed(0)} of ${b.rate.toFixed(0)} a second`
  }
  console.log(`${name}: ${median(ratios).toFixed(2)} of a bare route (last ${last})`)
}

async function reportRate(name: string, work: Work) {
  const { rate, middle } = await measureRate(work)
  console.log(
    `${name.padEnd(28)}${rate.toFixed(0).padStart(6)} a second, half within ${middle.toFixed(1)} ms`,
  )
}

async function measureRate(work: Work) {
  const times: number[] = []
  const endTime = performance.now() + durationSeconds * 1000
  await Promise.all(
    Array.from({ length: parallelCalls }, async () => {
      while (performance.now() < endTime) {
        const start = performance.now()
        await work()
        times.push(performance.now() - start)
      }
    }),
  )
  return { rate: times.length / durationSeconds, middle: median(times) }
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1]!
