import type { APIRequestContext } from '@playwright/test'
import { expect, storeToken, createUserAndSignIn, test, visit } from './fixtures'
import { createSender, createUniqueName } from './listHelpers'

/** This simulated lamp has a broken driver and refuses commands. */
const refusingLamp = 'A座2F-南办公区-03'

/** Sends a command that the lamp refuses. */
async function failCommand(api: APIRequestContext) {
  const searchResult = await (
    await api.get(`/v1/device/search?projectId=1&text=${encodeURIComponent(refusingLamp)}`)
  ).json()
  const scope = { kind: 'devices', deviceIds: [searchResult.data.list[0].id] }
  const data = { kind: 'set', projectId: 1, scope, values: { PowerSwitch: 0 } }
  await api.post('/v1/control/task', { data })
}

/** Waits until a rule has opened an incident for a refused command. */
const waitForIncident = (api: APIRequestContext) =>
  expect(async () => {
    const filters = { projectId: 1, title: '控制任务失败' }
    const answer = await (await api.post('/v1/incident/page', { data: filters })).json()
    expect(answer.data.total).toBeGreaterThan(0)
  }).toPass({ timeout: 60_000 })

test('hands over open incidents and failed commands, with a note for the next shift', async ({
  operator,
  api,
}) => {
  await failCommand(api)
  await visit(operator, '/home')
  const openDrawer = () => operator.getByRole('button', { name: /^交接/ }).click()
  await openDrawer()
  const drawer = operator.getByRole('dialog', { name: '交接' })
  // The row of the command is read at once, because commands of other tests push it to the next page.
  const eventRow = drawer.getByRole('row').filter({ hasText: refusingLamp }).first()
  await expect(eventRow).toContainText('平台管理员')
  await expect(eventRow).toContainText('失败 1')
  await operator.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await waitForIncident(api)
  await openDrawer()
  const incident = drawer.getByRole('listitem').filter({ hasText: '控制任务失败' }).first()
  await expect(incident).toBeVisible()

  await incident.getByRole('button', { name: /更多操作$/ }).click()
  await operator.getByRole('menuitem', { name: '加备注' }).click()
  const dialog = operator.getByRole('dialog', { name: /^备注 / })
  await dialog.getByLabel('备注').fill('已报修')
  await dialog.getByRole('button', { name: /加\s?上/ }).click()
  await expect(dialog).toBeHidden()
  const acknowledge = incident.getByRole('button', { name: /^确认/ })
  if (await acknowledge.isVisible()) await acknowledge.click()
  await expect(incident).toContainText('已确认')
  await incident.getByRole('link').click()
  await expect(operator.getByText('已报修').first()).toBeVisible()
})

test('lets a read-only visitor read the incidents and operations without acknowledging them', async ({
  page,
  api,
}) => {
  await failCommand(api)
  await waitForIncident(api)
  const visitor = await createUserAndSignIn('visitor', api, [1])
  await storeToken(page, visitor.token)
  await page.goto('/home')
  await page.getByRole('button', { name: /^交接/ }).click()
  const drawer = page.getByRole('dialog', { name: '交接' })
  const incident = drawer.getByRole('listitem').filter({ hasText: '控制任务失败' }).first()
  await expect(incident).toBeVisible()
  await expect(drawer.getByRole('row').filter({ hasText: refusingLamp }).first()).toBeVisible()
  await expect(incident.getByRole('button')).toHaveCount(0)
  await expect(drawer.getByRole('button', { name: /^确认/ })).toHaveCount(0)
  await incident.getByRole('link').click()
  await expect(page.getByRole('heading', { name: '时间线' })).toBeVisible()
  await expect(page.getByRole('button', { name: '手动恢复' })).toBeDisabled()
})

test('hands a shift over to a colleague, who confirms it, and prints the record', async ({
  operator: giver,
  page,
  api,
}) => {
  await failCommand(api)
  await waitForIncident(api)
  const lampName = 'A座1F-茶水间-01'
  const send = createSender(api)
  const { list } = await send<{ list: { id: string }[] }>(
    'get',
    `/v1/device/search?projectId=1&text=${encodeURIComponent(lampName)}`,
  )
  await send('post', '/v1/manual-override', {
    projectId: 1,
    scope: { kind: 'devices', deviceIds: [list[0]!.id] },
    until: new Date(Date.now() + 3_600_000).toISOString(),
    reason: '会议',
  })
  const note = createUniqueName('二层南办公区一盏灯已报修')
  await visit(giver, '/home')
  await giver.getByRole('button', { name: /^交接/ }).click()
  const ownDrawer = giver.getByRole('dialog', { name: '交接' })
  await ownDrawer.getByLabel('交班说明').fill(note)
  // The note is kept over a reload.
  await giver.reload()
  await giver.getByRole('button', { name: /^交接/ }).click()
  await expect(ownDrawer.getByLabel('交班说明')).toHaveValue(note)
  await ownDrawer.getByRole('button', { name: /交\s?班$/ }).click()
  await expect(ownDrawer).toContainText('等另一位同事接班确认')
  await expect(ownDrawer.getByRole('button', { name: '接班确认' })).toHaveCount(0)

  const colleague = await createUserAndSignIn('operator', api, [1])
  await storeToken(page, colleague.token)
  // The page removes the printed frame after printing, which ends at once without a printer.
  await page.addInitScript(() => (window.print = () => {}))
  await page.goto('/home')
  await page.getByRole('button', { name: /^交接/ }).click()
  const drawer = page.getByRole('dialog', { name: '交接' })
  await expect(drawer).toContainText(/平台管理员 于 .* 交班，等您接班/)
  await drawer.getByRole('button', { name: '接班确认' }).click()
  const record = drawer.getByRole('article', { name: /^交接班 / }).filter({ hasText: note })
  await expect(record).toContainText(new RegExp(`平台管理员 交班，${colleague.name} .* 接班`))
  await expect(record).toContainText(/未恢复的告警 [1-9]\d*，手动保持 [1-9]/)

  await record.getByRole('button', { name: /^打印/ }).click()
  const printed = page.frameLocator('iframe[title="打印交接班记录"]').locator('body')
  await expect(printed).toContainText(note)
  for (const text of ['平台管理员 ·', `${colleague.name} ·`, '控制任务失败', lampName, '会议'])
    await expect(printed).toContainText(text)
  const overrides = await send<{ id: string }[]>('get', '/v1/manual-override?projectId=1')
  for (const { id } of overrides) await send('post', `/v1/manual-override/${id}/end`)
})
