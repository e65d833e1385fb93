import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { createManufacturerDraft, createUniqueName } from './listHelpers'

// Animations are on, as most users have them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** Returns the position of the button in the first frame that shows it. */
const waitForButtonPosition = (page: Page, button: string) =>
  page.evaluate(
    (selector) =>
      new Promise<{ x: number; y: number }>((resolve) => {
        const checkFrame = () => {
          const { x, y, width, height } =
            document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
          if (width) resolve({ x: x + width / 2, y: y + height / 2 })
          else requestAnimationFrame(checkFrame)
        }
        checkFrame()
      }),
    button,
  )

test('answers a dialog from its first moment, and opens it once by a held Enter or a double click', async ({
  newcomer: page,
  api,
}) => {
  const code = createUniqueName('fast')
  for (const n of [1, 2, 3, 4, 5])
    await api.post('/v1/manufacturer', { data: createManufacturerDraft({ code: `${code}-${n}` }) })
  await page.goto(`/deviceAccess/config/manufacturer?code=${code}`)
  const findRow = (n: number) => page.getByRole('row', { name: `${code}-${n}` })
  const openMenu = (n: number) =>
    findRow(n)
      .getByRole('button', { name: /更多操作$/ })
      .click()
  const remove = page.getByRole('menuitem', { name: '删除' }).last()
  const confirmButton = page.getByRole('dialog').getByRole('button', { name: /删\s?除/ })

  for (const n of [1, 2, 3])
    await test.step(`the first moment of dialog ${n}`, async () => {
      await openMenu(n)
      await remove.click()
      const { x, y } = await waitForButtonPosition(page, '.ant-modal-confirm .ant-btn-dangerous')
      await page.mouse.move(x, y)
      // A real press lasts about this long.
      await page.mouse.down()
      await page.waitForTimeout(60)
      await page.mouse.up()
      await expect(findRow(n)).toHaveCount(0)
    })

  await test.step('a held Enter in the menu opens it, the next Enter answers it', async () => {
    await openMenu(4)
    await remove.focus()
    await page.keyboard.down('Enter')
    await expect(confirmButton).toBeFocused()
    // A second keydown without keyup is the repeat of a held key.
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await expect(confirmButton).toBeVisible()
    await expect(confirmButton).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(findRow(4)).toHaveCount(0)
  })

  await test.step('a double click opens it once', async () => {
    await page.getByRole('checkbox', { name: /^选择“/ }).check()
    await page
      .getByRole('toolbar', { name: '批量操作' })
      .getByRole('button', { name: /删\s?除/ })
      .dblclick()
    await confirmButton.click()
    await expect(page.getByText('没有符合条件的记录')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
