import type { APIRequestContext } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { startMailServer } from '../server/src/modules/notification/mailServer.fixture'
import { startReceiver } from '../server/src/modules/notification/receiver.fixture'
import { signFeishu } from '../server/src/modules/notification/robots'
import { channelDraft, policyDraft } from './alarmDrafts'
import { expect, reopenScreen, test, visit } from './fixtures'
import { createSender, createUniqueName, getDialog, getField, saveDialog } from './listHelpers'
import { createLamp } from './simulatedLamp'

const robotSecret = 'secret of the robot'
type CreatedRow = { id: string }

/** Creates a policy that sends everything to a mailbox and to a robot, both inside this test. */
async function createReceivers(api: APIRequestContext) {
  const send = createSender(api)
  const mailServer = await startMailServer({ disabledCommands: ['STARTTLS'] })
  const robot = await startReceiver()
  const channel = { ...channelDraft, perMinute: 18 }
  const mail = await send<CreatedRow>('post', '/v1/notification-channel', {
    ...channel,
    name: createUniqueName('值班邮箱'),
    kind: 'email',
    smtpHost: '127.0.0.1',
    smtpPort: mailServer.port,
    smtpSecurity: 'none',
    sender: 'platform@site.example',
    recipients: ['duty@site.example'],
  })
  const feishu = await send<CreatedRow>('post', '/v1/notification-channel', {
    ...channel,
    name: createUniqueName('值班群'),
    kind: 'feishu',
    url: robot.url,
    secret: robotSecret,
  })
  const policy = await send<CreatedRow>('post', '/v1/notification-policy', {
    ...policyDraft,
    name: createUniqueName('值班'),
    severities: ['critical'],
    projectIds: [],
    steps: [{ afterMinutes: 0, channelIds: [mail.id, feishu.id], roleIds: [] }],
  })
  return {
    mails: mailServer.mails,
    requests: robot.requests,
    async close() {
      await send('delete', `/v1/notification-policy/${policy.id}`)
      for (const { id } of [mail, feishu]) await send('delete', `/v1/notification-channel/${id}`)
      await mailServer.close()
      await robot.close()
    },
  }
}

const readSubject = (source: string) => {
  const words = [...source.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/gi)]
  return words.map(([, word]) => Buffer.from(word!, 'base64').toString()).join('')
}

test('takes a value beyond its limit to a mailbox and a robot, and back', async ({
  operator: page,
  api,
}) => {
  const receivers = await createReceivers(api)
  const lamp = await createLamp(api)
  const product = await createSender(api)<{ name: string }>('get', `/v1/product/${lamp.productId}`)
  const ruleName = createUniqueName('过亮')

  await visit(page, paths.system.alarm.rule())
  await page.getByRole('button', { name: '新建告警规则' }).click()
  await getField(page, '规则名称').fill(ruleName)
  await getDialog(page).getByText('紧急', { exact: true }).click()
  await getField(page, '产品').click()
  await getField(page, '产品').fill(product.name)
  await page.locator('.ant-select-dropdown:visible').getByTitle(product.name).first().click()
  await getField(page, '属性').click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('亮度').click()
  await getField(page, '比较的值').fill('80')
  await getField(page, '持续时间').fill('0')
  await getField(page, '恢复时间').fill('0')
  await expect(getDialog(page).getByText(`${product.name} 的亮度 > 80 % → 紧急`)).toBeVisible()
  await getDialog(page).getByRole('button', { name: '用近 30 天的历史试算' }).click()
  await expect(getDialog(page).getByText(/会发生 0 次/)).toBeVisible()
  await saveDialog(page)
  await expect(page.getByRole('row', { name: new RegExp(ruleName) })).toContainText('亮度 > 80 %')

  lamp.post({ Brightness: 92 })
  const title = `${lamp.name} 亮度 92 %（> 80 %）`
  await expect.poll(() => receivers.mails.length).toBe(1)
  expect(readSubject(receivers.mails[0]!.source)).toBe(`【紧急】告警：${title}`)
  expect(receivers.mails[0]!.recipients).toEqual(['duty@site.example'])
  await expect.poll(() => receivers.requests.length).toBe(1)
  const message = JSON.parse(receivers.requests[0]!.body)
  expect(message.sign).toBe(signFeishu(robotSecret, Number(message.timestamp)))
  expect(message.content.post.zh_cn.title).toBe(`【紧急】告警：${title}`)

  await visit(page, `${paths.system.alarm.incident()}?severity=critical`)
  await page.getByRole('link', { name: title }).click()
  await expect(page.getByText('时间线')).toBeVisible()
  await page.getByRole('button', { name: /^确\s?认$/ }).click()
  await getDialog(page).getByLabel('备注').fill('已去现场')
  await getDialog(page)
    .getByRole('button', { name: /^确\s?认$/ })
    .click()
  await expect(page.getByText('已去现场')).toBeVisible()
  await expect(page.getByText('已确认', { exact: true })).toBeVisible()

  lamp.post({ Brightness: 40 })
  await expect.poll(() => receivers.mails.length).toBe(2)
  expect(readSubject(receivers.mails[1]!.source)).toBe(`【紧急】已恢复：${title}`)
  await expect.poll(() => receivers.requests.length).toBe(2)
  await reopenScreen(page)
  await expect(page.getByText('条件不再满足').first()).toBeVisible()
  await lamp.close()
  await receivers.close()
})
