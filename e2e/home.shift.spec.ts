import type { APIRequestContext } from '@playwright/test'
import { expect, storeToken, createUserAndSignIn, test, visit } from './fixtures'

/** This simulated lamp has a broken driver and refuses commands. */
const refusingLamp = 'A座2F-南办公区-03'

/** Sends a command that the lamp refuses, and waits until a rule has opened an incident for it. */
async function failCommand(api: APIRequestContext) {
  const searchResult = await (
    await api.get(`/v1/device/search?projectId=1&text=${encodeURIComponent(refusingLamp)}`)
  ).json()
  const scope = { kind: 'devices', deviceIds: [searchResult.data.list[0].id] }
  const data = { kind: 'set', projectId: 1, scope, values: { PowerSwitch: 0 } }
  await api.post('/v1/control/task', { data })
  await expect(async () => {
    const filters = { projectId: 1, title: '控制任务失败' }
    const answer = await (await api.post('/v1/incident/page', { data: filters })).json()
    expect(answer.data.total).toBeGreaterThan(0)
  }).toPass({ timeout: 60_000 })
}

test('hands over open incidents and failed commands, with a note for the next shift', async ({
  operator,
  api,
}) => {
  await failCommand(api)
  await visit(operator, '/home')
  await operator.getByRole('button', { name: /^交接/ }).click()
  const drawer = operator.getByRole('dialog', { name: '交接' })
  const incident = drawer.getByRole('listitem').filter({ hasText: '控制任务失败' }).first()
  await expect(incident).toBeVisible()
  // The row below names the user and the result.
  const eventRow = drawer.getByRole('row').filter({ hasText: refusingLamp }).first()
  await expect(eventRow).toContainText('平台管理员')
  await expect(eventRow).toContainText('失败 1')

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

test('tells a user who may not list incidents whom to ask, and still lists the operations', async ({
  operator,
  api,
}) => {
  await failCommand(api)
  const visitor = await createUserAndSignIn('visitor', api, [1])
  const page = await operator.context().browser()!.newPage()
  await storeToken(page, visitor.token)
  await page.goto('/home')
  await page.getByRole('button', { name: /^交接/ }).click()
  const drawer = page.getByRole('dialog', { name: '交接' })
  await expect(drawer.getByText('您没有查看告警的权限')).toBeVisible()
  await expect(drawer.getByRole('row').filter({ hasText: refusingLamp }).first()).toBeVisible()
  await page.close()
})
