import type { APIRequestContext } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { sender, unique } from './lists'

type Lamp = { id: string; name: string; reported: Record<string, number> }
const roomOf = async (api: APIRequestContext) =>
  (
    await sender(api)<{ list: Lamp[] }>(
      'get',
      `/v1/device/search?projectId=1&text=${encodeURIComponent('A座1F-茶水间')}`,
    )
  ).list
const set = (api: APIRequestContext, lamps: Lamp[], value: number) =>
  sender(api)('post', '/v1/control/task', {
    ...{ kind: 'set', projectId: 1, values: { PowerSwitch: value } },
    scope: { kind: 'devices', deviceIds: lamps.map(({ id }) => id) },
  })
const say = (api: APIRequestContext, names: string[], value: number) =>
  expect
    .poll(
      async () =>
        (await roomOf(api))
          .filter(({ name }) => names.includes(name))
          .map(({ reported }) => reported.PowerSwitch),
      { timeout: 20_000 },
    )
    .toEqual(names.map(() => value))

test('a group is chosen beside the floors, and its lamps go off and only they', async ({
  operator: page,
  api,
}) => {
  const name = unique('走廊组')
  const send = sender(api)
  const lamps = await roomOf(api)
  expect(lamps.length).toBeGreaterThan(1)
  const [first, ...others] = lamps as [Lamp, ...Lamp[]]
  const names = others.map((one) => one.name)
  await set(api, lamps, 1)
  await say(api, [first.name, ...names], 1)
  const { id } = await send<{ id: string }>('post', '/v1/device-group', {
    ...{ projectId: 1, name, kind: 'hand', deviceIds: [first.id], description: '' },
    ...{ productIds: [], spaceIds: [], tags: [] },
  })
  try {
    await visit(page, paths.home())
    await page.getByRole('combobox', { name: '设备组' }).fill(name)
    await page.locator('.ant-select-dropdown:visible').getByTitle(name, { exact: true }).click()
    await expect(page.getByRole('row', { name: new RegExp(first.name) })).toBeVisible()
    await page.getByRole('button', { name: `关 ${name}（1 盏）` }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('将关闭 1 盏')
    await dialog.getByRole('button', { name: '全关' }).click()
    const task = page.getByRole('article', { name: `灯光全关 · ${name}`, exact: true }).first()
    await expect(task).toContainText('关', { timeout: 20_000 })
    await say(api, [first.name], 0)
    await say(api, names, 1)
    await expect(page.getByRole('row', { name: new RegExp(`${first.name}.*关`) })).toBeVisible({
      timeout: 15_000,
    })
  } finally {
    await set(api, [first], 1)
    await say(api, [first.name], 1)
    await send('delete', `/v1/device-group/${id}`)
  }
})
