import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

const plan = (page: Page) => page.getByRole('group', { name: /平面图$/ })
const lamp = (page: Page) => page.getByRole('button', { name: /^A座1F-茶水间-01/ })
const boxOf = async (page: Page) => (await lamp(page).boundingBox())!
const middleOf = ({ x, y, width, height }: Awaited<ReturnType<typeof boxOf>>) => ({
  x: x + width / 2,
  y: y + height / 2,
})
/** Waits until two looks some frames apart find the same position. */
async function atRest<Place>(look: () => Promise<Place>) {
  let place = await look()
  await expect(async () => {
    const before = place
    await new Promise((done) => setTimeout(done, 100))
    place = await look()
    expect<unknown>(place).toEqual(before)
  }).toPass()
  return place
}
/** Opens the plan and returns the first size of a lamp, a function for the current scale, and the commands sent. */
async function openPlan(page: Page) {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/control/task'))
      asked.push(request.postData() ?? '')
  })
  await page.goto('/home')
  await expect(lamp(page)).toBeVisible()
  // Content that loads later above the plan moves it, so the test waits until the network is idle.
  await page.waitForLoadState('networkidle')
  const first = await boxOf(page)
  const picture = plan(page).locator('image')
  const width = async () => (await picture.boundingBox())!.width
  const whole = await width()
  const scale = async () => (await width()) / whole
  return { first, scale, asked }
}

test('Ctrl and wheel zoom at the pointer, dragging moves and is no click, 看全图 puts back', async ({
  newcomer: operator,
}) => {
  const { first, scale, asked } = await openPlan(operator)
  const at = middleOf(first)
  await operator.mouse.move(at.x, at.y)
  await operator.mouse.wheel(0, -100)
  expect(await scale()).toBeCloseTo(1, 2)
  await operator.keyboard.down('Control')
  for (let n = 0; n < 5; n++) await operator.mouse.wheel(0, -100)
  await operator.keyboard.up('Control')
  await expect.poll(scale).toBeGreaterThan(1.8)
  const zoomed = await atRest(() => boxOf(operator))
  // Lamps keep their size on the screen when the plan is zoomed.
  expect(zoomed.width).toBeCloseTo(first.width, 0)
  expect(first.width).toBeGreaterThanOrEqual(32)
  const near = middleOf(zoomed)
  expect(near.x).toBeCloseTo(at.x, -1)
  expect(near.y).toBeCloseTo(at.y, -1)

  await operator.mouse.down()
  await operator.mouse.move(at.x - 40, at.y - 30, { steps: 5 })
  await operator.mouse.up()
  const way = async () => {
    const { x, y } = middleOf(await boxOf(operator))
    return { right: Math.round((x - near.x) / 10) * 10, down: Math.round((y - near.y) / 10) * 10 }
  }
  await expect.poll(way).toEqual({ right: -40, down: -30 })
  expect(asked).toEqual([])

  await operator.getByRole('button', { name: '看全图' }).click()
  await expect.poll(scale).toBeCloseTo(1, 2)
})

test('never leaves the frame, and neither zooms out of it', async ({ newcomer: operator }) => {
  const { first, scale } = await openPlan(operator)
  const at = middleOf((await plan(operator).boundingBox())!)
  await operator.mouse.move(at.x, at.y)
  await operator.mouse.down()
  await operator.mouse.move(at.x + 200, at.y + 100, { steps: 5 })
  await operator.mouse.up()
  await operator.getByRole('button', { name: '缩小' }).click()
  await expect.poll(() => boxOf(operator)).toEqual(first)
  for (let n = 0; n < 12; n++) await operator.getByRole('button', { name: '放大' }).click()
  await expect.poll(scale).toBeCloseTo(1 / 0.15, 1)
})

test('a double click zooms in, but on a lamp it is two presses', async ({ newcomer: operator }) => {
  const { scale } = await openPlan(operator)
  const { x, y, width, height } = (await plan(operator).boundingBox())!
  await operator.mouse.dblclick(x + width / 2, y + height - 6)
  await expect.poll(scale).toBeCloseTo(2, 1)
  await operator.getByRole('button', { name: '看全图' }).click()
  await expect.poll(scale).toBeCloseTo(1, 2)
  await operator.getByRole('button', { name: '编辑模式' }).click()
  await lamp(operator).dblclick()
  expect(await scale()).toBeCloseTo(1, 2)
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 720 } })

  type Finger = { x: number; y: number }
  /** Sends touches through the DevTools protocol, so that the browser decides what it scrolls itself. */
  async function fingers(page: Page) {
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

  test('two fingers zoom the plan, one scrolls the page until the plan is near', async ({
    newcomer: operator,
  }) => {
    const { scale, asked } = await openPlan(operator)
    const swipe = await fingers(operator)
    const centre = async () => middleOf((await plan(operator).boundingBox())!)

    const whole = await centre()
    await swipe([whole], [{ x: whole.x, y: whole.y - 150 }])
    await expect.poll(async () => whole.y - (await centre()).y).toBeGreaterThan(80)
    expect(await scale()).toBeCloseTo(1, 2)

    const { x, y } = await atRest(centre)
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

    const scrolled = await operator.evaluate(() => scrollY)
    const before = await atRest(() => boxOf(operator))
    await swipe([{ x, y }], [{ x: x + 20, y: y - 60 }])
    await expect.poll(async () => (await boxOf(operator)).y - before.y).toBeLessThan(-40)
    expect(await operator.evaluate(() => scrollY)).toBe(scrolled)

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
    expect(asked).toEqual([])
  })
})
