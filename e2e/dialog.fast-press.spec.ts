import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { draft, unique } from './lists'

// As most people have it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** Where the button is in the first frame that shows it. */
const firstSeen = (page: Page, button: string) =>
  page.evaluate(
    (selector) =>
      new Promise<{ x: number; y: number }>((found) => {
        const look = () => {
          const { x, y, width, height } =
            document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
          if (width) found({ x: x + width / 2, y: y + height / 2 })
          else requestAnimationFrame(look)
        }
        look()
      }),
    button,
  )

test('a press counts from the first moment of a dialog on', async ({ newcomer: page, api }) => {
  const code = unique('fast')
  for (const n of [1, 2, 3])
    await api.post('/v1/manufacturer', { data: draft({ code: `${code}-${n}` }) })
  await page.goto(`/deviceAccess/config/manufacturer?code=${code}`)
  for (const n of [1, 2, 3]) {
    const row = page.getByRole('row', { name: `${code}-${n}` })
    await row.getByRole('button', { name: /更多操作$/ }).click()
    await page.getByRole('menuitem', { name: '删除' }).last().click()
    const { x, y } = await firstSeen(page, '.ant-modal-confirm .ant-btn-dangerous')
    await page.mouse.move(x, y)
    // A finger rests on the button for so long.
    await page.mouse.down()
    await page.waitForTimeout(60)
    await page.mouse.up()
    await expect(row).toHaveCount(0)
  }
})
