import { expect, storeToken, createUserAndSignIn, test, visit } from './fixtures'
import { failCommand, findDeviceByName, refusingLamp, waitForIncident } from './buildingLamps'
import { createSender, createUniqueName } from './listHelpers'

test('hands open incidents, failed commands and a note over to a colleague, who confirms and prints the record', async ({
  operator: giver,
  page,
  api,
}) => {
  await failCommand(api)
  const lampName = 'A座1F-茶水间-01'
  const send = createSender(api)
  await send('post', '/v1/manual-override', {
    projectId: 1,
    scope: { kind: 'devices', deviceIds: [(await findDeviceByName(api, lampName)).id] },
    until: new Date(Date.now() + 3_600_000).toISOString(),
    reason: '会议',
  })
  await visit(giver, '/home')
  const openDrawer = () => giver.getByRole('button', { name: /^交接/ }).click()
  const ownDrawer = giver.getByRole('dialog', { name: '交接' })
  const incident = ownDrawer.getByRole('listitem').filter({ hasText: '控制任务失败' }).first()
  const note = createUniqueName('二层南办公区一盏灯已报修')

  await test.step('the drawer shows the failed command, and the incident once a rule has opened it', async () => {
    await openDrawer()
    // The row of the command is read at once, because commands of other tests push it to the next page.
    const eventRow = ownDrawer.getByRole('row').filter({ hasText: refusingLamp }).first()
    await expect(eventRow).toContainText('平台管理员')
    await expect(eventRow).toContainText('失败 1')
    await giver.keyboard.press('Escape')
    await expect(ownDrawer).toBeHidden()
    await waitForIncident(api)
    await openDrawer()
    await expect(incident).toBeVisible()
  })

  await test.step('the incident takes a note, and is acknowledged', async () => {
    await incident.getByRole('button', { name: /更多操作$/ }).click()
    await giver.getByRole('menuitem', { name: '加备注' }).click()
    const dialog = giver.getByRole('dialog', { name: /^备注 / })
    await dialog.getByLabel('备注').fill('已报修')
    await dialog.getByRole('button', { name: /加\s?上/ }).click()
    await expect(dialog).toBeHidden()
    const acknowledge = incident.getByRole('button', { name: /^确认/ })
    if (await acknowledge.isVisible()) await acknowledge.click()
    await expect(incident).toContainText('已确认')
  })

  await test.step('the note for the next shift outlasts a reload, and is handed over', async () => {
    await ownDrawer.getByLabel('交班说明').fill(note)
    await giver.reload()
    await openDrawer()
    await expect(ownDrawer.getByLabel('交班说明')).toHaveValue(note)
    await ownDrawer.getByRole('button', { name: /交\s?班$/ }).click()
    await expect(ownDrawer).toContainText('等另一位同事接班确认')
    await expect(ownDrawer.getByRole('button', { name: '接班确认' })).toHaveCount(0)
    await incident.getByRole('link').click()
    await expect(giver.getByText('已报修').first()).toBeVisible()
  })

  const colleague = await createUserAndSignIn('operator', api, [1])
  await storeToken(page, colleague.token)
  // The page removes the printed frame after printing, which ends at once without a printer.
  await page.addInitScript(() => (window.print = () => {}))
  await page.goto('/home')
  await page.getByRole('button', { name: /^交接/ }).click()
  const drawer = page.getByRole('dialog', { name: '交接' })
  const record = drawer.getByRole('article', { name: /^交接班 / }).filter({ hasText: note })

  await test.step('the colleague confirms', async () => {
    await expect(drawer).toContainText(/平台管理员 于 .* 交班，等您接班/)
    await drawer.getByRole('button', { name: '接班确认' }).click()
    await expect(record).toContainText(new RegExp(`平台管理员 交班，${colleague.name} .* 接班`))
    await expect(record).toContainText(/未恢复的告警 [1-9]\d*，手动保持 [1-9]/)
  })

  await test.step('the record is printed with its incidents and overrides', async () => {
    await record.getByRole('button', { name: /^打印/ }).click()
    const printed = page.frameLocator('iframe[title="打印交接班记录"]').locator('body')
    await expect(printed).toContainText(note)
    for (const text of ['平台管理员 ·', `${colleague.name} ·`, '控制任务失败', lampName, '会议'])
      await expect(printed).toContainText(text)
  })
  const overrides = await send<{ id: string }[]>('get', '/v1/manual-override?projectId=1')
  for (const { id } of overrides) await send('post', `/v1/manual-override/${id}/end`)
})
