import type { APIRequestContext } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { connectEdge, signChild } from '../server/src/device-access/protocol/edgeClient'
import { startReceiver } from '../server/src/modules/notification/receiver.fixture'
import { alarmRuleDraft, channelDraft, policyDraft } from './alarmDrafts'
import { address, expect, signInByApi, test, visit } from './fixtures'
import { createSender, createUniqueName, getDialog, getField, saveDialog } from './listHelpers'
import { createLamp } from './simulatedLamp'

type Created = { id: string; version: number }
type CreatedDevice = Created & { productKey: string; deviceName: string; deviceSecret: string }
type Webhook = { notifications: { event: string; title: string }[] }

const lampCount = 52

/** Creates a building of the first project, so that rules and windows of a test leave other tests alone. */
const createBuilding = (api: APIRequestContext) =>
  createSender(api)<Created & { name: string }>('post', '/v1/space', {
    projectId: 1,
    parentId: null,
    type: 'building',
    name: createUniqueName('楼'),
  })

const createRule = (api: APIRequestContext, change: object) =>
  createSender(api)<Created>('post', '/v1/alarm-rule', {
    name: createUniqueName('规则'),
    ...alarmRuleDraft,
    ...change,
  })
const brightSource = {
  kind: 'threshold',
  identifier: 'Brightness',
  operator: 'gt',
  value: 80,
  recoverValue: null,
}
type Step = { afterMinutes: number; channelIds: string[]; roleIds: string[] }
const createPolicy = (api: APIRequestContext, severity: string, steps: Step[]) =>
  createSender(api)<Created>('post', '/v1/notification-policy', {
    ...policyDraft,
    name: createUniqueName('策略'),
    severities: [severity],
    projectIds: [1],
    steps,
  })

/** Counts the incidents whose title contains a text, also resolved ones. */
async function countIncidents(api: APIRequestContext, title: string) {
  const { total } = await createSender(api)<{ total: number }>('post', '/v1/incident/page', {
    status: 'all',
    title,
  })
  return total
}

/** Starts what has to be waited for a minute, so that the other stories happen meanwhile. */
async function startEscalation(api: APIRequestContext) {
  const send = createSender(api)
  const receivers = [await startReceiver(), await startReceiver()]
  const channels: Created[] = []
  for (const { url } of receivers)
    channels.push(
      await send('post', '/v1/notification-channel', {
        ...channelDraft,
        name: createUniqueName('值班'),
        kind: 'webhook',
        url,
        secret: 'secret of the receivers',
      }),
    )
  const policy = await createPolicy(
    api,
    'major',
    channels.map(({ id }, index) => ({ afterMinutes: index, channelIds: [id], roleIds: [] })),
  )
  const lamp = await createLamp(api)
  await createRule(api, { severity: 'major', productId: lamp.productId, source: brightSource })
  lamp.post({ Brightness: 92 })
  const readEvents = (index: number) =>
    receivers[index]!.requests.flatMap(({ body }) =>
      (JSON.parse(body) as Webhook).notifications
        .filter(({ title }) => title.includes(lamp.name))
        .map(({ event }) => event),
    )
  return {
    lamp,
    readEvents,
    async close() {
      await lamp.close()
      await send('delete', `/v1/notification-policy/${policy.id}`)
      for (const { id } of channels) await send('delete', `/v1/notification-channel/${id}`)
      await Promise.all(receivers.map((receiver) => receiver.close()))
    },
  }
}

let escalation: Awaited<ReturnType<typeof startEscalation>>
test.beforeAll(async () => {
  const { api } = await signInByApi()
  escalation = await startEscalation(api)
})
test.afterAll(() => escalation.close())

/** Creates a gateway and its lamps through the interfaces that an installer and the gateway use, and connects them. */
async function connectGateway(api: APIRequestContext, spaceId: string) {
  const send = createSender(api)
  const products = await send<{ id: string; node: string }[]>('get', '/v1/product/list')
  const findProduct = (node: string) => products.find((product) => product.node === node)!.id
  const createDevice = (name: string, productId: string) =>
    send<CreatedDevice>('post', '/v1/device', {
      projectId: 1,
      productId,
      name,
      deviceName: createUniqueName('d'),
      spaceId,
      protected: false,
    })
  const name = createUniqueName('网关')
  const gateway = await createDevice(name, findProduct('gateway'))
  const lampProductId = findProduct('sub')
  const lamps: CreatedDevice[] = []
  for (let n = 0; n < lampCount; n++)
    lamps.push(await createDevice(`${name} 灯 ${n + 1}`, lampProductId))
  const { mqttPort } = await send<{ mqttPort: number }>(
    'get',
    `/v1/product/${findProduct('gateway')}/access`,
  )
  const url = `mqtt://${new URL(address).hostname}:${mqttPort}`
  const installer = await connectEdge({ url, gateway, children: [], onSet() {} })
  for (let start = 0; start < lampCount; start += 10)
    expect(
      await installer.ask('thing/topo/add', lamps.slice(start, start + 10).map(signChild)),
    ).toMatchObject({ code: 200 })
  await installer.close()
  const edge = await connectEdge({ url, gateway, children: lamps, onSet() {} })
  return { name, close: edge.close }
}

test('makes one incident of a gateway that goes offline, with its 52 lamps inside', async ({
  operator: page,
  api,
}) => {
  const building = await createBuilding(api)
  const gateway = await connectGateway(api, building.id)
  await createRule(api, {
    spaceId: building.id,
    severity: 'info',
    source: { kind: 'offline', target: 'all' },
  })
  await gateway.close()
  await expect.poll(() => countIncidents(api, gateway.name)).toBe(1)
  await visit(page, `${paths.system.alarm.incident()}?title=${encodeURIComponent(gateway.name)}`)
  const links = page.getByRole('link', { name: new RegExp(gateway.name) })
  await expect(links).toHaveCount(1)
  await links.click()
  await expect(page.getByText(`设备 ${lampCount + 1} 台`)).toBeVisible()
  await expect(page.getByRole('link', { name: `${gateway.name} 灯 1`, exact: true })).toBeVisible()
})

test('opens no incident in a maintenance window, and opens it when the window is removed', async ({
  operator: page,
  api,
}) => {
  const building = await createBuilding(api)
  const lamp = await createLamp(api, { spaceId: building.id })
  const rule = await createRule(api, {
    spaceId: building.id,
    severity: 'info',
    productId: lamp.productId,
    source: brightSource,
  })
  const windowName = createUniqueName('换灯')

  await visit(page, `${paths.system.alarm.rule()}?tab=windows`)
  await page.getByRole('button', { name: '新建维护窗口' }).click()
  await getField(page, '名称').fill(windowName)
  await getField(page, '位置').click()
  await getField(page, '位置').fill(building.name)
  await page.locator('.ant-select-dropdown:visible').getByTitle(building.name).first().click()
  await saveDialog(page)
  const row = page.getByRole('row', { name: new RegExp(windowName) })
  await expect(row).toBeVisible()

  lamp.post({ Brightness: 92 })
  const readLog = () =>
    createSender(api)<{ text: string }[]>('get', `/v1/alarm-rule/${rule.id}/log`).then((lines) =>
      lines.map(({ text }) => text).join('\n'),
    )
  await expect.poll(readLog).toContain(windowName)
  expect(await countIncidents(api, lamp.name)).toBe(0)

  await row.getByRole('button', { name: /更多操作$/ }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await getDialog(page)
    .getByRole('button', { name: /^删\s?除$/ })
    .click()
  await expect.poll(() => countIncidents(api, lamp.name)).toBe(1)
  await lamp.close()
})

test('shows an incident once in the pages of a browser, by its system as well, with a link to it', async ({
  newcomer: page,
  api,
}) => {
  const send = createSender(api)
  const channel = await send<Created>('post', '/v1/notification-channel', {
    ...channelDraft,
    name: createUniqueName('浏览器'),
    kind: 'browser',
    url: '',
    secret: '',
  })
  const policy = await createPolicy(api, 'minor', [
    { afterMinutes: 0, channelIds: [channel.id], roleIds: [] },
  ])
  // The system's own notifications cannot be read, so the browser's class is replaced by one that records them.
  await page.context().addInitScript(() => {
    const shownTitles: string[] = JSON.parse(localStorage.getItem('shownTitles') ?? '[]')
    class RecordedNotification {
      static permission = 'default'
      static requestPermission() {
        RecordedNotification.permission = 'granted'
        return Promise.resolve('granted')
      }
      constructor(title: string) {
        shownTitles.push(title)
        localStorage.setItem('shownTitles', JSON.stringify(shownTitles))
      }
      close() {}
    }
    Object.assign(window, { Notification: RecordedNotification })
  })
  await visit(page, paths.system.alarm.channel())
  await page.getByRole('button', { name: '设置', exact: true }).click()
  const wish = page.getByRole('switch', { name: '浏览器通知' })
  await expect(wish).not.toBeChecked()
  await wish.click()
  await expect(wish).toBeChecked()
  await page.getByRole('checkbox', { name: '提示' }).check()
  await page.keyboard.press('Escape')
  const secondPage = await page.context().newPage()
  await visit(secondPage, paths.system.alarm.channel())
  await secondPage.getByText('通知渠道').first().waitFor()
  await page.bringToFront()

  const lamp = await createLamp(api)
  await createRule(api, { severity: 'minor', productId: lamp.productId, source: brightSource })
  lamp.post({ Brightness: 92 })
  const message = page.locator('.ant-message-notice').filter({ hasText: lamp.name })
  const otherMessage = secondPage.locator('.ant-message-notice').filter({ hasText: lamp.name })
  await expect.poll(async () => (await message.count()) + (await otherMessage.count())).toBe(1)
  const countShownTitles = async () => {
    const titles = await page.evaluate(
      () => JSON.parse(localStorage.getItem('shownTitles') ?? '[]') as string[],
    )
    return titles.filter((title) => title.includes(lamp.name)).length
  }
  expect(await countShownTitles()).toBe(1)
  const shownPage = (await message.count()) > 0 ? page : secondPage
  await shownPage
    .locator('.ant-message-notice')
    .filter({ hasText: lamp.name })
    .getByRole('button', { name: '查看' })
    .click()
  await expect(shownPage.getByText('时间线')).toBeVisible()
  const log = await send<{ list: { answer: string }[] }>('post', '/v1/notification-delivery/page', {
    channelId: channel.id,
  })
  expect(log.list[0]!.answer).toMatch(/^已发到 \d+ 个打开的页面$/)

  // No policy tells of this severity, so the pages find the incident by themselves.
  await createRule(api, { severity: 'info', productId: lamp.productId, source: brightSource })
  await expect.poll(countShownTitles, { timeout: 20_000 }).toBe(2)
  await page.reload()
  await page.waitForResponse((response) => response.url().endsWith('/v1/incident/page'))
  expect(await countShownTitles()).toBe(2)

  await secondPage.close()
  await lamp.close()
  await send('delete', `/v1/notification-policy/${policy.id}`)
  await send('delete', `/v1/notification-channel/${channel.id}`)
})

// It comes last, because the second step is due a minute after the incident of `beforeAll`.
test('notifies by the next step after a minute without acknowledgement', async () => {
  await expect.poll(() => escalation.readEvents(0)).toEqual(['opened'])
  await expect.poll(() => escalation.readEvents(1), { timeout: 90_000 }).toEqual(['escalated'])
  escalation.lamp.post({ Brightness: 40 })
  await expect.poll(() => escalation.readEvents(0)).toEqual(['opened', 'resolved'])
  await expect.poll(() => escalation.readEvents(1)).toEqual(['escalated', 'resolved'])
})
