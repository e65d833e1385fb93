import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { menuRecords } from '../../shared/src/screens/all.ts'
import { paths } from '../../shared/src/screens/paths.ts'
import { buildAll } from '../build.ts'
import { Site } from '../../server/src/site/releases.ts'
import { chromium as findChromium, chromiumFlags } from '../chromium.ts'
import { root } from '../root.ts'
import { serveConsole } from './tools/serveConsole.ts'
import { measurePackageShares } from './tools/packageShares.ts'
import { isSmall, pickSize } from './tools/size.ts'

/**
 * Every answer is delayed by this many milliseconds. Requests that depend on each other are this far apart, so the
 * time of a request tells its step in the chain.
 */
const ANSWER_DELAY_MS = pickSize(2500, 300)

/** The step is the position of the request in the dependency chain. */
type Request = { path: string; bytes: number; at: number; step: number }
type Visit = { kb: number; requests: Request[]; chain: number }
/** Packages smaller than this (kB) are summed up in one line. */
const MIN_PACKAGE_KB = 1

declare global {
  var firstSeen: number | undefined
}

/** The selector matches a lamp on a floor plan. */
const lampSelector = '[aria-label$=平面图] [role=button]'

/**
 * Selector of the first content of a screen: a row of its list, a day of the calendar, a setting, or the sentence of an
 * empty list.
 */
const rowSelector =
  '.ant-table-row, .ant-tree-node-content-wrapper, main button[data-off], .ant-descriptions-item, .ant-table-placeholder .ant-empty'
/**
 * These two screens may need a chain of up to 6 requests: one loads the calendars before a year, the other belongs to
 * the host and loads after its shell.
 */
const longChainScreens = ['节假日管理', '发布管理']
const listScreens = menuRecords.filter(({ type, path }) => type === 'page' && path !== paths.home())

/**
 * Measures the compressed bytes and the longest request chain from an empty cache to sign-in, home and the first row
 * of every list, next to the figures of docs/benchmarks.md. For screens whose name contains a given word it also
 * prints every request and the shares of packages.
 * @example pnpm bench weight · pnpm bench weight login 厂商
 */
export default async function weight(...words: string[]) {
  const screenNames = isSmall ? ['login form', '厂商管理'] : words
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const site = new Site(folder)
  for (const { dist } of await buildAll()) await site.publish(dist)
  const server = await serveConsole(folder)
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  try {
    const measure = async (path: string, selector: string, token?: string) => {
      server.delay(0)
      const fastVisit = await visit(browser, server.origin + path, selector, token)
      server.delay(ANSWER_DELAY_MS)
      // A screen may time out if every answer is that slow; its bytes are still measured.
      const delayedVisit = await visit(browser, server.origin + path, selector, token).catch(
        () => undefined,
      )
      const delayedRequests = delayedVisit?.requests ?? []
      const steps = new Map(
        delayedRequests.map(({ path, step }) => [path, step] as const).reverse(),
      )
      const requests = fastVisit.requests.map((request) => ({
        ...request,
        step: steps.get(request.path) ?? NaN,
      }))
      return { ...fastVisit, requests, chain: delayedVisit?.chain ?? NaN }
    }
    const token = await server.signIn()
    await server.fill(token)
    const figures = await readFile(join(root, 'docs/benchmarks.md'), 'utf8')
    const measureScreen = async (
      limits: Limits,
      path: string,
      selector: string,
      token?: string,
    ) => {
      const isRequested = screenNames.some((screenName) => limits.name.includes(screenName))
      if (screenNames.length > 0 && !isRequested) return
      const screenVisit = await measure(path, selector, token)
      printSummary(figures, limits, screenVisit)
      if (isRequested) await printDetails(folder, screenVisit)
    }
    await measureScreen(
      { name: 'login form', most: 200, longest: 3 },
      '/login',
      'input[type=password]',
    )
    await measureScreen(
      { name: 'first plan of home', most: 580, longest: 10 },
      '/home',
      lampSelector,
      token,
    )
    for (const { name, path } of listScreens) {
      const limits = { most: 480, longest: longChainScreens.includes(name) ? 6 : 4 }
      await measureScreen({ name: `first row of ${name}`, ...limits }, path, rowSelector, token)
    }
  } finally {
    await browser.close()
    await server.close()
    await rm(folder, { recursive: true })
  }
}

type Limits = { name: string; most: number; longest: number }

function printSummary(
  figures: string,
  { name, most: maxKb, longest: maxChain }: Limits,
  { kb, chain, requests }: Visit,
) {
  const recordedKb = Number(new RegExp(`^\\| ${name}[^|]*\\| (\\d+)`, 'm').exec(figures)?.[1])
  const change = kb - recordedKb
  const changeText = `; ${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(1)} since docs/benchmarks.md`
  console.log(
    `${name}: ${kb.toFixed(1)} kB (≤ ${maxKb}${Number.isNaN(recordedKb) ? '' : changeText}), chain ${chain} (≤ ${maxChain}), ${requests.length} requests`,
  )
}

async function printDetails(folder: string, { requests }: Visit) {
  for (const { path, bytes, at, step } of requests)
    printLine(bytes / 1000, `${Math.round(at * 1000)} ms  step ${step}  ${path}`)
  const shares = new Map<string, number>()
  for (const { path, bytes } of requests)
    for (const [packageName, partKb] of await measurePackageShares(folder, path, bytes))
      shares.set(packageName, (shares.get(packageName) ?? 0) + partKb)
  const rows = [...shares].sort(([, a], [, b]) => b - a)
  const smallPackages = rows.filter(([, part]) => part < MIN_PACKAGE_KB)
  console.log('  by package:')
  for (const [packageName, partKb] of rows)
    if (partKb >= MIN_PACKAGE_KB) printLine(partKb, packageName)
  printLine(
    smallPackages.reduce((sum, [, part]) => sum + part, 0),
    `${smallPackages.length} smaller ones`,
  )
}
const printLine = (kb: number, text: string) => console.log(`${kb.toFixed(1).padStart(8)}  ${text}`)

async function visit(
  browser: Browser,
  url: string,
  selector: string,
  token?: string,
): Promise<Visit> {
  const context = await browser.newContext()
  if (token)
    await context.addInitScript(
      (value) => localStorage.setItem('token', JSON.stringify(value)),
      token,
    )
  const page = await context.newPage()
  // The page itself records the time, because a check from outside would be later and count files fetched when idle.
  await page.addInitScript({
    content: `requestAnimationFrame(function look() {
      if (document.querySelector(${JSON.stringify(selector)})) globalThis.firstSeen = Date.now()
      else requestAnimationFrame(look)
    })`,
  })
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  type TrackedRequest = { url: string; bytes: number; at: number; asked: number; cached: boolean }
  const trackedRequests = new Map<string, TrackedRequest>()
  let start = 0
  cdp.on('Network.requestWillBeSent', ({ requestId, request, timestamp, wallTime }) => {
    start ||= timestamp
    if (request.url.startsWith('http'))
      trackedRequests.set(requestId, {
        url: new URL(request.url).pathname,
        bytes: 0,
        at: timestamp - start,
        asked: wallTime * 1000,
        cached: false,
      })
  })
  cdp.on('Network.requestServedFromCache', ({ requestId }) => trackedRequests.delete(requestId))
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    const tracked = trackedRequests.get(requestId)
    if (tracked) tracked.cached = Boolean(response.fromDiskCache || response.fromPrefetchCache)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const tracked = trackedRequests.get(requestId)
    if (tracked) tracked.bytes = encodedDataLength
  })
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(selector).first().waitFor({ timeout: 60_000 })
  const firstSeen = (await page.evaluate(() => globalThis.firstSeen))!
  const countedRequests = [...trackedRequests.values()].filter(
    (request) => !request.cached && request.bytes > 0 && request.asked <= firstSeen,
  )
  await context.close()
  const requests = countedRequests.map(({ url, bytes, at }) => ({
    path: url,
    bytes,
    at,
    step: Math.floor((at * 1000) / ANSWER_DELAY_MS) + 1,
  }))
  return {
    kb: requests.reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
    chain: Math.max(...requests.map(({ step }) => step)),
    requests,
  }
}
