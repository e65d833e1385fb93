import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createUniqueName } from './listHelpers'

const address = paths.deviceAccess.config.iconLibrary()
const createSvgFile = (name: string) => ({
  name: `${name}.svg`,
  mimeType: 'image/svg+xml',
  // The title contains the name, so that no two files are identical.
  buffer: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><title>${name}</title><path d="M0 0h8v8z"/></svg>`,
  ),
})

test('uses an uploaded icon for a menu, and then refuses to delete it', async ({
  operator: page,
}) => {
  const [name, menu] = [createUniqueName('吊灯'), createUniqueName('图标目录')]
  await visit(page, address)
  await page.getByRole('button', { name: '新建图标' }).click()
  await getField(page, '图标名称').fill(name)
  await getField(page, '图标编码').fill(createUniqueName('lamp'))
  await getField(page, '正常图标').setInputFiles(createSvgFile(name))
  await expect(getDialog(page).getByText('更换图片')).toBeVisible()
  await saveDialog(page)

  await visit(page, paths.system.menu())
  await page.getByRole('button', { name: '新建菜单' }).click()
  await getField(page, '名称').fill(menu)
  await getField(page, '图标').click()
  await page.getByPlaceholder('搜索图标').fill(name)
  await page.getByRole('option', { name }).click()
  await expect(getField(page, '图标')).toHaveText(name)
  await saveDialog(page)

  await visit(page, `${address}?name=${name}`)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row.getByRole('img', { name: `${name} 正常` })).toBeVisible()
  await row.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await getDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  const refusal = page.getByRole('dialog', { name: `“${name}”还不能删除` })
  await expect(refusal.getByText(menu)).toBeVisible()
  await refusal.getByRole('button', { name: '知道了' }).click()
})

test('creates an icon for each of several uploaded files, or gives the reason', async ({
  operator: page,
}) => {
  const [firstName, secondName] = [createUniqueName('a'), createUniqueName('b')]
  await visit(page, address)
  const files = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: '上传多个' }).click()
  const gifFile = { name: 'plan.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') }
  await (await files).setFiles([createSvgFile(firstName), createSvgFile(secondName), gifFile])
  await expect(getDialog(page)).toContainText('上传：成功 2 条，失败 1 条')
  await expect(
    getDialog(page).getByRole('row', { name: /plan\.gif.*请选择 SVG、PNG、WEBP 图片/ }),
  ).toBeVisible()
  await getDialog(page)
    .getByRole('button', { name: /知道了|确\s?定/ })
    .click()
  await expect(page.getByRole('row', { name: new RegExp(secondName) })).toBeVisible()
})
