import type { Page } from '@playwright/test'
import { expect, test, visit } from './fixtures'

const getPlan = (page: Page) => page.getByRole('group', { name: /平面图$/ })
const getLamp = (page: Page) => page.getByRole('button', { name: /^A座1F-茶水间-01/ })
const getLampBox = async (page: Page) => (await getLamp(page).boundingBox())!
const getCentre = ({ x, y, width, height }: Awaited<ReturnType<typeof getLampBox>>) => ({
  x: x + width / 2,
  y: y + height / 2,
})
/** Waits until two looks some frames apart find the same position. */
async function waitUntilStill<Value>(measure: () => Promise<Value>) {
  let current = await measure()
  await expect(async () => {
    const previous = current
    await new Promise((resolve) => setTimeout(resolve, 100))
    current = await measure()
    expect<unknown>(current).toEqual(previous)
  }).toPass()
  return current
}
/** Opens the plan and returns the first size of a lamp, a function for the current scale, and the commands sent. */
async function openPlan(page: Page) {
  const commands: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/control/task'))
      commands.push(request.postData() ?? '')
  })
  await visit(page, '/home')
  await expect(getLamp(page)).toBeVisible()
  // Content that loads later above the plan moves it.
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('list', { name: '场景' }).getByRole('listitem')).not.toHaveCount(0)
  const firstBox = await waitUntilStill(() => getLampBox(page))
  const picture = getPlan(page).locator('image')
  const width = async () => (await picture.boundingBox())!.width
  const fullWidth = await width()
  const scale = async () => (await width()) / fullWidth
  return { first: firstBox, scale, asked: commands }
}

test('zooms by wheel, buttons and double click, pans inside the frame, and sends no command by that or in edit mode', async ({
  operator,
}) => {
  const { first, scale, asked: commands } = await openPlan(operator)
  const start = getCentre(first)

  await test.step('the whole plan stays inside its frame', async () => {
    const planCentre = getCentre((await getPlan(operator).boundingBox())!)
    await operator.mouse.move(planCentre.x, planCentre.y)
    await operator.mouse.down()
    await operator.mouse.move(planCentre.x + 200, planCentre.y + 100, { steps: 5 })
    await operator.mouse.up()
    await operator.getByRole('button', { name: '缩小' }).click()
    await expect.poll(() => getLampBox(operator)).toEqual(first)
  })

  await test.step('Ctrl and wheel zoom at the pointer, the wheel alone does not', async () => {
    await operator.mouse.move(start.x, start.y)
    await operator.mouse.wheel(0, -100)
    expect(await scale()).toBeCloseTo(1, 2)
    await operator.keyboard.down('Control')
    for (let n = 0; n < 5; n++) await operator.mouse.wheel(0, -100)
    await operator.keyboard.up('Control')
    await expect.poll(scale).toBeGreaterThan(1.8)
  })

  await test.step('dragging pans without a click, and 看全图 resets', async () => {
    const zoomedBox = await waitUntilStill(() => getLampBox(operator))
    // Lamps keep their size on the screen when the plan is zoomed.
    expect(zoomedBox.width).toBeCloseTo(first.width, 0)
    expect(first.width).toBeGreaterThanOrEqual(32)
    const zoomedCentre = getCentre(zoomedBox)
    expect(zoomedCentre.x).toBeCloseTo(start.x, -1)
    expect(zoomedCentre.y).toBeCloseTo(start.y, -1)
    await operator.mouse.down()
    await operator.mouse.move(start.x - 40, start.y - 30, { steps: 5 })
    await operator.mouse.up()
    const measureShift = async () => {
      const { x, y } = getCentre(await getLampBox(operator))
      return {
        right: Math.round((x - zoomedCentre.x) / 10) * 10,
        down: Math.round((y - zoomedCentre.y) / 10) * 10,
      }
    }
    await expect.poll(measureShift).toEqual({ right: -40, down: -30 })
    await operator.getByRole('button', { name: '看全图' }).click()
    await expect.poll(scale).toBeCloseTo(1, 2)
  })

  await test.step('the button zooms in up to a limit', async () => {
    for (let n = 0; n < 12; n++) await operator.getByRole('button', { name: '放大' }).click()
    await expect.poll(scale).toBeCloseTo(1 / 0.15, 1)
    await operator.getByRole('button', { name: '看全图' }).click()
    await expect.poll(scale).toBeCloseTo(1, 2)
  })

  await test.step('a double click beside the lamps zooms in', async () => {
    const { x, y, width, height } = (await getPlan(operator).boundingBox())!
    await operator.mouse.dblclick(x + width / 2, y + height - 6)
    await expect.poll(scale).toBeCloseTo(2, 1)
    await operator.getByRole('button', { name: '看全图' }).click()
    await expect.poll(scale).toBeCloseTo(1, 2)
  })

  await test.step('in edit mode a lamp is selected, not switched, and a double click on it does not zoom', async () => {
    await operator.getByRole('button', { name: '编辑模式' }).click()
    await expect(operator.getByRole('button', { name: /^关 1 层/ })).toBeDisabled()
    await getLamp(operator).click()
    await expect(operator.getByText('已选 1 盏')).toBeVisible()
    await expect(getLamp(operator)).toHaveAccessibleName('A座1F-茶水间-01 开')
    await getLamp(operator).dblclick()
    expect(await scale()).toBeCloseTo(1, 2)
    await operator.getByRole('button', { name: '编辑模式' }).click()
  })
  expect(commands).toEqual([])
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 720 } })

  type Finger = { x: number; y: number }
  /** Sends touches through the DevTools protocol, so that the browser decides what it scrolls itself. */
  async function createTouchGesture(page: Page) {
    const session = await page.context().newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Finger[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints })
    return async (from: Finger[], to: Finger[]) => {
      // One finger touches first, as with a real hand.
      for (let n = 1; n <= from.length; n++) await send('touchStart', from.slice(0, n))
      for (let step = 1; step <= 10; step++)
        await send(
          'touchMove',
          from.map((finger, n) => ({
            x: finger.x + ((to[n]!.x - finger.x) * step) / 10,
            y: finger.y + ((to[n]!.y - finger.y) * step) / 10,
          })),
        )
      await send('touchEnd', [])
    }
  }

  test('zooms the plan by two fingers, and scrolls the page by one until the plan is enlarged', async ({
    newcomer: operator,
  }) => {
    const { scale, asked: commands } = await openPlan(operator)
    const swipe = await createTouchGesture(operator)
    const centre = async () => getCentre((await getPlan(operator).boundingBox())!)

    const initialCentre = await centre()
    await swipe([initialCentre], [{ x: initialCentre.x, y: initialCentre.y - 150 }])
    await expect.poll(async () => initialCentre.y - (await centre()).y).toBeGreaterThan(80)
    expect(await scale()).toBeCloseTo(1, 2)

    const { x, y } = await waitUntilStill(centre)
    // The browser cancels touches of a page that is busy for long, so the pinch is repeated.
    await expect(async () => {
      await swipe(
        [
          { x: x - 30, y },
          { x: x + 30, y },
        ],
        [
          { x: x - 90, y },
          { x: x + 90, y },
        ],
      )
      await expect.poll(scale, { timeout: 5000 }).toBeGreaterThan(2.5)
    }).toPass({ timeout: 60_000 })
    expect(await operator.evaluate(() => visualViewport!.scale)).toBe(1)

    const initialScrollY = await operator.evaluate(() => scrollY)
    const boxBefore = await waitUntilStill(() => getLampBox(operator))
    await swipe([{ x, y }], [{ x: x + 20, y: y - 60 }])
    await expect.poll(async () => (await getLampBox(operator)).y - boxBefore.y).toBeLessThan(-40)
    expect(await operator.evaluate(() => scrollY)).toBe(initialScrollY)

    await swipe(
      [
        { x: x - 90, y },
        { x: x + 90, y },
      ],
      [
        { x: x - 15, y },
        { x: x + 15, y },
      ],
    )
    await expect.poll(scale).toBeCloseTo(1, 1)
    expect(commands).toEqual([])
  })
})
