import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { startTestPostgres } from 'server/src/core/db/postgres/testing'
import { connectEdge, type EdgeClient } from 'server/src/device-access/protocol/edgeClient'
import { deviceRow } from 'server/src/device-access/testing'
import { listen } from 'server/src/listen'
import { build } from '../build'
import { chromium as findChromium, chromiumFlags } from '../chromium'
import { findFreePort } from '../freePort'
import {
  edgeProduct,
  insertDeviceRows,
  insertFloors,
  insertProducts,
  lampProduct,
} from './devices/building'
import { formatPercentiles, pause, printFigure } from './devices/figures'
import { password, signIn } from './tools/signIn'
import { pickSize } from './tools/size'

const projectId = 1
const lampsPerFloor = 28
const valuesPerSecond = 500
const probeIntervalMs = 1000
const settleMs = pickSize(5000, 500)

/**
 * Opens browser pages on the home screen of a separate platform with a floor of 28 lamps each, while 500 values a
 * second change over real sockets. It measures the time from a lamp sending its value until the page shows it.
 * @example pnpm bench live 20 60
 */
export default async function live(pages = pickSize('20', '1'), seconds = pickSize('60', '1')) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-live-'))
  const postgres = await startTestPostgres()
  const site = await build({ site: join(folder, 'site') })
  const [port, mqttPort] = [await findFreePort(), await findFreePort()]
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
  const hosts = floors.map(createHost)
  await insertDeviceRows(
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
    const openPages: Page[] = []
    for (const floorId of floors)
      openPages.push(await openHomePage(browser, origin, token, floorId))

    let reportIndex = 0
    timer = setInterval(() => {
      for (let n = 0; n < valuesPerSecond / 20; n++, reportIndex++) {
        const hostIndex = reportIndex % hosts.length
        const child = hosts[hostIndex]!.children[1 + (reportIndex % (lampsPerFloor - 1))]!
        edges[hostIndex]!.post(child, {
          PowerSwitch: Math.floor(reportIndex / 540) % 2,
          Brightness: reportIndex % 101,
        })
      }
    }, 50)
    await pause(settleMs)
    const sentTimes: number[][] = floors.map(() => [])
    for (let n = 0; n < Number(seconds); n++) {
      for (const [hostIndex, edge] of edges.entries()) {
        sentTimes[hostIndex]!.push(Date.now())
        edge.post(hosts[hostIndex]!.children[0]!, { PowerSwitch: n % 2 })
        await pause(probeIntervalMs / edges.length)
      }
    }
    await pause(settleMs)
    const times: number[] = []
    let missingCount = 0
    for (const [hostIndex, page] of openPages.entries()) {
      const shownTimes = (await page.evaluate('probed')) as number[]
      missingCount += sentTimes[hostIndex]!.length - shownTimes.length
      shownTimes.forEach((time, n) => times.push(time - sentTimes[hostIndex]![n]!))
    }
    printFigure(
      `${pages} pages, ${valuesPerSecond} a second`,
      `${formatPercentiles(times)}, ${missingCount} not shown`,
    )
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
function createHost(floorId: string, hostIndex: number) {
  const location = { projectId, floorId, spaceId: floorId }
  const gateway = deviceRow(edgeProduct, `edge-${hostIndex}`, location)
  const children = Array.from({ length: lampsPerFloor }, (_, n) =>
    deviceRow(lampProduct, `lamp-${hostIndex}-${n}`, {
      ...location,
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
async function openHomePage(browser: Browser, origin: string, token: string, floorId: string) {
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
