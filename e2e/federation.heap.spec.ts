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
const swapCount = Number(process.env.EXCHANGES ?? 12)

test(`keeps the heap bounded over ${swapCount} swaps`, async ({ page }) => {
  const systemBuild = await getBuild('system')
  await storeToken(page, token)
  await page.goto(`${testConsole.origin}/system/menu`)
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const cdp = await page.context().newCDPSession(page)
  const measureHeapMb = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    return ((await cdp.send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize / 1e6
  }
  const heapBeforeMb = await measureHeapMb()
  const heapSamplesMb: number[] = []
  for (let n = 1; n <= swapCount; n++) {
    await testConsole.site.publish(await createNextBuild(systemBuild, n, '新建菜单'))
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
    if (n % 4 === 0) heapSamplesMb.push(await measureHeapMb())
  }
  console.log(
    `heap in MB: before ${heapBeforeMb.toFixed(1)}, after each four exchanges ${heapSamplesMb.map((item) => item.toFixed(1)).join(', ')}`,
  )
  expect(heapSamplesMb.at(-1)! - heapSamplesMb[0]!).toBeLessThan(20)
})
