import iot from 'alibabacloud-iot-device-sdk'
import type { APIRequestContext, Page } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, navigateTo, test } from './fixtures'
import {
  createManufacturerDraft,
  getField,
  getDialog,
  saveDialog,
  createSender,
  createUniqueName,
} from './listHelpers'
import { createPoster, createProjectDraft } from './projects'

const planSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 300"><rect width="600" height="300" fill="#eee"/></svg>'

/**
 * Creates what exists before an engineer begins: a building with one floor and its plan, and the manufacturer of the
 * lamp.
 */
async function createSite(api: APIRequestContext) {
  const send = createSender(api)
  const post = createPoster(api)
  const maker = createManufacturerDraft()
  await send('post', '/v1/manufacturer', maker)
  const projectDraft = createProjectDraft()
  const { projectId } = await post('/v1/project', projectDraft)
  const topLevel = { projectId, parentId: null }
  const tower = await post('/v1/space', { ...topLevel, type: 'building', name: '塔楼' })
  const towerChild = { projectId, parentId: tower.id }
  const floor = await send<{ id: string; version: number }>('post', '/v1/space', {
    ...towerChild,
    type: 'floor',
    name: '1 层',
  })
  const file = { name: '1.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(planSvg) }
  const uploadAnswer = await (await api.post('/v1/upload/file', { multipart: { file } })).json()
  await send('post', `/v1/space/${floor.id}/plan`, {
    id: floor.id,
    version: floor.version,
    picture: uploadAnswer.data.url,
    metres: 60,
  })
  return { maker: maker.name, project: projectDraft.name }
}

async function chooseOption(page: Page, label: string, name: string) {
  await getField(page, label).click()
  await getField(page, label).fill(name)
  await page.locator('.ant-select-dropdown:visible').getByTitle(name).first().click()
}
const pressButton = (page: Page, name: RegExp) =>
  getDialog(page).getByRole('button', { name }).click()

test('takes a new lamp model from creation to a controlled lamp on the plan', async ({
  newcomer: page,
  api,
}) => {
  const { maker, project } = await createSite(api)
  const [category, product, lamp] = [
    createUniqueName('吸顶灯品类'),
    createUniqueName('吸顶灯'),
    createUniqueName('大堂灯'),
  ]

  await page.goto(paths.deviceAccess.productCategory())
  await page.getByRole('combobox', { name: '切换项目' }).fill(project)
  await page.locator('.ant-select-dropdown:visible').getByText(project).click()
  await page.getByRole('button', { name: '新建品类' }).click()
  await getField(page, '品类名称').fill(category)
  await getField(page, '品类编码').fill(createUniqueName('c'))
  await saveDialog(page)

  await page.getByRole('link', { name: category }).click()
  await page.getByRole('button', { name: '新建功能' }).click()
  await getField(page, '名称').fill('电源开关')
  await getField(page, '标识符').fill('PowerSwitch')
  await getField(page, '数据类型').click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('布尔').click()
  await expect(getDialog(page).getByRole('switch', { name: '电源开关的控件' })).toBeVisible()
  await saveDialog(page)
  await page.getByRole('button', { name: '发布新版本' }).click()
  await pressButton(page, /发\s?布/)
  await expect(page.getByText('已发布版本 1').first()).toBeVisible()

  await navigateTo(page, paths.deviceAccess.config.product())
  await page.getByRole('button', { name: '新建产品' }).click()
  await getField(page, '产品名称').fill(product)
  await chooseOption(page, '厂商', maker)
  await getField(page, '型号').fill('L-1')
  await chooseOption(page, '品类', category)
  await getField(page, '产品类型').fill('SAFEWAY_LIGHT')
  await page.getByTitle(/SAFEWAY_LIGHT/).click()
  await saveDialog(page)
  await page.getByRole('link', { name: product }).click()
  await page.getByRole('button', { name: /^发\s?布$/ }).click()
  await pressButton(page, /^发\s?布$/)
  await expect(page.getByRole('button', { name: /停\s?用/ })).toBeVisible()

  await page.getByRole('tab', { name: '设备' }).click()
  await page.getByRole('button', { name: '登记设备' }).click()
  const deviceName = createUniqueName('lamp-')
  await getField(page, '设备名称').fill(lamp)
  await getField(page, 'DeviceName').fill(deviceName)
  await chooseOption(page, '位置', '塔楼 / 1 层')
  await pressButton(page, /保\s?存/)
  const secretDialog = page.getByRole('dialog', { name: '设备已登记' })
  await expect(secretDialog.getByText('DeviceSecret 只显示这一次')).toBeVisible()
  const [productKey, , deviceSecret] = await secretDialog.locator('code').allInnerTexts()
  await page.getByRole('button', { name: '已保存好' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`${lamp}.*未激活`) })).toBeVisible()

  await page.getByRole('tab', { name: '接入信息' }).click()
  await expect(page.getByText('等待第一条消息')).toBeVisible()
  const brokerUrl = (await page.locator('code', { hasText: /^mqtt:/ }).innerText()).trim()
  const device = iot.device({
    productKey: productKey!.trim(),
    deviceName,
    deviceSecret: deviceSecret!.trim(),
    brokerUrl,
  })
  try {
    const receivedCommands: number[] = []
    device.onProps(({ id, params }) => {
      receivedCommands.push(params.PowerSwitch!)
      const replyTopic = `/sys/${productKey}/${deviceName}/thing/service/property/set_reply`
      device.publish(replyTopic, JSON.stringify({ id, code: 200, data: {} }))
      device.postProps(params, () => {})
    })
    device.on('connect', () => device.postProps({ PowerSwitch: 1 }, () => {}))
    await expect(page.getByText(`收到第一条消息：${lamp}`)).toBeVisible()

    await page.getByRole('tab', { name: '设备' }).click()
    await page.getByRole('link', { name: lamp }).click()
    // The heading is checked first, because the previous page has a tab of the same name.
    await expect(page.getByRole('heading', { name: '设备详情', level: 1 })).toBeVisible()
    await page.getByRole('tab', { name: '基本信息' }).click()
    await page.getByRole('button', { name: '在平面图上摆放' }).click()
    await page.getByRole('img', { name: '1 层平面图，未摆放' }).click()
    await expect(page.getByRole('img', { name: '1 层平面图，已摆放' })).toBeVisible()
    await saveDialog(page)
    await expect(page.getByText('已摆放')).toBeVisible()

    await navigateTo(page, '/home')
    const lampOnPlan = page.getByRole('button', { name: new RegExp(`^${lamp}`) })
    await expect(lampOnPlan).toHaveAccessibleName(`${lamp} 开`)
    await lampOnPlan.click()
    await expect(lampOnPlan).toHaveAccessibleName(`${lamp} 关`)
    expect(receivedCommands).toEqual([0])
  } finally {
    device.end(true)
  }
})
