import iot from 'alibabacloud-iot-device-sdk'
import type { APIRequestContext, Page } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, test } from './fixtures'
import { draft, field, inDialog, save, sender, unique } from './lists'
import { poster, project } from './projects'

const plan =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 300"><rect width="600" height="300" fill="#eee"/></svg>'

/**
 * Creates what exists before an engineer begins: a building with one floor and its plan, and the manufacturer of the
 * lamp.
 */
async function site(api: APIRequestContext) {
  const send = sender(api)
  const post = poster(api)
  const maker = draft()
  await send('post', '/v1/manufacturer', maker)
  const of = project()
  const { projectId } = await post('/v1/project', of)
  const at = { projectId, parentId: null }
  const tower = await post('/v1/space', { ...at, type: 'building', name: '塔楼' })
  const under = { projectId, parentId: tower.id }
  const floor = await send<{ id: string; version: number }>('post', '/v1/space', {
    ...under,
    type: 'floor',
    name: '1 层',
  })
  const file = { name: '1.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(plan) }
  const uploaded = await (await api.post('/v1/upload/file', { multipart: { file } })).json()
  await send('post', `/v1/space/${floor.id}/plan`, {
    id: floor.id,
    version: floor.version,
    picture: uploaded.data.url,
    metres: 60,
  })
  return { maker: maker.name, project: of.name }
}

async function choose(page: Page, label: string, name: string) {
  await field(page, label).click()
  await field(page, label).fill(name)
  await page.locator('.ant-select-dropdown:visible').getByTitle(name).first().click()
}
const press = (page: Page, name: RegExp) => inDialog(page).getByRole('button', { name }).click()

test('a new lamp model goes from nothing to a lamp that obeys on the plan', async ({
  newcomer: page,
  api,
}) => {
  const { maker, project } = await site(api)
  const [category, product, lamp] = [unique('吸顶灯品类'), unique('吸顶灯'), unique('大堂灯')]

  await page.goto(paths.deviceAccess.productCategory())
  await page.getByRole('combobox', { name: '切换项目' }).fill(project)
  await page.locator('.ant-select-dropdown:visible').getByText(project).click()
  await page.getByRole('button', { name: '新建品类' }).click()
  await field(page, '品类名称').fill(category)
  await field(page, '品类编码').fill(unique('c'))
  await save(page)

  await page.getByRole('link', { name: category }).click()
  await page.getByRole('button', { name: '新建功能' }).click()
  await field(page, '名称').fill('电源开关')
  await field(page, '标识符').fill('PowerSwitch')
  await field(page, '数据类型').click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('布尔').click()
  await expect(inDialog(page).getByRole('switch', { name: '电源开关的控件' })).toBeVisible()
  await save(page)
  await page.getByRole('button', { name: '发布新版本' }).click()
  await press(page, /发\s?布/)
  await expect(page.getByText('已发布版本 1').first()).toBeVisible()

  await page.goto(paths.deviceAccess.config.product())
  await page.getByRole('button', { name: '新建产品' }).click()
  await field(page, '产品名称').fill(product)
  await choose(page, '厂商', maker)
  await field(page, '型号').fill('L-1')
  await choose(page, '品类', category)
  await field(page, '产品类型').fill('SAFEWAY_LIGHT')
  await page.getByTitle(/SAFEWAY_LIGHT/).click()
  await save(page)
  await page.getByRole('link', { name: product }).click()
  await page.getByRole('button', { name: /^发\s?布$/ }).click()
  await press(page, /^发\s?布$/)
  await expect(page.getByRole('button', { name: /停\s?用/ })).toBeVisible()

  await page.getByRole('tab', { name: '设备' }).click()
  await page.getByRole('button', { name: '登记设备' }).click()
  const deviceName = unique('lamp-')
  await field(page, '设备名称').fill(lamp)
  await field(page, 'DeviceName').fill(deviceName)
  await choose(page, '位置', '塔楼 / 1 层')
  await press(page, /保\s?存/)
  const told = page.getByRole('dialog', { name: '设备已登记' })
  await expect(told.getByText('DeviceSecret 只显示这一次')).toBeVisible()
  const [productKey, , deviceSecret] = await told.locator('code').allInnerTexts()
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
    const asked: number[] = []
    device.onProps(({ id, params }) => {
      asked.push(params.PowerSwitch!)
      const set = `/sys/${productKey}/${deviceName}/thing/service/property/set_reply`
      device.publish(set, JSON.stringify({ id, code: 200, data: {} }))
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
    await save(page)
    await expect(page.getByText('已摆放')).toBeVisible()

    await page.goto('/home')
    const onPlan = page.getByRole('button', { name: new RegExp(`^${lamp}`) })
    await expect(onPlan).toHaveAccessibleName(`${lamp} 开`)
    await onPlan.click()
    await expect(onPlan).toHaveAccessibleName(`${lamp} 关`)
    expect(asked).toEqual([0])
  } finally {
    device.end(true)
  }
})
