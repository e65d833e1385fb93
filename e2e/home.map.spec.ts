import type { APIRequestContext, Page } from '@playwright/test'
import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import { expect, test } from './fixtures'
import { createLamp } from './simulatedLamp'
import { createSender, createUniqueName } from './listHelpers'
import { createPoster, createProjectDraft } from './projects'

const lampsPerRow = 50
const lampCount = 1500
/** One row more than needed leaves the last place free. */
const rowCount = lampCount / lampsPerRow + 1
const devicePrefix = createUniqueName('m')
const formatLampName = (n: number) => `灯${String(n + 1).padStart(4, '0')}`

/** Creates a floor with 1,500 lamps in a grid, none of which has ever connected. */
async function createLargeFloor(api: APIRequestContext) {
  const post = createPoster(api)
  const send = createSender(api)
  const { projectId } = await post('/v1/project', createProjectDraft())
  const tower = { projectId, parentId: null, type: 'building', name: '塔楼' }
  const { id: parentId } = await post('/v1/space', tower)
  const { id: floorId } = await post('/v1/space', {
    ...tower,
    parentId,
    type: 'floor',
    name: '顶层',
  })
  const lines = Array.from({ length: lampCount }, (_, n) => [
    ...[
      formatLampName(n),
      `${devicePrefix}-${n}`,
      '安全照明灯',
      '塔楼 / 顶层',
      n === 0 ? '是' : '否',
    ],
  ])
  const head = ['设备名称', 'DeviceName', '产品', '位置', '受保护']
  async function runImport(input: object) {
    const { id } = await send<Task>('post', '/v1/device/import', { projectId, ...input })
    await expect(async () => {
      const { doneTime } = await send<Task>('get', `/v1/task/${id}`)
      expect(doneTime).not.toBeNull()
    }).toPass()
    return id
  }
  await runImport({ confirm: await runImport({ table: [head, ...lines] }) })
  const query = { projectId, spaceId: floorId, pageSize: 500, sort: 'name' }
  const ids: string[][] = []
  for (const pageNo of [1, 2, 3]) {
    const { list } = await send<{ list: ManagedDevice[] }>('post', '/v1/device/page', {
      ...query,
      pageNo,
    })
    const places = list.map(({ id, name }) => {
      const n = Number(name.slice(1)) - 1
      const [column, row] = [n % lampsPerRow, Math.floor(n / lampsPerRow)]
      return { id, x: (column + 0.5) / lampsPerRow, y: (row + 0.5) / rowCount }
    })
    await send('post', '/v1/device/place', { floorId, places })
    ids.push(list.map((item) => item.id))
  }
  return { projectId, floorId, ids }
}

const getPlan = (page: Page) => page.getByRole('group', { name: '顶层平面图' })
/** Finds the lamp that has the keyboard focus. */
const getFocusedLamp = (page: Page) => page.getByRole('button', { name: /^灯\d{4} 未激活/ })
const getLampCard = (page: Page) => page.getByRole('region', { name: /的详情$/ })
/** Returns the screen position of a lamp in the grid while the whole plan is visible. */
async function getLampPosition(page: Page, n: number) {
  const { x, y, width, height } = (await getPlan(page).boundingBox())!
  const scale = Math.min(width / 1200, height / 720)
  const fraction = {
    x: ((n % lampsPerRow) + 0.5) / lampsPerRow,
    y: (Math.floor(n / lampsPerRow) + 0.5) / rowCount,
  }
  return {
    x: x + width / 2 + (fraction.x - 0.5) * 1200 * scale,
    y: y + height / 2 + (fraction.y - 0.5) * 720 * scale,
  }
}

/** Returns red, green and blue of the pixel at a screen position. */
const readPixelColour = (page: Page, { x, y }: { x: number; y: number }) =>
  page
    .locator('canvas')
    .first()
    .evaluate(
      (canvas: HTMLCanvasElement, at) => {
        const { left: canvasLeft, top, width } = canvas.getBoundingClientRect()
        const scale = canvas.width / width
        const [px, py] = [(at.x - canvasLeft) * scale, (at.y - top) * scale]
        return [...canvas.getContext('2d')!.getImageData(px, py, 1, 1).data.slice(0, 3)]
      },
      { x, y },
    )

let testFloor: Awaited<ReturnType<typeof createLargeFloor>>
/** The devices are removed, because other tests count devices of the product. */
test.afterAll(async ({ session }) => {
  const send = createSender(session.api)
  for (const ids of testFloor.ids) await send('post', '/v1/device/remove', { ids })
})
test.beforeAll(async ({ session }) => {
  testFloor = await createLargeFloor(session.api)
})

test('draws very many lamps on a canvas, as one tab stop, repaints one that reports, and selects some by a lasso', async ({
  newcomer: page,
  api,
}) => {
  const { projectId, floorId } = testFloor
  const newLamp = await createLamp(api, { projectId, spaceId: floorId })
  const places = [{ id: newLamp.id, x: 0.5 + 0.5 / lampsPerRow, y: (rowCount - 0.5) / rowCount }]
  await createSender(api)('post', '/v1/device/place', { floorId, places })
  await page.addInitScript((id) => localStorage.setItem('currentProjectId', String(id)), projectId)
  await page.goto('/home')
  await expect(getFocusedLamp(page)).toHaveCount(1)
  await page.waitForLoadState('networkidle')
  await expect(getPlan(page).getByRole('button')).toHaveCount(0)

  await test.step('a lamp that reports is repainted', async () => {
    const isAmber = async () => {
      const [red, green, blue] = await readPixelColour(
        page,
        await getLampPosition(page, lampCount + lampsPerRow / 2),
      )
      return red! > 200 && green! > 120 && blue! < 120
    }
    await expect.poll(isAmber).toBe(false)
    newLamp.post({ PowerSwitch: 1 })
    await expect.poll(isAmber).toBe(true)
  })

  await test.step('arrow keys move between lamps, End to the last one', async () => {
    await getFocusedLamp(page).focus()
    await expect(getFocusedLamp(page)).toHaveAccessibleName(/^灯0001 未激活，受保护/)
    await page.keyboard.press('ArrowRight')
    await expect(getFocusedLamp(page)).toHaveAccessibleName(`${formatLampName(1)} 未激活`)
    await page.keyboard.press('ArrowDown')
    await expect(getFocusedLamp(page)).toHaveAccessibleName(
      `${formatLampName(lampsPerRow + 1)} 未激活`,
    )
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowLeft')
    await expect(getFocusedLamp(page)).toHaveAccessibleName(/^灯0001 /)
    await page.keyboard.press('End')
    await page.keyboard.press('i')
    await expect(getLampCard(page)).toHaveAccessibleName(`${newLamp.name}的详情`)
    await page.keyboard.press('Escape')
    await expect(getLampCard(page)).toBeHidden()
  })

  await test.step('a click selects the lamp below the pointer', async () => {
    const n = 25 + lampsPerRow * 15
    const lampLabel = page.getByText(`${formatLampName(n)} 未激活`, { exact: true }).first()
    // Content that loads later above the plan moves it, so the hover is repeated.
    await expect(async () => {
      const { x, y } = await getLampPosition(page, n)
      await page.mouse.move(x, y)
      await expect(lampLabel).toBeVisible({ timeout: 5000 })
    }).toPass()
    const { x, y } = await getLampPosition(page, n)
    await page.mouse.click(x, y)
    await expect(getLampCard(page)).toHaveAccessibleName(`${formatLampName(n)}的详情`)
    await page.keyboard.press('Escape')
    await expect(getLampCard(page)).toBeHidden()
  })

  await test.step('a lasso selects the lamps inside', async () => {
    const [from, to] = [
      await getLampPosition(page, lampsPerRow * 5 + 5),
      await getLampPosition(page, lampsPerRow * 7 + 8),
    ]
    const margin = (to.x - from.x) / 6
    const [minX, minY] = [from.x - margin, from.y - margin]
    const [maxX, maxY] = [to.x + margin, to.y + margin]
    await page.keyboard.down('Shift')
    await page.mouse.move(minX, minY)
    await page.mouse.down()
    for (const [x, y] of [
      [maxX, minY],
      [maxX, maxY],
      [minX, maxY],
      [minX, minY],
    ] as const)
      await page.mouse.move(x, y, { steps: 3 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    await expect(page.getByText(/已选 12 盏/)).toBeVisible()
  })

  await test.step('the list beside the plan finds a lamp, and follows its reports', async () => {
    await page.getByRole('button', { name: '列表' }).click()
    await page.getByLabel('搜索灯').fill('灯0777')
    await page.getByRole('button', { name: '灯0777' }).click()
    await expect(getLampCard(page)).toHaveAccessibleName('灯0777的详情')
    await page.getByLabel('搜索灯').fill(newLamp.name)
    const listRow = page.getByRole('row').filter({ hasText: newLamp.name })
    await expect(listRow).toContainText('开')
    newLamp.post({ PowerSwitch: 0 })
    await expect(listRow).toContainText('关')
  })
  await newLamp.close()
  await createSender(api)('post', '/v1/device/remove', { ids: [newLamp.id] })
})
