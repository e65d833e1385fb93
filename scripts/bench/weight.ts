import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { buildAll } from '../build.ts'
import { Site } from '../../server/src/site/releases.ts'
import { chromium as findChromium, chromiumFlags } from '../chromium.ts'
import { serveConsole } from './serve.ts'

/** Every answer waits this long, so the moment of a request tells its place in the chain. */
const DELAY = 2500

type Visit = { kb: number; requests: string[]; chain: number }

const lists = [
  ['manufacturers', '/deviceAccess/config/manufacturer'],
  ['action log', '/system/log/actionLog'],
  ['users', '/enterprise/user'],
] as const

/** A lamp of a floor. */
const plan = '[aria-label$=平面图] [role=button]'

/** Compressed bytes and longest request chain from an empty cache to login, home and the first row of a list. */
export default async function weight() {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const site = new Site(folder)
  for (const { dist } of await buildAll()) await site.publish(dist)
  const server = await serveConsole(folder)
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  try {
    const measure = async (path: string, until: string, token?: string) => {
      server.delay(0)
      const quick = await visit(browser, server.origin + path, until, token)
      server.delay(DELAY)
      const { chain } = await visit(browser, server.origin + path, until, token)
      return { ...quick, chain }
    }
    const token = await server.signIn()
    await server.fill(token)
    print('login form', await measure('/login', 'input[type=password]'), 115, 3)
    print('first plan of home', await measure('/home', plan, token), 450, 10)
    for (const [name, path] of lists)
      print(`first row of ${name}`, await measure(path, '.ant-table-row', token), 400, 4)
  } finally {
    await browser.close()
    await rm(folder, { recursive: true })
  }
}

function print(name: string, { kb, chain, requests }: Visit, most: number, longest: number) {
  console.log(
    `${name}: ${kb.toFixed(1)} kB (≤ ${most}), chain ${chain} (≤ ${longest}), ${requests.length} requests`,
  )
  for (const line of requests) console.log(`  ${line}`)
}

async function visit(browser: Browser, url: string, until: string, token?: string): Promise<Visit> {
  const context = await browser.newContext()
  if (token)
    await context.addInitScript(
      (value) => localStorage.setItem('token', JSON.stringify(value)),
      token,
    )
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  const found = new Map<string, { url: string; bytes: number; at: number; cached: boolean }>()
  let start = 0
  cdp.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    start ||= timestamp
    if (request.url.startsWith('http'))
      found.set(requestId, {
        url: new URL(request.url).pathname,
        bytes: 0,
        at: timestamp - start,
        cached: false,
      })
  })
  cdp.on('Network.requestServedFromCache', ({ requestId }) => found.delete(requestId))
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    const one = found.get(requestId)
    if (one) one.cached = Boolean(response.fromDiskCache || response.fromPrefetchCache)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = found.get(requestId)
    if (one) one.bytes = encodedDataLength
  })
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(until).first().waitFor({ timeout: 60_000 })
  const seen = [...found.values()].filter((one) => !one.cached && one.bytes > 0)
  await context.close()
  return {
    kb: seen.reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
    chain: Math.max(...seen.map(({ at }) => Math.floor((at * 1000) / DELAY) + 1)),
    requests: seen.map(
      ({ url, bytes, at }) =>
        `${(bytes / 1000).toFixed(1).padStart(6)}  ${Math.round(at * 1000)} ms  ${url}`,
    ),
  }
}
