import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { connectEdge, type EdgeClient } from 'server/src/device-access/edgeClient'
import { deviceRow } from 'server/src/device-access/testing'
import { testPostgres } from 'server/src/core/db/postgres/testing'
import { listen } from 'server/src/listen'
import { space } from 'server/src/tables/space'
import { uuidv7 } from 'uuidv7'
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
import { of95, print } from './devices/figures'
import { password, signIn } from './signIn'

const projectId = 1
const perHost = 500
const perRoom = 25
const perSecond = 500
const size = { width: 1280, height: 800 }

/**
 * Opens the home screen of a separate platform with many lamps on one floor, 500 of which change per second over real
 * sockets. It measures the time from the answer to the first picture, and frame times while zooming and moving.
 * @example pnpm bench plan 10000
 */
export default async function plan(count = '10000') {
  const folder = mkdtempSync(join(tmpdir(), 'bench-plan-'))
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
  const [floorId] = (await insertFloors(db, projectId, 1)) as [string]
  const hosts = hostsOn(floorId, Number(count))
  await db.insert(space).values(hosts.rooms)
  await insertAll(
    db,
    hosts.list.flatMap(({ gateway, children }) => [gateway, ...children]),
  )
  const url = `mqtt://127.0.0.1:${mqttPort}`
  const edges: EdgeClient[] = []
  for (const host of hosts.list)
    edges.push(await connectEdge({ url, ...host, keepalive: 600, onSet: () => {} }))

  let turn = 0
  const timer = setInterval(() => {
    for (let n = 0; n < perSecond / 20; n++) {
      const at = (turn++ * 7919) % Number(count)
      const child = hosts.list[Math.floor(at / perHost)]!.children[at % perHost]!
      edges[Math.floor(at / perHost)]!.post(child, { PowerSwitch: turn % 2 })
    }
  }, 50)
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  try {
    const page = await (await browser.newContext({ viewport: size, bypassCSP: true })).newPage()
    const origin = `http://127.0.0.1:${port}`
    await prepare(page, await signIn(origin))
    await page.goto(`${origin}/home?scope=${floorId}`)
    await page.waitForFunction('globalThis.firstPainted', undefined, { timeout: 120_000 })
    const first = (await page.evaluate(`firstPainted - performance.getEntriesByType('resource')
      .findLast(({ name }) => name.includes('/device/map/info')).responseEnd`)) as number
    print('answer to first picture', `${first.toFixed(0)} ms`)
    await page.waitForTimeout(3000)
    for (const [what, act] of Object.entries({ resting, zooming, moving }))
      print(`a frame while ${what}`, of95(await framesOf(page, () => act(page))))
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
function hostsOn(floorId: string, count: number) {
  const across = Math.ceil(Math.sqrt((count * 5) / 3))
  const inRow = Math.ceil(across / 5)
  const at = { projectId, floorId }
  const rooms = new Map<number, string>()
  const list = Array.from({ length: Math.ceil(count / perHost) }, (_, host) => {
    const gateway = deviceRow(edgeProduct, `edge-${host}`, { ...at, spaceId: floorId })
    const children = Array.from({ length: Math.min(perHost, count - host * perHost) }, (_, m) => {
      const n = host * perHost + m
      const [column, row] = [n % across, Math.floor(n / across)]
      const room = Math.floor(row / (perRoom / 5)) * inRow + Math.floor(column / 5)
      if (!rooms.has(room)) rooms.set(room, uuidv7())
      const place = { x: (column + 0.5) / across, y: (row + 0.5) / Math.ceil(count / across) }
      const more = { name: `灯 ${n + 1}`, reported: { PowerSwitch: n % 3 ? 1 : 0 } }
      return deviceRow(lampProduct, `lamp-${n}`, {
        ...at,
        ...place,
        ...more,
        spaceId: rooms.get(room)!,
        gatewayId: gateway.id,
      })
    })
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
async function prepare(page: Page, token: string) {
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

async function framesOf(page: Page, act: () => Promise<void>) {
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
  await act()
  return (await page.evaluate('isOver = true, frames.slice(1)')) as number[]
}

const planOf = (page: Page) => page.getByRole('group', { name: /平面图$/ })
async function middleOf(page: Page) {
  const { x, y, width, height } = (await planOf(page).boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}
const resting = (page: Page) => page.waitForTimeout(5000)
async function zooming(page: Page) {
  const { x, y } = await middleOf(page)
  await page.mouse.move(x, y)
  await page.keyboard.down('Control')
  for (const way of [-1, 1, -1])
    for (let n = 0; n < 60; n++) {
      await page.mouse.wheel(0, way * 3)
      await page.waitForTimeout(16)
    }
  await page.keyboard.up('Control')
}
async function moving(page: Page) {
  const { x, y } = await middleOf(page)
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let n = 0; n < 200; n++) {
    await page.mouse.move(x + Math.sin(n / 20) * 200, y + Math.cos(n / 15) * 120)
    await page.waitForTimeout(16)
  }
  await page.mouse.up()
}
