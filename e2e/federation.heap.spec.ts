import { built, next } from './federation/builds'
import { openConsole, type Console } from './federation/console'
import { expect, go, keepToken, signedIn, test } from './fixtures'

let console_: Console
let token: string
test.describe.configure({ timeout: 900_000 })
test.beforeAll(async () => {
  ;({ token } = await signedIn())
  console_ = await openConsole()
})
test.afterAll(() => console_.close())

/** The test swaps this many builds; `EXCHANGES=50` runs a longer test before a release. */
const exchanges = Number(process.env.EXCHANGES ?? 20)

test(`${exchanges} exchanges: the heap stays bounded`, async ({ page }) => {
  const real = await built('system')
  await keepToken(page, token)
  await page.goto(`${console_.origin}/system/menu`)
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const cdp = await page.context().newCDPSession(page)
  const heap = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    return ((await cdp.send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize / 1e6
  }
  const before = await heap()
  const heaps: number[] = []
  for (let n = 1; n <= exchanges; n++) {
    await console_.site.publish(await next(real, n, '新建菜单'))
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    let patience = 250
    await expect(async () => {
      patience = Math.min(2 * patience, 8000)
      await go(page, '/404')
      await go(page, '/system/menu')
      await expect(page.getByText(`新建菜单·${n}`, { exact: true }).first()).toBeVisible({
        timeout: patience,
      })
    }).toPass({ intervals: [50] })
    if (n % 5 === 0) heaps.push(await heap())
  }
  console.log(
    `heap in MB: before ${before.toFixed(1)}, after each five exchanges ${heaps.map((one) => one.toFixed(1)).join(', ')}`,
  )
  expect(heaps.at(-1)! - heaps[0]!).toBeLessThan(20)
})
