import type { APIRequestContext, Page } from '@playwright/test'
import type { ManagedDevice } from '@iot/shared/contract/managedDevice'
import type { Task } from '@iot/shared/contract/task'
import { expect, test } from './fixtures'
import { lamp } from './lamp'
import { sender, unique } from './lists'
import { poster, project } from './projects'

const across = 50
const count = 1500
/** One row more than needed leaves the last place free. */
const rows = count / across + 1
const mark = unique('m')
const nameOf = (n: number) => `灯${String(n + 1).padStart(4, '0')}`

/** Creates a floor with 1,500 lamps in a grid, none of which has ever connected. */
async function largeFloor(api: APIRequestContext) {
  const post = poster(api)
  const send = sender(api)
  const { projectId } = await post('/v1/project', project())
  const tower = { projectId, parentId: null, type: 'building', name: '塔楼' }
  const { id: parentId } = await post('/v1/space', tower)
  const { id: floorId } = await post('/v1/space', {
    ...tower,
    parentId,
    type: 'floor',
    name: '顶层',
  })
  const lines = Array.from({ length: count }, (_, n) => [
    ...[nameOf(n), `${mark}-${n}`, '安全照明灯', '塔楼 / 顶层', n === 0 ? '是' : '否'],
  ])
  const head = ['设备名称', 'DeviceName', '产品', '位置', '受保护']
  async function finish(input: object) {
    const { id } = await send<Task>('post', '/v1/device/import', { projectId, ...input })
    await expect(async () => {
      const { doneTime } = await send<Task>('get', `/v1/task/${id}`)
      expect(doneTime).not.toBeNull()
    }).toPass()
    return id
  }
  await finish({ confirm: await finish({ table: [head, ...lines] }) })
  const all = { projectId, spaceId: floorId, pageSize: 500, sort: 'name' }
  const ids: string[][] = []
  for (const pageNo of [1, 2, 3]) {
    const { list } = await send<{ list: ManagedDevice[] }>('post', '/v1/device/page', {
      ...all,
      pageNo,
    })
    const places = list.map(({ id, name }) => {
      const n = Number(name.slice(1)) - 1
      const [column, row] = [n % across, Math.floor(n / across)]
      return { id, x: (column + 0.5) / across, y: (row + 0.5) / rows }
    })
    await send('post', '/v1/device/place', { floorId, places })
    ids.push(list.map((one) => one.id))
  }
  return { projectId, floorId, ids }
}

const plan = (page: Page) => page.getByRole('group', { name: '顶层平面图' })
/** Finds the lamp that has the keyboard focus. */
const current = (page: Page) => page.getByRole('button', { name: /^灯\d{4} 离线/ })
const card = (page: Page) => page.getByRole('region', { name: /的详情$/ })
/** Returns the screen position of a lamp in the grid while the whole plan is visible. */
async function placeOf(page: Page, n: number) {
  const { x, y, width, height } = (await plan(page).boundingBox())!
  const scale = Math.min(width / 1200, height / 720)
  const at = { x: ((n % across) + 0.5) / across, y: (Math.floor(n / across) + 0.5) / rows }
  return {
    x: x + width / 2 + (at.x - 0.5) * 1200 * scale,
    y: y + height / 2 + (at.y - 0.5) * 720 * scale,
  }
}

let made: Awaited<ReturnType<typeof largeFloor>>
/** The devices are removed, because other tests count devices of the product. */
test.afterAll(async ({ session }) => {
  const send = sender(session.api)
  for (const ids of made.ids) await send('post', '/v1/device/remove', { ids })
})
test.beforeAll(async ({ session }) => {
  made = await largeFloor(session.api)
})
test.beforeEach(async ({ newcomer: page }) => {
  await page.addInitScript(
    (id) => localStorage.setItem('currentProjectId', String(id)),
    made.projectId,
  )
  await page.goto('/home')
  await expect(current(page)).toHaveCount(1)
  await page.waitForLoadState('networkidle')
})

test('very many lamps are painted, and a click means the one that is there', async ({
  newcomer: page,
}) => {
  await expect(plan(page).getByRole('button')).toHaveCount(0)
  const n = 25 + across * 15
  const shown = page.getByText(`${nameOf(n)} 离线`, { exact: true }).first()
  // Content that loads later above the plan moves it, so the hover is repeated.
  await expect(async () => {
    const { x, y } = await placeOf(page, n)
    await page.mouse.move(x, y)
    await expect(shown).toBeVisible({ timeout: 5000 })
  }).toPass()
  const { x, y } = await placeOf(page, n)
  await page.mouse.click(x, y)
  await expect(card(page)).toHaveAccessibleName(`${nameOf(n)}的详情`)
})

test('is one stop of the keyboard, where arrows go from lamp to lamp', async ({
  newcomer: page,
}) => {
  await current(page).focus()
  await expect(current(page)).toHaveAccessibleName(/^灯0001 离线，受保护/)
  await page.keyboard.press('ArrowRight')
  await expect(current(page)).toHaveAccessibleName(`${nameOf(1)} 离线`)
  await page.keyboard.press('ArrowDown')
  await expect(current(page)).toHaveAccessibleName(`${nameOf(across + 1)} 离线`)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  await expect(current(page)).toHaveAccessibleName(/^灯0001 /)
  await page.keyboard.press('End')
  await expect(current(page)).toHaveAccessibleName(`${nameOf(count - 1)} 离线`)
  await page.keyboard.press('i')
  await expect(card(page)).toHaveAccessibleName(`${nameOf(count - 1)}的详情`)
})

test('picks them by a line drawn around, and finds one in the list', async ({ newcomer: page }) => {
  const [from, to] = [await placeOf(page, across * 5 + 5), await placeOf(page, across * 7 + 8)]
  const half = (to.x - from.x) / 6
  const [left, top, right, bottom] = [from.x - half, from.y - half, to.x + half, to.y + half]
  await page.keyboard.down('Shift')
  await page.mouse.move(left, top)
  await page.mouse.down()
  for (const [x, y] of [
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ] as const)
    await page.mouse.move(x, y, { steps: 3 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await expect(page.getByText(/已选 12 盏/)).toBeVisible()

  await page.getByRole('button', { name: '列表' }).click()
  await page.getByLabel('搜索灯').fill('灯0777')
  await page.getByRole('button', { name: '灯0777' }).click()
  await expect(card(page)).toHaveAccessibleName('灯0777的详情')
})

/** Returns red, green and blue of the pixel at a screen position. */
const colourAt = (page: Page, { x, y }: { x: number; y: number }) =>
  page
    .locator('canvas')
    .first()
    .evaluate(
      (canvas: HTMLCanvasElement, at) => {
        const { left, top, width } = canvas.getBoundingClientRect()
        const scale = canvas.width / width
        const [px, py] = [(at.x - left) * scale, (at.y - top) * scale]
        return [...canvas.getContext('2d')!.getImageData(px, py, 1, 1).data.slice(0, 3)]
      },
      { x, y },
    )

test('one that reports is painted anew, and the list beside the plan says the same', async ({
  newcomer: page,
  api,
}) => {
  const { projectId, floorId } = made
  const one = await lamp(api, { projectId, spaceId: floorId })
  const places = [{ id: one.id, x: 0.5 + 0.5 / across, y: (rows - 0.5) / rows }]
  await sender(api)('post', '/v1/device/place', { floorId, places })
  await page.reload()
  await expect(current(page)).toHaveCount(1)
  const isAmber = async () => {
    const [red, green, blue] = await colourAt(page, await placeOf(page, count + across / 2))
    return red! > 200 && green! > 120 && blue! < 120
  }
  await expect.poll(isAmber).toBe(false)
  one.post({ PowerSwitch: 1 })
  await expect.poll(isAmber).toBe(true)
  await page.getByRole('button', { name: '列表' }).click()
  await page.getByLabel('搜索灯').fill(one.name)
  const inList = page.getByRole('row').filter({ hasText: one.name })
  await expect(inList).toContainText('开')
  one.post({ PowerSwitch: 0 })
  await expect(inList).toContainText('关')
  await one.close()
  await sender(api)('post', '/v1/device/remove', { ids: [one.id] })
})
