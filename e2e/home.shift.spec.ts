import type { APIRequestContext } from '@playwright/test'
import { expect, storeToken, createUserAndSignIn, test, visit } from './fixtures'

/** This simulated lamp has a broken driver and refuses commands. */
const refusingLamp = 'A座2F-南办公区-03'

/** Sends a command that the lamp refuses, and waits until it has finished. */
async function failCommand(api: APIRequestContext) {
  const searchResult = await (
    await api.get(`/v1/device/search?projectId=1&text=${encodeURIComponent(refusingLamp)}`)
  ).json()
  const scope = { kind: 'devices', deviceIds: [searchResult.data.list[0].id] }
  const data = { kind: 'set', projectId: 1, scope, values: { PowerSwitch: 0 } }
  const task = await (await api.post('/v1/control/task', { data })).json()
  await expect(async () => {
    const taskState = await (await api.get(`/v1/control/task/${task.data.id}`)).json()
    expect(taskState.data.doneTime).not.toBeNull()
  }).toPass()
}

test('shows incidents as they occur, and acknowledges one with a note', async ({
  operator,
  api,
}) => {
  await visit(operator, '/home')
  const button = operator.getByRole('button', { name: /^交接/ })
  await expect(button).toBeVisible()
  await failCommand(api)
  await expect(button).toHaveAccessibleName(/^交接，\d+ 条未确认$/)
  await button.click()
  const drawer = operator.getByRole('dialog', { name: '交接' })
  const device = drawer.getByRole('article', { name: `${refusingLamp}的事件` })
  await expect(device).toContainText('命令失败')
  await expect(device).toContainText('驱动电源故障')
  // The row below names the user and the result.
  const eventRow = drawer.getByRole('row').filter({ hasText: refusingLamp }).first()
  await expect(eventRow).toContainText('平台管理员')
  await expect(eventRow).toContainText('失败 1')

  const dialog = operator.getByRole('dialog', { name: /^确认 1 条/ })
  // Other tests switch this lamp too, and events that came after the drawer was read are not acknowledged with it, so
  // acknowledging is repeated.
  await expect(async () => {
    if (await device.isHidden()) return
    if (await dialog.isHidden())
      await device.getByRole('button', { name: '确认' }).click({ timeout: 10_000 })
    await dialog.getByLabel('备注').fill('已报修', { timeout: 10_000 })
    await dialog.getByRole('button', { name: '确认', exact: true }).click({ timeout: 10_000 })
    await expect(dialog)
      .toBeHidden({ timeout: 10_000 })
      .catch(() => dialog.getByRole('button', { name: /取\s?消/ }).click({ timeout: 5000 }))
    await expect(device).toBeHidden({ timeout: 10_000 })
  }).toPass()
  await drawer.getByText('全部', { exact: true }).click()
  await expect(device).toContainText(/admin \d\d:\d\d 已确认/)
  await expect(device).toContainText(/admin \d\d:\d\d：已报修/)
  await drawer.getByRole('button', { name: '关闭' }).click()
})

test('reports that a colleague acknowledged first, and that the incident recurred', async ({
  operator,
  api,
}) => {
  await failCommand(api)
  await visit(operator, '/home')
  await operator.getByRole('button', { name: /^交接，\d+ 条未确认$/ }).click()
  const drawer = operator.getByRole('dialog', { name: '交接' })
  const device = drawer.getByRole('article', { name: `${refusingLamp}的事件` })
  await device.getByRole('button', { name: '确认' }).click()
  const dialog = operator.getByRole('dialog', { name: /^确认 1 条/ })
  await dialog.getByLabel('备注').fill('看过了')

  const colleague = await createUserAndSignIn('operator', api, [1])
  await expect(async () => {
    const answer = await api.post('/v1/shift/incident/page', { data: { projectId: 1 } })
    const rows = (await answer.json()).data.list as { name: string; incidents: object[] }[]
    const [incident] = rows.find(({ name }) => name === refusingLamp)!.incidents as [
      { id: string; count: number },
    ]
    const incidents = [{ id: incident.id, count: incident.count }]
    const data = { projectId: 1, incidents, note: '' }
    const acknowledgement = await colleague.api.post('/v1/shift/incident/acknowledge', { data })
    expect((await acknowledgement.json()).data).toEqual([expect.objectContaining({ ok: true })])
  }).toPass()

  await dialog.getByRole('button', { name: '确认', exact: true }).click()
  await expect(operator.getByText(`${colleague.username} 已在`)).toBeVisible()
  await drawer.getByText('全部', { exact: true }).click()
  await expect(device).toContainText(`${colleague.username}`)
  await expect(device).toContainText(/admin \d\d:\d\d：看过了/)
  await drawer.getByRole('button', { name: '关闭' }).click()

  // A user with read permission only is told which permission is missing.
  const visitor = await createUserAndSignIn('visitor', api, [1])
  await failCommand(api)
  const page = await operator.context().browser()!.newPage()
  await storeToken(page, visitor.token)
  await page.goto('/home')
  await page.getByRole('button', { name: /^交接，/ }).click()
  const row = page.getByRole('article', { name: `${refusingLamp}的事件` })
  await expect(row.getByRole('button', { name: '确认' })).toBeDisabled()
  await page.close()
})
