import type { Locator } from '@playwright/test'
import { expect, test, visit } from './fixtures'
import { createManufacturerDraft, createUniqueName } from './listHelpers'

const listPath = '/deviceAccess/config/manufacturer'

test('moves the keyboard focus into the lazily loaded region picker', async ({
  newcomer: page,
}) => {
  await page.goto(listPath)
  const box = page.getByRole('textbox', { name: '所在地区' })
  const { width } = (await box.locator('..').boundingBox())!
  await page.getByPlaceholder('厂商编码').focus()
  await page.keyboard.press('Tab')
  const picker = page.getByRole('combobox', { name: '所在地区' })
  await expect(picker).toBeFocused()
  expect((await page.locator('.ant-cascader').boundingBox())!.width).toBe(width)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: '状态' })).toBeFocused()
})

test('opens a picker that was clicked before its code had loaded', async ({ newcomer: page }) => {
  await page.goto('/system/log/actionLog')
  await page.getByRole('textbox', { name: '时间范围' }).evaluate((box: HTMLElement) => {
    box.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    box.focus()
  })
  await expect(page.getByPlaceholder('开始日期')).toBeFocused()
  await expect(page.getByText('近 7 天')).toBeVisible()
})

test('opens a link with parameters unknown to the list', async ({ operator: page, api }) => {
  const row = createManufacturerDraft()
  await api.post('/v1/manufacturer', { data: row })
  await visit(page, `${listPath}?code=${row.code}&utm_source=mail`)
  await expect(page.getByRole('row', { name: new RegExp(row.name) })).toBeVisible()
  await expect(page).toHaveURL(`${listPath}?code=${row.code}`)
})

test('shows eight rows on a small screen, and a new page from its first row', async ({
  operator: page,
  api,
}) => {
  const code = createUniqueName('page')
  for (let n = 0; n < 21; n++)
    await api.post('/v1/manufacturer', { data: createManufacturerDraft({ code: `${code}-${n}` }) })
  await page.setViewportSize({ width: 1280, height: 720 })
  await visit(page, `${listPath}?code=${code}`)
  await expect(page.getByRole('row', { name: new RegExp(code) })).toHaveCount(20)
  const { y } = (await page.getByText('共 21 条').boundingBox())!
  const eighth = (await page
    .getByRole('row', { name: new RegExp(code) })
    .nth(7)
    .boundingBox())!
  expect(eighth.y + eighth.height).toBeLessThan(y)
  await page.getByTitle('2', { exact: true }).click()
  await expect(page.getByText('共 21 条')).toBeVisible()
  await page.getByTitle('1', { exact: true }).click()
  await expect(page.getByRole('row')).toHaveCount(21)
  await expect.poll(() => page.getByRole('main').evaluate((main) => main.scrollTop)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('collapses filters into one line, beside the buttons where there is space', async ({
  operator: page,
}) => {
  await visit(page, '/deviceAccess/device')
  const getMiddleY = async (control: Locator) => {
    const { y, height } = (await control.boundingBox())!
    return Math.round(y + height / 2)
  }
  const name = page.getByRole('textbox', { name: '设备名称或 DeviceName' })
  const moreButton = page.getByRole('button', { name: '更多', exact: true })
  const create = page.getByRole('button', { name: '登记设备' })
  await expect(create).toBeVisible()
  await page.setViewportSize({ width: 853, height: 533 })
  await expect(moreButton).toBeVisible()
  expect(await getMiddleY(moreButton)).toBe(await getMiddleY(name))
  expect(await getMiddleY(create)).toBe(await getMiddleY(name))
  await page.setViewportSize({ width: 390, height: 800 })
  await expect(page.getByRole('combobox', { name: '产品' })).toHaveCount(0)
  expect(await getMiddleY(moreButton)).toBe(await getMiddleY(name))
  await page.setViewportSize({ width: 1280, height: 800 })
})
