import { expect, test } from './fixtures'
import { draft, field, inDialog, save, unique } from './lists'

const address = '/deviceAccess/config/manufacturer'

test('creates a manufacturer with its region and finds it again by the address', async ({
  operator: page,
}) => {
  const name = unique('新厂商')
  await page.goto(address)
  await page.getByRole('button', { name: '新建厂商' }).click()
  await field(page, '厂商名称').fill(name)
  await field(page, '厂商编码').fill(unique('m'))
  await field(page, '所在地区').click()
  await field(page, '所在地区').pressSequentially('深圳南山')
  await page
    .getByRole('option', { name: /南山区/ })
    .first()
    .click()
  await save(page)
  await page.getByPlaceholder('厂商名称').fill(name)
  await expect(page).toHaveURL(/name=/)
  await page.reload()
  await expect(
    page.getByRole('row', { name: new RegExp(`${name}.*广东省 / 深圳市 / 南山区`) }),
  ).toBeVisible()
  await expect(page.getByText('共 1 条')).toBeVisible()
})

test('says at the field what is wrong, and that a code is taken', async ({
  operator: page,
  api,
}) => {
  const code = unique('taken')
  await api.post('/v1/manufacturer', { data: draft({ code }) })
  await page.goto(address)
  await page.getByRole('button', { name: '新建厂商' }).click()
  await field(page, '厂商编码').fill(code)
  await expect(inDialog(page).getByText(`厂商编码“${code}”已存在`)).toBeVisible()
  await field(page, '统一社会信用代码').fill('91350100M000100Y44')
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  for (const text of [
    '请输入厂商名称',
    '请选择省、市、区',
    '统一社会信用代码不正确，请核对 18 位代码',
  ])
    await expect(inDialog(page).getByText(text)).toBeVisible()
})

test('keeps what a colleague saved in between, and asks only where both changed the same', async ({
  operator: page,
  api,
}) => {
  const { data: row } = await (
    await api.post('/v1/manufacturer', { data: draft({ contact: '王工' }) })
  ).json()
  await page.goto(`${address}?code=${row.code}`)
  await page.getByRole('button', { name: '编辑' }).click()
  await field(page, '联系人').fill('孙工')
  const change = { contact: '钱工', phone: '13800138000' }
  await api.put(`/v1/manufacturer/${row.id}`, { data: { ...row, ...change } })
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  const conflict = page.getByRole('dialog', { name: '这条记录刚被别人修改过' })
  await expect(conflict.getByRole('radiogroup')).toHaveCount(1)
  await expect(conflict.getByRole('radio', { name: '我填写的：孙工' })).toBeChecked()
  await conflict.getByRole('button', { name: '合并保存' }).click()
  await expect(page.getByRole('row', { name: /孙工 13800138000/ })).toBeVisible()
})

test('asks before it throws away what was typed, and brings it back after a reload', async ({
  operator: page,
}) => {
  const name = unique('半途')
  await page.goto(address)
  await page.getByRole('button', { name: '新建厂商' }).click()
  await field(page, '厂商名称').fill(name)
  await page.reload()
  await expect(page.getByText('有未保存的新建厂商')).toBeVisible()
  await page.getByRole('button', { name: '继续' }).click()
  await expect(field(page, '厂商名称')).toHaveValue(name)
  await inDialog(page)
    .getByRole('button', { name: /取\s?消/ })
    .click()
  const question = page.getByRole('dialog', { name: '放弃未保存的修改？' })
  await question.getByRole('button', { name: '继续编辑' }).click()
  await expect(question).toBeHidden()
  await expect(field(page, '厂商名称')).toHaveValue(name)
  await inDialog(page)
    .getByRole('button', { name: /取\s?消/ })
    .click()
  await page.getByRole('button', { name: /^放\s?弃$/ }).click()
  await expect(inDialog(page)).toBeHidden()
})
