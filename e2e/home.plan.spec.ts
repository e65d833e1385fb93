import type { Page } from '@playwright/test'
import { expect, test, visit } from './fixtures'

// The lamps of the building are switched one test after another.
test.describe.configure({ mode: 'serial' })

const findLamp = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name}`) })
const findBar = (page: Page) => page.getByRole('toolbar', { name: '选中的灯' })
const findTip = (page: Page, name: string) => page.getByRole('group', { name: `${name}的状态` })

test('shows state, brightness and last command of the lamp under the mouse, and opens its details', async ({
  operator: page,
}) => {
  await visit(page, '/home')
  const name = 'A座1F-茶水间-01'
  const tip = findTip(page, name)
  // Content that loads later above the plan moves it away from the mouse, so the hover is repeated.
  await expect(async () => {
    await page.mouse.move(0, 0)
    await findLamp(page, name).hover({ timeout: 10_000 })
    await expect(tip).toContainText(/亮度 \d+%.*(自|最近上报|从未上报)/, { timeout: 10_000 })
  }).toPass()
  await expect(tip).toContainText(`${name} 开`)
  await expect(tip).toContainText(/：.*，|还没有命令/)
  await tip.getByRole('button', { name: /^详情/ }).click()
  await expect(page.getByRole('region', { name: `${name}的详情` })).toBeVisible()
  await expect(tip).toBeHidden()
  await page.keyboard.press('Escape')
})

test('selects a room and the floor by keys, and Space never scrolls the page', async ({
  operator: page,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await visit(page, '/home')
  const lamp = findLamp(page, 'A座1F-茶水间-01')
  await lamp.focus()
  await page.keyboard.press('r')
  await expect(findBar(page)).toContainText('已选 1 盏')
  await page.keyboard.press('Control+a')
  await expect(findBar(page)).toContainText(/已选 (2|3)\d 盏/)
  await page.getByRole('img', { name: /^A座1F-温湿度/ }).focus()
  const readScroll = () =>
    page.evaluate(() => [scrollY, document.querySelector('main')!.scrollTop].join())
  const scrollBefore = await readScroll()
  await page.keyboard.press('Space')
  // A scrolled page would move within the next frames.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
  expect(await readScroll()).toBe(scrollBefore)
  await page.keyboard.press('Escape')
  await expect(findBar(page)).toBeHidden()
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('selects lamps by a rectangle', async ({ operator: page }) => {
  await visit(page, '/home')
  await page.getByRole('button', { name: '选灯' }).click()
  await expect(page.getByRole('button', { name: '框选' })).toHaveAttribute('aria-pressed', 'true')
  const { x, y } = (await findLamp(page, 'A座1F-电梯厅-01').boundingBox())!
  await page.mouse.move(x - 10, y + 50)
  await page.mouse.down()
  await page.mouse.move(x + 44, y - 8, { steps: 4 })
  await page.mouse.up()
  await expect(findBar(page)).toContainText('已选 1 盏')
  await findBar(page).getByRole('button', { name: '取消选择' }).click()
  await page.getByTitle('结束选择').click()
})

test('dims the selected lamps on release, and sends nothing while the slider is dragged', async ({
  operator: page,
}) => {
  await visit(page, '/home')
  await page.getByRole('button', { name: /^大堂 \d/ }).click({ modifiers: ['Shift'] })
  const slider = findBar(page).getByRole('slider', { name: '选中的灯的亮度' })
  await expect(findBar(page)).toContainText(/亮度 8 盏/)
  const commands: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/control/task'))
      commands.push(request.postData() ?? '')
  })
  const before = await slider.getAttribute('aria-valuenow')
  const { x, y, width, height } = (await slider.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x - 30, y + height / 2, { steps: 8 })
  const chosenValue = await slider.getAttribute('aria-valuenow')
  expect(Number(chosenValue)).toBeLessThan(Number(before))
  await expect(findBar(page)).toContainText(`${chosenValue}%`)
  expect(commands).toEqual([])
  await page.mouse.up()
  await expect.poll(() => commands.length).toBe(1)
  expect(JSON.parse(commands[0]!)).toMatchObject({ values: { Brightness: Number(chosenValue) } })
  const message = page.locator('.ant-message-notice', { hasText: `亮度已调到 ${chosenValue}%` })
  await message.getByRole('button', { name: '恢复原状' }).click()
  await expect(slider).toHaveAttribute('aria-valuenow', before!)
})
