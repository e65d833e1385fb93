import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { connectEdge, type EdgeClient } from 'server/src/device-access/protocol/edgeClient'
import { deviceRow } from 'server/src/device-access/testing'
import { startTestPostgres } from 'server/src/core/db/postgres/testing'
import { listen } from 'server/src/listen'
import { space } from 'server/src/tables/space'
import { uuidv7 } from 'uuidv7'
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
import { formatPercentiles, printFigure } from './devices/figures'
import { password, signIn } from './tools/signIn'
import { pickSize } from './tools/size'

const projectId = 1
const lampsPerGateway = 500
const lampsPerRoom = 25
const valuesPerSecond = 500
const settleMs = pickSize(3000, 300)
const restMs = pickSize(5000, 300)
const zoomSteps = pickSize(60, 5)
const moveSteps = pickSize(200, 10)
const size = { width: 1280, height: 800 }

/**
 * Opens the home screen of a separate platform with many lamps on one floor, 500 of which change per second over real
 * sockets. It measures the time from the answer to the first picture, and frame times while zooming and moving.
 * @example pnpm bench plan 10000
 */
export default async function plan(count = pickSize('10000', '320')) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-plan-'))
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
  const [floorId] = (await insertFloors(db, projectId, 1)) as [string]
  const hosts = createHosts(floorId, Number(count))
  await db.insert(space).values(hosts.rooms)
  await insertDeviceRows(
    db,
    hosts.list.flatMap(({ gateway, children }) => [gateway, ...children]),
  )
  const url = `mqtt://127.0.0.1:${mqttPort}`
  const edges: EdgeClient[] = []
  for (const host of hosts.list)
    edges.push(await connectEdge({ url, ...host, keepalive: 600, onSet: () => {} }))

  let reportIndex = 0
  const timer = setInterval(() => {
    for (let n = 0; n < valuesPerSecond / 20; n++) {
      const lampIndex = (reportIndex++ * 7919) % Number(count)
      const child =
        hosts.list[Math.floor(lampIndex / lampsPerGateway)]!.children[lampIndex % lampsPerGateway]!
      edges[Math.floor(lampIndex / lampsPerGateway)]!.post(child, { PowerSwitch: reportIndex % 2 })
    }
  }, 50)
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  try {
    const page = await (await browser.newContext({ viewport: size, bypassCSP: true })).newPage()
    const origin = `http://127.0.0.1:${port}`
    await recordFirstPaint(page, await signIn(origin))
    await page.goto(`${origin}/home?scope=${floorId}`)
    await page.waitForFunction('globalThis.firstPainted', undefined, { timeout: 120_000 })
    const firstPictureMs =
      (await page.evaluate(`firstPainted - performance.getEntriesByType('resource')
      .findLast(({ name }) => name.includes('/device/map/info')).responseEnd`)) as number
    printFigure('answer to first picture', `${firstPictureMs.toFixed(0)} ms`)
    await page.waitForTimeout(settleMs)
    for (const [phase, runPhase] of Object.entries({
      resting: restingFrames,
      zooming: zoomFrames,
      moving: movingFrames,
    }))
      printFigure(
        `a frame while ${phase}`,
        formatPercentiles(await measureFrames(page, () => runPhase(page))),
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

/** Lays out a floor in adjacent rooms of 25 lamps, behind gateways of 500. */
function createHosts(floorId: string, count: number) {
  const lampsPerRow = Math.ceil(Math.sqrt((count * 5) / 3))
  const roomsPerRow = Math.ceil(lampsPerRow / 5)
  const location = { projectId, floorId }
  const rooms = new Map<number, string>()
  const list = Array.from({ length: Math.ceil(count / lampsPerGateway) }, (_, host) => {
    const gateway = deviceRow(edgeProduct, `edge-${host}`, { ...location, spaceId: floorId })
    const children = Array.from(
      { length: Math.min(lampsPerGateway, count - host * lampsPerGateway) },
      (_, m) => {
        const n = host * lampsPerGateway + m
        const [column, row] = [n % lampsPerRow, Math.floor(n / lampsPerRow)]
        const room = Math.floor(row / (lampsPerRoom / 5)) * roomsPerRow + Math.floor(column / 5)
        if (!rooms.has(room)) rooms.set(room, uuidv7())
        const position = {
          x: (column + 0.5) / lampsPerRow,
          y: (row + 0.5) / Math.ceil(count / lampsPerRow),
        }
        const details = { name: `灯 ${n + 1}`, reported: { PowerSwitch: n % 3 ? 1 : 0 } }
        return deviceRow(lampProduct, `lamp-${n}`, {
          ...location,
          ...position,
          ...details,
          spaceId: rooms.get(room)!,
          gatewayId: gateway.id,
        })
      },
    )
    return { gateway, children }
  })
  return {
    list,
    rooms: [...rooms].map(([n, id]) => ({
      id,
      projectId,
      parentId: floorId,
      type: 'room' as const,
      name: `${n + 1} 室`,
      sort: n,
    })),
  }
}

/** Records the time at which the first lamp is drawn. */
async function recordFirstPaint(page: Page, token: string) {
  await page.addInitScript(`
    localStorage.setItem('token', ${JSON.stringify(JSON.stringify(token))})
    for (const name of ['drawImage', 'fillText']) {
      const draw = CanvasRenderingContext2D.prototype[name]
      CanvasRenderingContext2D.prototype[name] = function (...of) {
        globalThis.firstPainted ??= performance.now()
        return draw.apply(this, of)
      }
    }`)
}

async function measureFrames(page: Page, runPhase: () => Promise<void>) {
  await page.evaluate(`
    globalThis.frames = []
    globalThis.isOver = false
    let before = performance.now()
    const next = (now) => {
      frames.push(now - before)
      before = now
      if (!isOver) requestAnimationFrame(next)
    }
    requestAnimationFrame(next)`)
  await runPhase()
  return (await page.evaluate('isOver = true, frames.slice(1)')) as number[]
}

const getPlan = (page: Page) => page.getByRole('group', { name: /平面图$/ })
async function getPlanCentre(page: Page) {
  const { x, y, width, height } = (await getPlan(page).boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}
const restingFrames = (page: Page) => page.waitForTimeout(restMs)
async function zoomFrames(page: Page) {
  const { x, y } = await getPlanCentre(page)
  await page.mouse.move(x, y)
  await page.keyboard.down('Control')
  for (const direction of [-1, 1, -1])
    for (let n = 0; n < zoomSteps; n++) {
      await page.mouse.wheel(0, direction * 3)
      await page.waitForTimeout(16)
    }
  await page.keyboard.up('Control')
}
async function movingFrames(page: Page) {
  const { x, y } = await getPlanCentre(page)
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let n = 0; n < moveSteps; n++) {
    await page.mouse.move(x + Math.sin(n / 20) * 200, y + Math.cos(n / 15) * 120)
    await page.waitForTimeout(16)
  }
  await page.mouse.up()
}
