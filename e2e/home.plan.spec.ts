import type { Page } from '@playwright/test'
import { expect, test, visit } from './fixtures'

// The lamps of the building are switched one test after another.
test.describe.configure({ mode: 'serial' })

const findLamp = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name}`) })
const findLampCard = (page: Page) => page.getByRole('region', { name: /的详情$/ })

test('shows a lamp by hover and in its card, the last day of a sensor, and the lamps of a count', async ({
  operator: page,
}) => {
  await visit(page, '/home')

  await test.step('state, brightness and last command of the lamp under the mouse, with a way to its details', async () => {
    const name = 'A座1F-茶水间-01'
    const tip = page.getByRole('group', { name: `${name}的状态` })
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
    await expect(findLampCard(page)).toBeHidden()
  })

  await test.step('the card shows and sets the properties', async () => {
    await findLamp(page, 'A座1F-接待室-01').click({ button: 'right' })
    const lampCard = findLampCard(page)
    await expect(lampCard).toContainText('科创大厦 A 座 1 层 接待室')
    await expect(lampCard).toContainText('额定 40 W')
    await expect(lampCard).toContainText('A座边缘网关 1（在线）')
    const brightness = lampCard.getByRole('slider', { name: '亮度' })
    await expect(brightness).toHaveAttribute('aria-valuenow', '80')
    await brightness.press('ArrowLeft')
    await expect(lampCard).toContainText('79%')
    await expect(lampCard).toContainText(/平台管理员：亮度调到 79% · A座1F-接待室-01，成功/)
    // Single commands appear in the list with the user who sent them.
    const recent = page.getByRole('article', { name: '亮度调到 79% · A座1F-接待室-01' })
    await expect(recent.first()).toContainText(/平台管理员.*成功/)
    await brightness.press('ArrowRight')
    await expect(lampCard).toContainText('80%')
    await lampCard.getByRole('button', { name: '闪灯定位' }).click()
    await expect(page.getByText('A座1F-接待室-01正在闪灯')).toBeVisible()
    await lampCard.press('Escape')
    await expect(lampCard).toBeHidden()
  })

  await test.step('the last day of a sensor', async () => {
    const curve = page.getByRole('tooltip').filter({ hasText: 'A座1F-温湿度' })
    // Content that loads later above the plan moves it away from the mouse, so the hover is repeated.
    await expect(async () => {
      await page.mouse.move(0, 0)
      await page.getByRole('img', { name: /^A座1F-温湿度/ }).hover({ timeout: 10_000 })
      await expect(curve).toContainText(/°C/, { timeout: 10_000 })
      await expect(curve).toContainText(/24 小时/, { timeout: 10_000 })
    }).toPass()
  })

  await test.step('a count filters the plan', async () => {
    const normalLamp = findLamp(page, 'A座1F-茶水间-01')
    const emergencyLamp = findLamp(page, 'A座1F-走廊-应急')
    const protectedCount = page.getByRole('button', { name: '受保护 1' })
    await protectedCount.click()
    await expect(protectedCount).toHaveAttribute('aria-pressed', 'true')
    await expect(normalLamp).toHaveCSS('opacity', '0.16')
    await expect(emergencyLamp).toHaveCSS('opacity', '1')
    await protectedCount.click()
    await expect(normalLamp).toHaveCSS('opacity', '1')
  })
})

test('selects lamps by Shift, lasso, rectangle and keys, and dims them when the slider is released', async ({
  operator: page,
}) => {
  await visit(page, '/home')
  const bar = page.getByRole('toolbar', { name: '选中的灯' })

  await test.step('Shift selects a lamp and a room', async () => {
    await findLamp(page, 'A座1F-茶水间-01').click({ modifiers: ['Shift'] })
    await expect(bar).toContainText('已选 1 盏')
    await page.getByRole('button', { name: /^大堂 \d/ }).click({ modifiers: ['Shift'] })
    await expect(bar).toContainText('已选 9 盏')
    await bar.getByRole('button', { name: '取消选择' }).click()
    await expect(bar).toBeHidden()
  })

  await test.step('a lasso selects, and the actions are on the plan', async () => {
    // The rectangle surrounds the lamp of the lift lobby.
    const { x, y } = (await findLamp(page, 'A座1F-电梯厅-01').boundingBox())!
    await page.keyboard.down('Shift')
    await page.mouse.move(x - 10, y + 50)
    await page.mouse.down()
    for (const [dx, dy] of [
      [-10, -8],
      [44, -8],
      [44, 50],
    ] as const)
      await page.mouse.move(x + dx, y + dy, { steps: 4 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    await expect(bar).toContainText('已选 1 盏')
    await bar.getByRole('button', { name: '关', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('将关闭 1 盏')
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    await bar.getByRole('button', { name: '取消选择' }).click()
  })

  await test.step('a rectangle selects', async () => {
    await page.getByRole('button', { name: '选灯' }).click()
    await expect(page.getByRole('button', { name: '框选' })).toHaveAttribute('aria-pressed', 'true')
    const { x, y } = (await findLamp(page, 'A座1F-电梯厅-01').boundingBox())!
    await page.mouse.move(x - 10, y + 50)
    await page.mouse.down()
    await page.mouse.move(x + 44, y - 8, { steps: 4 })
    await page.mouse.up()
    await expect(bar).toContainText('已选 1 盏')
    await bar.getByRole('button', { name: '取消选择' }).click()
    await page.getByTitle('结束选择').click()
  })

  await test.step('the slider sends nothing while it is dragged', async () => {
    await page.getByRole('button', { name: /^大堂 \d/ }).click({ modifiers: ['Shift'] })
    const slider = bar.getByRole('slider', { name: '选中的灯的亮度' })
    await expect(bar).toContainText(/亮度 8 盏/)
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
    await expect(bar).toContainText(`${chosenValue}%`)
    expect(commands).toEqual([])
    await page.mouse.up()
    await expect.poll(() => commands.length).toBe(1)
    expect(JSON.parse(commands[0]!)).toMatchObject({ values: { Brightness: Number(chosenValue) } })
    const message = page.locator('.ant-message-notice', { hasText: `亮度已调到 ${chosenValue}%` })
    await message.getByRole('button', { name: '恢复原状' }).click()
    await expect(slider).toHaveAttribute('aria-valuenow', before!)
    await bar.getByRole('button', { name: '取消选择' }).click()
  })

  await test.step('the plan is one tab stop', async () => {
    const plan = page.getByRole('group', { name: /平面图$/ })
    await expect(findLamp(page, 'A座1F-茶水间-01')).toBeVisible()
    await expect(plan.locator('[tabindex="0"]')).toHaveCount(1)
    await plan.locator('[tabindex="0"]').focus()
    const firstLabel = await plan.locator(':focus').getAttribute('aria-label')
    await page.keyboard.press('ArrowRight')
    await expect(plan.locator(':focus')).not.toHaveAttribute('aria-label', firstLabel!)
    await expect(plan.locator('[tabindex="0"]')).toHaveCount(1)
    await page.keyboard.press('Tab')
    await expect(plan.locator(':focus')).toHaveCount(0)
    await page.keyboard.press('Shift+Tab')
    await expect(plan.locator(':focus')).toHaveCount(1)
  })

  await test.step('keys select a room and the floor, Esc clears, and Space never scrolls the page', async () => {
    await page.setViewportSize({ width: 1280, height: 500 })
    const lamp = findLamp(page, 'A座1F-茶水间-01')
    await lamp.focus()
    await page.keyboard.press('r')
    await expect(bar).toContainText('已选 1 盏')
    await page.keyboard.press('Control+a')
    await expect(bar).toContainText(/已选 (2|3)\d 盏/)
    await page.getByRole('img', { name: /^A座1F-温湿度/ }).focus()
    const readScroll = () =>
      page.evaluate(() => [scrollY, document.querySelector('main')!.scrollTop].join())
    const scrollBefore = await readScroll()
    await page.keyboard.press('Space')
    // A scrolled page would move within the next frames.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    expect(await readScroll()).toBe(scrollBefore)
    await page.keyboard.press('Escape')
    await expect(bar).toBeHidden()
    await page.setViewportSize({ width: 1280, height: 800 })
  })
})
