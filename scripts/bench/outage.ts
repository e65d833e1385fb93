import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { testPostgres } from 'server/src/core/db/postgres/testing'
import { of95, pause, print, timeOf } from './devices/figures'
import { startPlatform, type Platform } from './devices/platform'

type Answer = { status: number; ms: number }

/**
 * Measures the answers of a separate platform while its database is stopped for some seconds (SIGSTOP of all its
 * processes): lists, changes and `/healthz` without pause, how soon each is answered and how soon all work again.
 * @example pnpm bench outage 25
 */
export default async function outage(seconds = '25') {
  const postgres = await testPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'bench-outage-'))
  const platform = await startPlatform(postgres.url, folder)
  try {
    const made: string[] = []
    const asks = {
      '/healthz': () => fetch(`${platform.address}/healthz`),
      'a list': () => post(platform, '/v1/manufacturer/page', {}),
      'a change': (n: number) => create(platform, `b${n}`, made),
    }
    await report('before', asks, () => pause(5000))
    const goOn = await postgres.stopAll()
    const stopped = performance.now()
    await report(`while it stands still, ${seconds} s`, asks, () => pause(Number(seconds) * 1000))
    await goOn()
    const going = performance.now()
    print('stood still', `${((going - stopped) / 1000).toFixed(1)} s`)
    while ((await asks['/healthz']()).status !== 200) await pause(20)
    print('well again after', `${(performance.now() - going).toFixed(0)} ms`)
    await report('after', asks, () => pause(5000))
    print('acknowledged and lost', `${await lostOf(postgres.url, made)} of ${made.length}`)
  } finally {
    await platform.close()
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const post = ({ address, token }: Platform, path: string, body: object) =>
  fetch(address + path, {
    method: 'POST',
    headers: { satoken: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function create(platform: Platform, name: string, made: string[]) {
  const draft = {
    name,
    code: name,
    shortName: '',
    creditCode: '',
    contact: '',
    phone: '',
    email: '',
    areaCode: '440305',
    address: '',
    website: '',
    logo: '',
    remark: '',
    status: 'enabled',
  }
  const answer = await post(platform, '/v1/manufacturer', draft)
  const { code, msg } = (await answer.clone().json()) as { code: number; msg: string }
  if (code === 0) made.push(name)
  else if (answer.status === 200) throw new Error(msg)
  return answer
}

/** Runs two lanes per kind of call, each making one call after the other with a short pause. */
async function report(
  name: string,
  asks: Record<string, (n: number) => Promise<Response>>,
  over: () => Promise<unknown>,
) {
  console.log(`\n${name}`)
  let isOver = false
  const lanes = Object.entries(asks).map(([kind, ask]) => {
    const answers: Answer[] = []
    const lane = async () => {
      while (!isOver) {
        let status = 0
        const ms = await timeOf(async () => {
          const answer = await ask(++asked)
          status = answer.status
          await answer.arrayBuffer()
        })
        answers.push({ status, ms })
        await pause(50)
      }
    }
    return { kind, answers, done: Promise.all([lane(), lane()]) }
  })
  await over()
  isOver = true
  for (const { kind, answers, done } of lanes) {
    await done
    const statuses = [...new Set(answers.map(({ status }) => status))]
      .map((status) => `${answers.filter((one) => one.status === status).length} × ${status}`)
      .join(', ')
    print(kind, `${of95(answers.map(({ ms }) => ms))}; ${statuses}`)
  }
}
let asked = 0

async function lostOf(url: string, made: string[]) {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from manufacturer')
  await client.end()
  const kept = new Set(rows.map(({ name }) => name))
  return made.filter((name) => !kept.has(name)).length
}
