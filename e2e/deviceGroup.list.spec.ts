import type { APIRequestContext } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createSender, createUniqueName } from './listHelpers'

const groupTabPath = `${paths.deviceAccess.device()}?tab=group`
const findDevice = async (api: APIRequestContext, text: string) =>
  (
    await createSender(api)<{ list: { id: string; name: string }[] }>(
      'get',
      `/v1/device/search?projectId=1&text=${encodeURIComponent(text)}`,
    )
  ).list[0]!

test('previews the devices of a group rule before saving, and keeps a group used by a scene', async ({
  operator: page,
  api,
}) => {
  const name = createUniqueName('茶水间组')
  await visit(page, groupTabPath)
  await page.getByRole('button', { name: '新建设备组' }).click()
  await getField(page, '设备组名称').fill(name)
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(getDialog(page).getByText('产品、位置、标签至少选一项')).toBeVisible()
  await getField(page, '位置').fill('A 座 / 1 层 / 茶水间')
  await page
    .locator('.ant-select-dropdown:visible')
    .getByTitle('科创大厦 A 座 / 1 层 / 茶水间', { exact: true })
    .click()
  await expect(getDialog(page).getByText(/^现在 \d+ 台$/)).toBeVisible()
  await expect(getDialog(page).getByText(/A座1F-茶水间-01/)).toBeVisible()
  await getField(page, '设备组名称').click()
  await saveDialog(page)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('按规则')
  await expect(row).toContainText('茶水间')
  await expect(row).toContainText(/\d+ 台/)

  const send = createSender(api)
  const { list } = await send<{ list: { id: string; name: string }[] }>(
    'post',
    '/v1/device-group/page',
    { projectId: 1, name },
  )
  const scene = await send<{ id: string }>('post', '/v1/scene', {
    projectId: 1,
    name: createUniqueName('组场景'),
    icon: 'BulbOutlined',
    sort: 99,
    status: 'enabled',
    order: 'parallel',
    triggers: [],
    calendarId: null,
    dayMode: 'ignore',
    dayTypes: [],
    silenceMinutes: 0,
    quietFrom: null,
    quietTo: null,
    actions: [
      {
        productType: 'SAFEWAY_LIGHT',
        values: { PowerSwitch: 1 },
        delay: 0,
        scope: { kind: 'group', groupId: list[0]!.id },
      },
    ],
  })
  const remove = async () => {
    await page.getByRole('button', { name: `${name}的更多操作` }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await getDialog(page)
      .getByRole('button', { name: /删\s?除/ })
      .click()
  }
  await remove()
  await expect(getDialog(page).filter({ hasText: '组场景' })).toBeVisible()
  await getDialog(page)
    .getByRole('button', { name: /知道了|关\s?闭|确\s?定/ })
    .last()
    .click()
  await send('delete', `/v1/scene/${scene.id}`)
  await remove()
  await expect(row).toHaveCount(0)
})

test('chooses devices by name, and filters the list of groups', async ({ operator: page, api }) => {
  const name = createUniqueName('手选组')
  const lamp = await findDevice(api, 'A座1F-茶水间-01')
  await visit(page, groupTabPath)
  await page.getByRole('button', { name: '新建设备组' }).click()
  await getField(page, '设备组名称').fill(name)
  await getDialog(page).getByText('手动选择').click()
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(getDialog(page).getByText('请选择设备')).toBeVisible()
  await getDialog(page).getByRole('combobox', { name: '设备', exact: true }).fill(lamp.name)
  await page.locator('.ant-select-dropdown:visible').getByTitle(lamp.name, { exact: true }).click()
  await getField(page, '设备组名称').click()
  await saveDialog(page)
  await page.getByPlaceholder('设备组名称').fill(name)
  await expect(page.getByText('共 1 条')).toBeVisible()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('手动选择')
  await row.getByRole('link', { name: '1 台' }).click()
  await expect(page.getByText('共 1 条')).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(lamp.name) })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await getDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
})
