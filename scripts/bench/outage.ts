import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startTestPostgres } from 'server/src/core/db/postgres/testing'
import { formatPercentiles, pause, printFigure, measureTimeMs } from './devices/figures'
import { startPlatform, type Platform } from './devices/platform'
import { pickSize } from './tools/size'

const phaseMs = pickSize(5000, 500)

type TimedAnswer = { status: number; ms: number }

/**
 * Measures the answers of a separate platform while its database is stopped for some seconds (SIGSTOP of all its
 * processes): lists, changes and `/healthz` without pause, how soon each is answered and how soon all work again.
 * @example pnpm bench outage 25
 */
export default async function outage(seconds = pickSize('25', '1')) {
  const postgres = await startTestPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'bench-outage-'))
  const platform = await startPlatform(postgres.url, folder)
  try {
    const createdNames: string[] = []
    const calls = {
      '/healthz': () => fetch(`${platform.address}/healthz`),
      'a list': () => postJson(platform, '/v1/manufacturer/page', {}),
      'a change': (n: number) => createManufacturer(platform, `b${n}`, createdNames),
    }
    await measurePhase('before', calls, () => pause(phaseMs))
    const resumeDatabase = await postgres.stopAll()
    const stopTime = performance.now()
    await measurePhase(`while it stands still, ${seconds} s`, calls, () =>
      pause(Number(seconds) * 1000),
    )
    resumeDatabase()
    const resumeTime = performance.now()
    printFigure('stood still', `${((resumeTime - stopTime) / 1000).toFixed(1)} s`)
    while ((await calls['/healthz']()).status !== 200) await pause(20)
    printFigure('well again after', `${(performance.now() - resumeTime).toFixed(0)} ms`)
    await measurePhase('after', calls, () => pause(phaseMs))
    printFigure(
      'acknowledged and lost',
      `${await countLostRows(postgres.url, createdNames)} of ${createdNames.length}`,
    )
  } finally {
    await platform.close()
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const postJson = ({ address, token }: Platform, path: string, body: object) =>
  fetch(address + path, {
    method: 'POST',
    headers: { satoken: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function createManufacturer(platform: Platform, name: string, createdNames: string[]) {
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
  const answer = await postJson(platform, '/v1/manufacturer', draft)
  const { code, msg } = (await answer.clone().json()) as { code: number; msg: string }
  if (code === 0) createdNames.push(name)
  else if (answer.status === 200) throw new Error(msg)
  return answer
}

/** Runs two lanes per kind of call, each making one call after the other with a short pause. */
async function measurePhase(
  name: string,
  calls: Record<string, (n: number) => Promise<Response>>,
  waitForEnd: () => Promise<unknown>,
) {
  console.log(`\n${name}`)
  let isFinished = false
  const lanes = Object.entries(calls).map(([kind, call]) => {
    const answers: TimedAnswer[] = []
    const runLane = async () => {
      while (!isFinished) {
        let status = 0
        const ms = await measureTimeMs(async () => {
          const answer = await call(++callCount)
          status = answer.status
          await answer.arrayBuffer()
        })
        answers.push({ status, ms })
        await pause(50)
      }
    }
    return { kind, answers, done: Promise.all([runLane(), runLane()]) }
  })
  await waitForEnd()
  isFinished = true
  for (const { kind, answers, done: lanesDone } of lanes) {
    await lanesDone
    const statuses = [...new Set(answers.map(({ status }) => status))]
      .map((status) => `${answers.filter((answer) => answer.status === status).length} × ${status}`)
      .join(', ')
    printFigure(kind, `${formatPercentiles(answers.map(({ ms }) => ms))}; ${statuses}`)
  }
}
let callCount = 0

async function countLostRows(url: string, createdNames: string[]) {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from manufacturer')
  await client.end()
  const storedNames = new Set(rows.map(({ name }) => name))
  return createdNames.filter((name) => !storedNames.has(name)).length
}
