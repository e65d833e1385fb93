import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { testPostgres } from 'server/src/core/db/postgres/testing'
import { connectEdge, type EdgeClient } from 'server/src/device-access/edgeClient'
import { deviceRow } from 'server/src/device-access/testing'
import { listen } from 'server/src/listen'
import { build } from '../build'
import { chromium as findChromium, chromiumFlags } from '../chromium'
import { freePort } from '../freePort'
import {
  edgeProduct,
  insertAll,
  insertFloors,
  insertProducts,
  lampProduct,
} from './devices/building'
import { of95, pause, print } from './devices/figures'
import { password, signIn } from './signIn'

const projectId = 1
const perFloor = 28
const perSecond = 500
const probeEvery = 1000

/**
 * Opens browser pages on the home screen of a separate platform with a floor of 28 lamps each, while 500 values a
 * second change over real sockets. It measures the time from a lamp sending its value until the page shows it.
 * @example pnpm bench live 20 60
 */
export default async function live(pages = '20', seconds = '60') {
  const folder = mkdtempSync(join(tmpdir(), 'bench-live-'))
  const postgres = await testPostgres()
  const site = await build({ site: join(folder, 'site') })
  const [port, mqttPort] = [await freePort(), await freePort()]
  const platform = await listen({
    port,
    mqttPort,
    host: '127.0.0.1',
    data: folder,
    databaseUrl: postgres.url,
    adminPassword: password,
    logLevel: 'error',
    site: { folder: site },
  })
  const { db } = platform.app
  await insertProducts(db)
  const floors = await insertFloors(db, projectId, Number(pages))
  const hosts = floors.map(hostOf)
  await insertAll(
    db,
    hosts.flatMap(({ gateway, children }) => [gateway, ...children]),
  )
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  const edges: EdgeClient[] = []
  let timer: NodeJS.Timeout | undefined
  try {
    const url = `mqtt://127.0.0.1:${mqttPort}`
    for (const host of hosts)
      edges.push(await connectEdge({ url, ...host, keepalive: 600, onSet: () => {} }))
    const origin = `http://127.0.0.1:${port}`
    const token = await signIn(origin)
    const opened: Page[] = []
    for (const floorId of floors) opened.push(await open(browser, origin, token, floorId))

    let turn = 0
    timer = setInterval(() => {
      for (let n = 0; n < perSecond / 20; n++, turn++) {
        const at = turn % hosts.length
        const child = hosts[at]!.children[1 + (turn % (perFloor - 1))]!
        edges[at]!.post(child, { PowerSwitch: Math.floor(turn / 540) % 2, Brightness: turn % 101 })
      }
    }, 50)
    await pause(5000)
    const sent: number[][] = floors.map(() => [])
    for (let n = 0; n < Number(seconds); n++) {
      for (const [at, edge] of edges.entries()) {
        sent[at]!.push(Date.now())
        edge.post(hosts[at]!.children[0]!, { PowerSwitch: n % 2 })
        await pause(probeEvery / edges.length)
      }
    }
    await pause(5000)
    const times: number[] = []
    let lost = 0
    for (const [at, page] of opened.entries()) {
      const shown = (await page.evaluate('probed')) as number[]
      lost += sent[at]!.length - shown.length
      shown.forEach((time, n) => times.push(time - sent[at]![n]!))
    }
    print(`${pages} pages, ${perSecond} a second`, `${of95(times)}, ${lost} not shown`)
  } finally {
    clearInterval(timer)
    await browser.close()
    await Promise.all(edges.map((edge) => edge.close()))
    await platform.close()
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The first lamp of each floor is the probe: it is on, and no other change affects it. */
function hostOf(floorId: string, at: number) {
  const place = { projectId, floorId, spaceId: floorId }
  const gateway = deviceRow(edgeProduct, `edge-${at}`, place)
  const children = Array.from({ length: perFloor }, (_, n) =>
    deviceRow(lampProduct, `lamp-${at}-${n}`, {
      ...place,
      gatewayId: gateway.id,
      name: n === 0 ? '探针' : `灯 ${n}`,
      x: ((n % 7) + 0.5) / 7,
      y: (Math.floor(n / 7) + 0.5) / 4,
      reported: { PowerSwitch: 1 },
    }),
  )
  return { gateway, children }
}

/** Opens a page that records when it shows a new state of the first lamp. */
async function open(browser: Browser, origin: string, token: string, floorId: string) {
  const page = await (await browser.newContext({ bypassCSP: true })).newPage()
  await page.addInitScript(
    `localStorage.setItem('token', ${JSON.stringify(JSON.stringify(token))})`,
  )
  await page.goto(`${origin}/home?scope=${floorId}`)
  await page.locator('[aria-label^="探针 开"]').waitFor({ timeout: 120_000 })
  await page.evaluate(`
    globalThis.probed = []
    new MutationObserver(([{ target }]) => probed.push(Date.now())).observe(
      document.querySelector('[aria-label^="探针 "]'), { attributeFilter: ['aria-label'] })`)
  return page
}
