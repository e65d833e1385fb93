import { basename } from 'node:path'
import type { Page } from '@playwright/test'
import { getBuild, createNextBuild } from './federation/builds'
import { openConsole, type TestConsole } from './federation/console'
import { expect, navigateTo, storeToken, signInByApi, test } from './fixtures'

let testConsole: TestConsole
let token: string
test.describe.configure({ timeout: 900_000 })
test.beforeAll(async () => {
  ;({ token } = await signInByApi())
  testConsole = await openConsole()
})
test.afterAll(() => testConsole.close())

/** The test swaps this many builds; `EXCHANGES=50` runs a longer test before a release. */
const swapCount = Number(process.env.EXCHANGES ?? 4)

type ObservedWindow = typeof globalThis & { observedBuilds: WeakRef<object>[] }

/** Observes whether the build that runs now is freed later: its chunks are in a variable with its name. */
const observeBuild = (page: Page, build: string) =>
  page.evaluate((name) => {
    const observed = globalThis as ObservedWindow
    observed.observedBuilds ??= []
    const chunks = (globalThis as Record<string, unknown>)[`webpackChunksystem_${name}`]
    observed.observedBuilds.push(new WeakRef(chunks as object))
  }, build)

test(`frees each build, and keeps the heap bounded over ${swapCount} swaps`, async ({ page }) => {
  const systemBuild = await getBuild('system')
  await storeToken(page, token)
  await page.goto(`${testConsole.origin}/system/menu`)
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const cdp = await page.context().newCDPSession(page)
  const measureHeapMb = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    return ((await cdp.send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize / 1e6
  }
  const countBuildsInMemory = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    return page.evaluate(
      () => (globalThis as ObservedWindow).observedBuilds.filter((build) => build.deref()).length,
    )
  }
  const heapBeforeMb = await measureHeapMb()
  await observeBuild(page, basename(systemBuild))
  const heapSamplesMb: number[] = []
  for (let n = 1; n <= swapCount; n++) {
    const nextBuild = await createNextBuild(systemBuild, n, '新建菜单')
    await testConsole.site.publish(nextBuild)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    let timeoutMs = 250
    await expect(async () => {
      timeoutMs = Math.min(2 * timeoutMs, 8000)
      await navigateTo(page, '/404')
      await navigateTo(page, '/system/menu')
      await expect(page.getByText(`新建菜单·${n}`, { exact: true }).first()).toBeVisible({
        timeout: timeoutMs,
      })
    }).toPass({ intervals: [50] })
    await observeBuild(page, basename(nextBuild))
    if (n % 2 === 0) heapSamplesMb.push(await measureHeapMb())
  }
  console.log(
    `heap in MB: before ${heapBeforeMb.toFixed(1)}, after each two exchanges ${heapSamplesMb.map((item) => item.toFixed(1)).join(', ')}`,
  )
  // Only the build that runs is in use.
  await expect.poll(countBuildsInMemory).toBe(1)
  expect(heapSamplesMb.at(-1)! - heapSamplesMb[0]!).toBeLessThan(20)
})
