import { expect, test, visit } from './fixtures'

test('holds a lamp by hand: a bulk command skips it and says so, until the override is ended', async ({
  operator: page,
}) => {
  await visit(page, '/home')
  const buildings = page.getByRole('radiogroup', { name: '楼栋' })
  await buildings.getByText('会议中心').click()
  await expect(buildings.getByRole('radio', { name: '会议中心' })).toBeChecked()
  await page
    .getByRole('radiogroup', { name: '楼层' })
    .getByTitle(/^3 层：亮/)
    .click()
  const findLamp = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
  const [heldLamp, otherLamp] = [findLamp('C座3F-报告厅-01'), findLamp('C座3F-报告厅-02')]
  await heldLamp.click({ modifiers: ['Shift'] })
  const bar = page.getByRole('toolbar', { name: '选中的灯' })
  await bar.getByRole('button', { name: '手动保持' }).click()
  const form = page.getByRole('dialog', { name: /^手动保持：C座3F-报告厅-01/ })
  await form.getByLabel('原因').fill('会议到 18:30')
  await form.getByRole('button', { name: /^保\s?持$/ }).click()
  await expect(form).toBeHidden()
  await expect(heldLamp).toHaveAccessibleName(/^C座3F-报告厅-01 开，手动保持至 .*（平台管理员）/)
  const override = page.getByRole('article', { name: /C座3F-报告厅-01，手动保持$/ })
  await expect(override).toContainText('会议到 18:30')
  await bar.getByRole('button', { name: '取消选择' }).click()

  await page.getByRole('button', { name: /^关 3 层/ }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText(/跳过 \d+ 盏（手动保持 1/)
  await question.getByRole('button', { name: /^关闭 \d+ 盏/ }).click()
  const task = page.getByRole('article', { name: /^灯光全关 · .*3 层$/ }).first()
  await expect(task).toContainText('手动保持 1')
  await expect(otherLamp).toHaveAccessibleName('C座3F-报告厅-02 关')
  await expect(heldLamp).toHaveAccessibleName(/^C座3F-报告厅-01 开，手动保持/)

  await task.getByRole('button', { name: '恢复原状' }).click()
  await expect(otherLamp).toHaveAccessibleName('C座3F-报告厅-02 开')
  await override.getByRole('button', { name: /^解除/ }).click()
  await expect(override).toBeHidden()
  await expect(heldLamp).toHaveAccessibleName('C座3F-报告厅-01 开')
})
