import type { APIRequestContext, Page } from '@playwright/test'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import { expect, test, visit } from './fixtures'
import { getDialog, createSender, createUniqueName } from './listHelpers'
import { createPoster, createProjectDraft } from './projects'

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 300"><rect width="600" height="300" fill="#eee"/></svg>'

/** Creates a project with one floor and its plan, lamps on it, and one lamp without a floor. */
async function createSite(api: APIRequestContext, names: string[]) {
  const send = createSender(api)
  const post = createPoster(api)
  const { id, projectId } = await post('/v1/project', createProjectDraft())
  const tower = { projectId, parentId: null, type: 'building', name: '塔楼' }
  const { id: parentId } = await post('/v1/space', tower)
  const floor = await send<{ id: string; version: number }>('post', '/v1/space', {
    ...tower,
    parentId,
    type: 'floor',
    name: '顶层',
  })
  const file = { name: '1.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(picture) }
  const uploadAnswer = await (await api.post('/v1/upload/file', { multipart: { file } })).json()
  await send('post', `/v1/space/${floor.id}/plan`, {
    id: floor.id,
    version: floor.version,
    picture: uploadAnswer.data.url,
    metres: 60,
  })
  const products = await send<{ id: string; name: string }[]>('get', '/v1/product/list')
  const productId = products.find(({ name }) => name === '安全照明灯')!.id
  const ids: string[] = []
  for (const name of names) {
    const lamp = { projectId, productId, name, deviceName: createUniqueName('p'), protected: false }
    const spaceId = name === '无楼层' ? null : floor.id
    ids.push((await post('/v1/device', { ...lamp, spaceId })).id)
  }
  const readPositions = async () => {
    const { devices } = await send<FloorDevices>('get', `/v1/device/floor?floorId=${floor.id}`)
    return new Map(devices.map((device) => [device.name, device]))
  }
  const placeDevice = (name: number, x: number, y: number) =>
    send('post', '/v1/device/place', { floorId: floor.id, places: [{ id: ids[name]!, x, y }] })
  return {
    id,
    projectId,
    productId,
    floorId: floor.id,
    ids,
    stand: readPositions,
    put: placeDevice,
  }
}

/** Creates a floor as a copy of one with two lamps on its plan, with three lamps that are not placed yet. */
async function createCopiedFloor(api: APIRequestContext) {
  const testSite = await createSite(api, ['灯1', '灯2'])
  await testSite.put(0, 0.25, 0.5)
  await testSite.put(1, 0.75, 0.5)
  const post = createPoster(api)
  const { id: floorId } = await post(`/v1/space/${testSite.floorId}/copy`, {
    id: testSite.floorId,
    name: '次层',
  })
  const { projectId, productId } = testSite
  for (const name of ['新灯2', '新灯1', '备用灯'])
    await post('/v1/device', {
      projectId,
      productId,
      name,
      deviceName: createUniqueName('p'),
      spaceId: floorId,
      protected: false,
    })
  return floorId
}

const getPlan = (page: Page) => page.getByRole('group', { name: /^顶层平面图，图上/ })
const getRow = (page: Page, name: string) => page.getByRole('option', { name })
const getButton = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const getList = (page: Page) => page.getByRole('listbox')
const getTab = (page: Page, name: RegExp) => page.getByText(name)
const expectCounts = (page: Page, unplacedCount: number, placedCount: number) =>
  expect(page.getByRole('radiogroup').filter({ hasText: `未摆放 ${unplacedCount}` })).toContainText(
    `图上 ${placedCount}`,
  )

/** Drags a lamp from the tray to the middle of the plan with real mouse events. */
async function dragToMiddle(page: Page, name: string) {
  const [from, to] = [await getRow(page, name).boundingBox(), await getPlan(page).boundingBox()]
  await page.mouse.move(from!.x + 40, from!.y + 20)
  await page.mouse.down()
  await page.mouse.move(to!.x + to!.width / 2 + 30, to!.y + to!.height / 2, { steps: 5 })
  await page.mouse.move(to!.x + to!.width / 2, to!.y + to!.height / 2)
  await page.mouse.up()
}

test('places a floor from its tray by mouse and keyboard, aligns, undoes and saves it, and a copied floor like its original', async ({
  newcomer: page,
  api,
}) => {
  const testSite = await createSite(api, ['灯1', '灯2', '灯3', '无楼层'])
  const copiedFloorId = await createCopiedFloor(api)
  await page.goto(`/system/project/${testSite.id}?tab=space`)
  await page.getByRole('button', { name: '顶层的更多操作' }).click()
  await page.getByRole('menuitem', { name: '摆放设备' }).click()
  await expect(page.getByText('摆放设备：塔楼 / 顶层')).toBeVisible()
  await expectCounts(page, 4, 0)
  await expect(getRow(page, '无楼层')).toContainText('还没有楼层')

  await dragToMiddle(page, '灯1')
  await expectCounts(page, 3, 1)
  await expect(getPlan(page)).toBeFocused()
  await expect(page.getByText(/灯1：距左边 50\.\d%/).first()).toBeVisible()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByText(/灯1：距左边 51\.\d%/).first()).toBeVisible()
  // An inactive lamp cannot flash, so the button is disabled.
  await expect(page.getByLabel('灯1未激活，不能闪灯')).toBeVisible()

  await getList(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expectCounts(page, 2, 2)
  await page.keyboard.press('Shift+ArrowLeft')
  await getRow(page, '无楼层').click()
  const { x, y, width, height } = (await getPlan(page).boundingBox())!
  await page.mouse.click(x + width / 2 + 40, y + height / 2 + 40)
  await expectCounts(page, 1, 3)

  await getTab(page, /^图上 3$/).click()
  await getList(page).focus()
  await page.keyboard.press('Control+a')
  await getButton(page, '左对齐').click()
  await expect(getRow(page, '灯1')).toContainText('左 49.0%')
  await page.keyboard.press('Control+z')
  await expect(getRow(page, '灯1')).toContainText('左 51.0%')
  await page.keyboard.press('Control+Shift+z')
  await expect(getRow(page, '灯1')).toContainText('左 49.0%')

  await getButton(page, /^返\s?回$/).click()
  await expect(getDialog(page)).toContainText('放弃未保存的修改？')
  await getDialog(page).getByRole('button', { name: '继续编辑' }).click()
  await getButton(page, /^保\s?存$/).click()
  await expect(page.getByText('已保存 3 台的位置')).toBeVisible()
  const positions = await testSite.stand()
  expect(positions.get('无楼层')).toMatchObject({
    floorId: testSite.floorId,
    x: positions.get('灯1')!.x,
  })
  expect(positions.get('灯3')).toMatchObject({ x: null })

  await getButton(page, /^返\s?回$/).click()
  await expect(page.getByRole('button', { name: /^灯1 未激活/ })).toBeVisible()

  await visit(page, `/home?placing=${copiedFloorId}`)
  await expectCounts(page, 3, 0)
  await page.getByRole('combobox', { name: '照其他楼层摆放' }).click()
  await page.getByTitle('塔楼 / 顶层').click()
  await expect(
    page.getByText('已照塔楼 / 顶层摆放 2 台，1 台没有对应的位置，保存后生效'),
  ).toBeVisible()
  await expectCounts(page, 1, 2)
  await getButton(page, /^保\s*存$/).click()
  await expect(page.getByText('2 台未保存')).toBeHidden()
  const { devices } = await createSender(api)<FloorDevices>(
    'get',
    `/v1/device/floor?floorId=${copiedFloorId}`,
  )
  const positionByName = new Map(devices.map(({ name, x }) => [name, x]))
  expect(['新灯1', '新灯2', '备用灯'].map((name) => positionByName.get(name))).toEqual([
    0.25,
    0.75,
    null,
  ])
})

test('asks about a device moved by a colleague, and reports a deleted one', async ({
  newcomer: page,
  api,
}) => {
  const testSite = await createSite(api, ['灯1', '灯2', '灯3'])
  await testSite.put(0, 0.2, 0.2)
  await testSite.put(1, 0.8, 0.8)
  await page.goto(`/home?placing=${testSite.floorId}`)
  await expectCounts(page, 1, 2)
  await getTab(page, /^图上 2$/).click()
  await getList(page).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Enter')
  await expect(getPlan(page)).toBeFocused()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('2 台未保存')).toBeVisible()

  await testSite.put(0, 0.3, 0.3)
  await api.delete(`/v1/device/${testSite.ids[1]}`)
  await getButton(page, /^保\s?存$/).click()
  await expect(getDialog(page)).toContainText('1 台刚被别人移动过')
  await expect(page.getByText('1 台没有保存：灯2已被删除')).toBeVisible()
  await expect(getDialog(page).getByRole('radio', { name: /现在的：左 30\.0%/ })).toBeVisible()
  await getDialog(page)
    .getByRole('radio', { name: /^我的：左 20\.0%/ })
    .click()
  await getDialog(page).getByRole('button', { name: '按选择保存' }).click()
  await expect(page.getByText('已保存 1 台的位置')).toBeVisible()
  expect((await testSite.stand()).get('灯1')).toMatchObject({ x: 0.2, y: 0.22 })
})
