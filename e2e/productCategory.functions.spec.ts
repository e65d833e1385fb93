import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createUniqueName } from './listHelpers'

async function createCategory(api: APIRequestContext) {
  const draft = { parentId: null, name: createUniqueName('品类'), code: createUniqueName('c') }
  const answer = await api.post('/v1/product-category', {
    data: { ...draft, icon: '', description: '', sort: 1 },
  })
  const { data } = (await answer.json()) as { data: { id: string } }
  return `${paths.deviceAccess.productCategory()}/${data.id}`
}

test('creates and publishes a dimmer with its slider, and shows the diff', async ({
  operator: page,
  api,
}) => {
  await visit(page, await createCategory(api))
  await page.getByRole('button', { name: '新建功能' }).click()
  await getField(page, '名称').fill('亮度')
  await getField(page, '标识符').fill('1x')
  await expect(getDialog(page).getByText(/标识符以字母开头/)).toBeVisible()
  await getField(page, '标识符').fill('Brightness')
  await getField(page, '最小值').fill('0')
  await getField(page, '最大值').fill('100')
  await expect(getDialog(page).getByRole('slider', { name: '亮度的控件' })).toBeVisible()
  await saveDialog(page)
  await expect(page.getByText('已保存“亮度”')).toBeVisible()
  const row = page.getByRole('row', { name: /亮度.*Brightness.*整数 0–100/ })
  await expect(row.getByRole('slider')).toBeVisible()

  await page.getByRole('button', { name: '亮度的更多操作' }).click()
  await page.getByRole('menuitem', { name: '复制' }).click()
  await expect(getField(page, '标识符')).toHaveValue('Brightness_2')
  await getField(page, '标识符').fill('Brightness')
  await expect(getDialog(page).getByText('标识符 Brightness 已被使用')).toBeVisible()
  await getField(page, '标识符').fill('NightLevel')
  await getField(page, '名称').fill('夜间亮度')
  await saveDialog(page)
  await page
    .getByRole('row', { name: /夜间亮度/ })
    .dragTo(row, { targetPosition: { x: 60, y: 4 }, steps: 5 })
  await expect(page.getByRole('row').nth(1)).toContainText('夜间亮度')

  await page.getByRole('button', { name: '发布新版本' }).click()
  await expect(getDialog(page).getByRole('row', { name: /新增.*夜间亮度/ })).toBeVisible()
  await getDialog(page).getByLabel('版本说明').fill('第一版')
  await getDialog(page)
    .getByRole('button', { name: /发\s?布/ })
    .click()
  await expect(page.getByText('已发布版本 1').first()).toBeVisible()

  await page.getByPlaceholder('功能名称或标识符').fill('亮度')
  await page.getByRole('checkbox', { name: '全选' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: '必选' }).click()
  await page.getByRole('menuitem', { name: '设为必选' }).click()
  await expect(page.getByText('草稿有 2 处修改')).toBeVisible()
  await page.getByRole('tab', { name: '版本' }).click()
  await expect(page).toHaveURL(/tab=versions/)
  await expect(page.getByText('必选：否 → 是').first()).toBeVisible()
})

test('imports a TSL file completely or not at all', async ({ operator: page, api }) => {
  await visit(page, await createCategory(api))
  const lamp = JSON.parse(
    await readFile(
      join(import.meta.dirname, '../shared/src/contract/thingModel/tslSamples/lamp.json'),
      'utf8',
    ),
  ) as { properties: { name: string }[] }
  const chooseFile = (content: object) =>
    getDialog(page)
      .locator('input[type=file]')
      .setInputFiles({
        name: 'lamp.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(content)),
      })
  await page.getByRole('button', { name: /导\s?入/ }).click()
  await chooseFile({
    ...lamp,
    properties: [{ ...lamp.properties[0], name: '' }, lamp.properties[1]],
  })
  await expect(
    getDialog(page).getByRole('row', { name: /第 1 个属性 LightSwitch 名称 请输入名称/ }),
  ).toBeVisible()
  await expect(getDialog(page).getByRole('button', { name: /^导\s?入$/ })).toBeDisabled()
  await chooseFile(lamp)
  await expect(getDialog(page).getByRole('row', { name: /新增.*RGB调色/ })).toBeVisible()
  await getDialog(page)
    .getByRole('button', { name: /^导\s?入$/ })
    .click()
  await expect(page.getByRole('row', { name: /RGB调色/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /属性上报|thing/ })).toHaveCount(0)
})
