import type { Page } from '@playwright/test'
import { expect, test, visit } from './fixtures'
import {
  createManufacturerDraft,
  getField,
  getDialog,
  saveDialog,
  createUniqueName,
} from './listHelpers'

const address = '/deviceAccess/config/manufacturer'

const openForm = async (page: Page) => {
  await visit(page, address)
  await page.getByRole('button', { name: '新建厂商' }).click()
  await expect(getField(page, '所在地区')).toBeEnabled()
}

test('is filled in by initials with the keyboard only', async ({ newcomer: page }) => {
  await openForm(page)
  await getField(page, '所在地区').focus()
  // The keys are typed in one go, before any code or result has loaded.
  await page.keyboard.type('szns\n')
  await expect(getDialog(page).getByTitle('广东省 / 深圳市 / 南山区')).toBeVisible()
})

test('shows the full path for duplicate names', async ({ operator: page }) => {
  await openForm(page)
  await getField(page, '所在地区').focus()
  await page.keyboard.type('鼓楼区')
  for (const path of ['江苏省 / 南京市', '江苏省 / 徐州市', '福建省 / 福州市', '河南省 / 开封市'])
    await expect(page.getByTitle(`${path} / 鼓楼区`)).toBeVisible()
})

test('selects by columns, and completes a city with a single area', async ({ operator: page }) => {
  await openForm(page)
  await getField(page, '所在地区').click()
  await page.getByRole('option', { name: '广东省' }).click()
  await page.getByRole('option', { name: '东莞市' }).click()
  await expect(getDialog(page).getByText(/广东省.*东莞市/)).toBeVisible()
})

test('fills the region from a pasted address and moves the rest to the address field', async ({
  operator: page,
}) => {
  await openForm(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() =>
    navigator.clipboard.writeText('张三 13800138000 广东深圳南山科技园南路1号'),
  )
  await getField(page, '所在地区').click()
  await expect(page.getByRole('option', { name: '广东省' })).toBeVisible()
  await page.keyboard.press('Control+V')
  await expect(getDialog(page).getByTitle('广东省 / 深圳市 / 南山区')).toBeVisible()
  const street = getField(page, '详细地址')
  await expect(street).toHaveValue('科技园南路1号')
  await expect(getField(page, '联系人')).toHaveValue('张三')

  // The second paste has another region: both fields change together or not at all, and one undo restores them.
  const text = '400-820-8820 湖北省仙桃市沔阳大道1号'
  await page.evaluate((text) => navigator.clipboard.writeText(text), text)
  await getField(page, '联系电话').fill('')
  await street.selectText()
  await page.keyboard.press('Control+V')
  const offer = getDialog(page).getByRole('button', { name: '改为此地区' })
  await expect(offer).toBeVisible()
  await expect(street).toHaveValue(text)
  await expect(getDialog(page).getByTitle('广东省 / 深圳市 / 南山区')).toBeVisible()
  await offer.click()
  await expect(getDialog(page).getByTitle('湖北省 / 仙桃市')).toBeVisible()
  await expect(street).toHaveValue('沔阳大道1号')
  await expect(getField(page, '联系电话')).toHaveValue('4008208820')
  await getDialog(page).getByRole('button', { name: '恢复原内容' }).click()
  await expect(getDialog(page).getByTitle('广东省 / 深圳市 / 南山区')).toBeVisible()
  await expect(street).toHaveValue('科技园南路1号')
  await expect(getField(page, '联系电话')).toHaveValue('')
})

test('names an abolished district and offers its successor without applying it', async ({
  operator: page,
  api,
}) => {
  const code = createUniqueName('old')
  await api.post('/v1/manufacturer', {
    data: createManufacturerDraft({ code, areaCode: '330103' }),
  })
  await visit(page, `${address}?code=${code}`)
  await page.getByRole('button', { name: '编辑' }).click()
  await expect(getDialog(page).getByText('下城区已撤并')).toBeVisible()
  await saveDialog(page)
  await page.getByRole('button', { name: '编辑' }).click()
  await getDialog(page)
    .getByRole('button', { name: /改为.*拱墅区/ })
    .click()
  await saveDialog(page)
  await expect(page.getByRole('row', { name: /浙江省 \/ 杭州市 \/ 拱墅区/ })).toBeVisible()
})
