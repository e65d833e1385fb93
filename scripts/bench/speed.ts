import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { buildAll } from '../build.ts'
import { Site } from '../../server/src/site/releases.ts'
import { chromium as findChromium, chromiumFlags } from '../chromium.ts'
import { serveBaselinePage } from './floor/build.ts'
import { serveConsole } from './tools/serveConsole.ts'
import { password } from './tools/signIn.ts'
import { pickSize } from './tools/size.ts'

const rounds = pickSize(5, 1)
/** A user looks at the page for this many milliseconds before the next click. */
const viewPauseMs = pickSize(1500, 100)
/** A user hovers over a link for this many milliseconds before clicking it. */
const hoverMs = 150

type Times = Record<'submit → first row' | 'first switch' | 'later switch' | 'warm list', number>
type MeasuredPage = { name: string; login: string; list: string; open?: string }

const consolePage: MeasuredPage = {
  name: 'console',
  login: '/login?from=/deviceAccess/config/manufacturer',
  list: '/deviceAccess/config/manufacturer',
  open: '日志',
}
const baselinePage: MeasuredPage = {
  name: 'floor',
  login: '/',
  list: '/',
}

/**
 * Compares the console with a page of one bundle that has the same form, tables and data (`baselinePage`), in real Chromium
 * on this machine. It prints medians of alternating rounds and the bytes each list transfers when it is reopened. The
 * time of the password hash is subtracted.
 */
export default async function speed() {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const site = new Site(folder)
  for (const { dist } of await buildAll()) await site.publish(dist)
  const server = await serveConsole(folder)
  const baseline = await serveBaselinePage(join(folder, 'baseline'), server.apiOrigin)
  await server.fill(await server.signIn())
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  const times = new Map<string, Times[]>([consolePage, baselinePage].map(({ name }) => [name, []]))
  const transferredKb: Record<string, number> = {}
  try {
    // The first round of each warms up the server and is not counted.
    for (let round = 0; round <= rounds; round++)
      for (const measuredPage of round % 2
        ? [consolePage, baselinePage]
        : [baselinePage, consolePage]) {
        const { origin } = measuredPage === consolePage ? server : baseline
        const { kb, ...visitTimes } = await visit(browser, origin, measuredPage)
        if (round > 0) times.get(measuredPage.name)!.push(visitTimes)
        transferredKb[measuredPage.name] = kb
      }
  } finally {
    await browser.close()
    await baseline.close()
    await server.close()
    await rm(folder, { recursive: true })
  }
  console.log(`${''.padEnd(22)}${'console'.padStart(9)}${'floor'.padStart(9)}   ratio`)
  for (const metric of Object.keys(times.get('floor')![0]!) as (keyof Times)[]) {
    const [consoleMs, baselineMs] = [consolePage, baselinePage].map(({ name }) =>
      median(times.get(name)!.map((item) => item[metric])),
    )
    console.log(
      `${metric.padEnd(22)}${formatMs(consoleMs!)}${formatMs(baselineMs!)}${(consoleMs! / baselineMs!).toFixed(2).padStart(8)}`,
    )
  }
  console.log(
    `a warm list moves ${transferredKb.console!.toFixed(1)} kB, that of the floor ${transferredKb.floor!.toFixed(1)} kB`,
  )
}

const formatMs = (time: number) => `${time.toFixed(0)} ms`.padStart(9)
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!

async function visit(
  browser: Browser,
  origin: string,
  { login, list, open: menuGroup }: MeasuredPage,
) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  try {
    await page.goto(origin + login)
    await page.locator('input[type=password]').waitFor()
    await page.getByLabel('账号').pressSequentially('admin', { delay: 60 })
    await page.getByLabel('密码').first().pressSequentially(password, { delay: 60 })
    await page.waitForTimeout(viewPauseMs)
    const signInMs = await measureUntilText(page, 'button[type=submit]', '明光照明')
    const passwordHashMs = await page.evaluate(() => {
      const calls = performance.getEntriesByType('resource')
      return calls.find(({ name }) => name.endsWith('/v1/auth/login'))!.duration
    })
    await page.waitForTimeout(viewPauseMs)
    const menu = page.getByRole('menu').first()
    if (menuGroup) {
      await menu.getByText('系统管理', { exact: true }).click()
      await menu.getByText(menuGroup, { exact: true }).click()
      await page.waitForTimeout(viewPauseMs)
    }
    const openList = async (label: string, row: string) => {
      const link = menu
        .getByRole('link', { name: label, exact: true })
        .or(menu.locator(`a:text-is("${label}")`))
      await link.first().evaluate((element) => element.setAttribute('data-next', ''))
      // A user hovers over a link before clicking it, which starts the preload.
      await link.first().hover()
      await page.waitForTimeout(hoverMs)
      const elapsedMs = await measureUntilText(page, '[data-next]', row)
      await link.first().evaluate((element) => element.removeAttribute('data-next'))
      await page.waitForTimeout(viewPauseMs / 3)
      return elapsedMs
    }
    const firstSwitch = await openList('操作日志', '新建厂商')
    const laterSwitches: number[] = []
    for (let time = 0; time < 3; time++)
      laterSwitches.push(
        await openList('厂商管理', '明光照明'),
        await openList('操作日志', '新建厂商'),
      )

    const { kb, time } = await reopen(page, origin + list)
    return {
      'submit → first row': signInMs - passwordHashMs,
      'first switch': firstSwitch,
      'later switch': median(laterSwitches),
      'warm list': time,
      kb,
    }
  } finally {
    await context.close()
  }
}

/** Measures the time from a click, as the page sees it, to the frame that shows a row with this text. */
const measureUntilText = (page: Page, selector: string, text: string) =>
  page.evaluate(
    async ([selector, text]) => {
      const start = performance.now()
      document.querySelector<HTMLElement>(selector!)!.click()
      do await new Promise(requestAnimationFrame)
      while (
        ![...document.querySelectorAll('.ant-table-row')].some((row) =>
          row.textContent.includes(text!),
        )
      )
      return performance.now() - start
    },
    [selector, text],
  )

/** Reloads the same list in the same browser and measures the transferred bytes and the time to its first row. */
async function reopen(page: Page, url: string) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  const cachedIds = new Set<string>()
  let bytes = 0
  cdp.on('Network.requestServedFromCache', ({ requestId }) => cachedIds.add(requestId))
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromPrefetchCache) cachedIds.add(requestId)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!cachedIds.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('.ant-table-row').first().waitFor()
  const time = await page.evaluate(() => performance.now())
  await page.waitForTimeout(viewPauseMs)
  await cdp.detach()
  return { kb: bytes / 1000, time }
}
