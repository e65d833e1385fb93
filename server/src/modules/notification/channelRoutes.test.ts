import { notificationChannelApi as api } from '@iot/shared/contract/alarm/notificationChannel.api'
import type { NotificationChannelDraft } from '@iot/shared/contract/alarm/notificationChannel.schema'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { notificationDeliveryApi } from '@iot/shared/contract/alarm/notificationDelivery.api'
import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { TestApp } from '../../testing'
import { startMailServer } from './mailServer.fixture'
import { startReceiver, type Receiver } from './receiver.fixture'
import { signDingtalk, signFeishu } from './robots'
import { buildChannelDraft, createChannel, startNotificationApp, webhookSecret } from './testing'

let app: TestApp
let receiver: Receiver
beforeAll(async () => {
  app = await startNotificationApp()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})
beforeEach(() => {
  receiver.requests.length = 0
  receiver.state.answer = () => ({})
})
const admin = () => app.as('admin')
const sendTest = (id: string) => admin().call(api.test, { id })
const getFieldErrors = (change: Partial<NotificationChannelDraft>) =>
  createChannel(app, change).then(
    () => ({}),
    ({ data }: { data: { fields: object } }) => data.fields,
  )

describe('channels', () => {
  it('are refused to those without the permission or with some projects only', async () => {
    await expect(app.stranger.call(api.page, {})).rejects.toMatchObject({ code: 401 })
    const operator = await app.join('channel-operator', 'operator')
    await expect(operator.call(api.page, {})).rejects.toMatchObject({ status: 403 })
    await expect(operator.call(api.list, {})).rejects.toMatchObject({ status: 403 })
    await expect(operator.call(notificationDeliveryApi.page, {})).rejects.toMatchObject({
      status: 403,
    })
  })

  it('never answer a secret, nor store it readably, nor note it in the action log', async () => {
    const secret = 'SECdingtalkofthetests0001'
    const url = receiver.url.replace(
      '/hook/secret-token-1',
      '/robot/send?access_token=tokenofthetests',
    )
    const channel = await createChannel(app, { kind: 'dingtalk', url, secret, perMinute: 18 })
    expect(channel).toMatchObject({ hasSecret: true, brokenReason: '', pendingCount: 0 })
    expect(channel.urlHint).toMatch(/\/robot\/send\?access_token=\*\*\*$/)
    const changedChannel = await admin().call(api.update, {
      ...channel,
      url: '',
      secret: '',
      smtpPassword: '',
      perMinute: 10,
    })
    await sendTest(channel.id)
    const answers = [
      channel,
      changedChannel,
      await admin().call(api.page, {}),
      await admin().call(api.list, {}),
      await admin().call(notificationDeliveryApi.page, { channelId: channel.id }),
      await admin().call(actionLogApi.page, {}),
      await admin()
        .call(api.update, { ...channel, url: '', secret: '', smtpPassword: '' })
        .catch((error: unknown) => error),
    ]
    for (const table of ['notification_channel', 'notification_delivery', 'action_log'])
      answers.push((await app.app.db.execute(sql.raw(`select * from ${table}`))).rows as never)
    for (const answer of answers) {
      expect(JSON.stringify(answer)).not.toContain('tokenofthetests')
      expect(JSON.stringify(answer)).not.toContain(secret)
    }
    // The kept secrets still sign.
    const timestamp = Number(receiver.requests[0]!.url.searchParams.get('timestamp'))
    expect(receiver.requests[0]!.url.searchParams.get('access_token')).toBe('tokenofthetests')
    expect(receiver.requests[0]!.url.searchParams.get('sign')).toBe(signDingtalk(secret, timestamp))
  })

  it('name what their kind lacks', async () => {
    const { url } = receiver
    expect(await getFieldErrors({ url: '' })).toEqual({ url: '请输入地址' })
    expect(await getFieldErrors({ url, secret: '' })).toEqual({ secret: '请输入签名密钥' })
    expect(await getFieldErrors({ url, secret: 'short' })).toEqual({
      secret: '签名密钥至少 16 个字',
    })
    expect(await getFieldErrors({ url, secret: 'whsec_！！！！！！！！！！' })).toEqual({
      secret: 'whsec_ 后须为 Base64，至少 12 个字节',
    })
    expect(await getFieldErrors({ url: 'https://:pw@8.8.8.8/' })).toEqual({
      url: '地址不能含用户名和密码',
    })
    expect(await getFieldErrors({ kind: 'wecom', url })).toEqual({
      perMinute: '群机器人每分钟最多 18 条',
    })
    expect(await getFieldErrors({ kind: 'email' })).toEqual({ smtpHost: '请输入服务器' })
    expect(await getFieldErrors({ url, template: '{title} {name}' })).toEqual({
      template: '模板里的 {name} 不是可用的字段',
    })
    expect(
      await getFieldErrors({
        kind: 'email',
        smtpHost: '127.0.0.1',
        sender: 'a@b.example',
        smtpUser: 'a',
        smtpSecurity: 'none',
        smtpPassword: 'b',
      }),
    ).toHaveProperty('smtpSecurity')
  })

  it.each([
    'http://127.0.0.2/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://2130706434/',
  ])('refuse the private target %s', async (url) => {
    expect(await getFieldErrors({ url })).toMatchObject({
      url: expect.stringContaining('不是公网地址') as unknown,
    })
  })

  it('remove a secret by null and leave the address', async () => {
    const channel = await createChannel(app, { kind: 'feishu', url: receiver.url, perMinute: 5 })
    const input = { ...channel, url: '', secret: null, smtpPassword: '' }
    expect(await admin().call(api.update, input)).toMatchObject({ hasSecret: false })
    await sendTest(channel.id)
    expect(JSON.parse(receiver.requests[0]!.body)).not.toHaveProperty('sign')
  })
})

describe('发送测试', () => {
  it('sends a webhook whose signature a receiver can check, with the new and the former secret', async () => {
    const channel = await createChannel(app, { url: receiver.url })
    const newSecret = 'a new secret of the tests'
    await admin().call(api.update, { ...channel, url: '', secret: newSecret, smtpPassword: '' })
    expect(await sendTest(channel.id)).toMatchObject({ isSuccess: true, statusCode: 200, hint: '' })
    const { headers, body } = receiver.requests[0]!
    const signedText = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body}`
    const sign = (key: Buffer) =>
      `v1,${createHmac('sha256', key).update(signedText).digest('base64')}`
    expect(headers['webhook-signature']).toBe(
      [
        sign(Buffer.from(newSecret)),
        sign(Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')),
      ].join(' '),
    )
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
    expect(JSON.parse(body)).toMatchObject({
      version: 1,
      id: headers['webhook-id'],
      type: 'notification',
      test: true,
      count: 1,
      notifications: [{ link: 'https://console.example/system/alarm/channel', severity: 'info' }],
    })
  })

  it('signs in the body for 飞书 and shows a refusal with HTTP 200 as a failure', async () => {
    receiver.state.answer = () => ({
      body: '{"code":19021,"msg":"sign match fail","StatusCode":0}',
    })
    const channel = await createChannel(app, {
      kind: 'feishu',
      url: receiver.url,
      secret: 'demo',
      perMinute: 5,
    })
    expect(await sendTest(channel.id)).toMatchObject({
      isSuccess: false,
      statusCode: 200,
      code: '19021',
      answer: '签名不符，或本机时间与飞书相差过大：sign match fail',
    })
    const body = JSON.parse(receiver.requests[0]!.body) as { timestamp: string; sign: string }
    expect(body.sign).toBe(signFeishu('demo', Number(body.timestamp)))
    const { list } = await admin().call(notificationDeliveryApi.page, { channelId: channel.id })
    expect(list).toMatchObject([{ kind: 'test', isSuccess: false, code: '19021', count: 1 }])
  })

  it('does not follow a redirect', async () => {
    receiver.state.answer = ({ url }) =>
      url.pathname === '/stolen' ? {} : { status: 307, headers: { location: '/stolen' } }
    const channel = await createChannel(app, { url: receiver.url })
    expect(await sendTest(channel.id)).toMatchObject({ isSuccess: false, statusCode: 307 })
    expect(receiver.requests).toHaveLength(1)
  })

  it('keeps the limit of a minute', async () => {
    const channel = await createChannel(app, { url: `${receiver.url}/limited`, perMinute: 1 })
    await sendTest(channel.id)
    await expect(sendTest(channel.id)).rejects.toMatchObject({
      msg: '一分钟内已发 1 条，请稍后再试',
    })
  })

  it('stores an answer with a character that the database cannot store', async () => {
    receiver.state.answer = () => ({ body: JSON.stringify({ code: 0, msg: 'a\u0000b' }) })
    const channel = await createChannel(app, {
      kind: 'feishu',
      url: `${receiver.url}/odd`,
      perMinute: 5,
    })
    expect(await sendTest(channel.id)).toMatchObject({ isSuccess: true, answer: 'a b' })
    const { list } = await admin().call(notificationDeliveryApi.page, { channelId: channel.id })
    expect(list).toHaveLength(1)
  })

  it('ends when the receiver changes to another protocol', async () => {
    receiver.state.answer = () => ({
      status: 101,
      headers: { connection: 'upgrade', upgrade: 'other' },
    })
    const channel = await createChannel(app, { url: receiver.url })
    expect(await sendTest(channel.id)).toMatchObject({ isSuccess: false, statusCode: 101 })
  })

  it('reports a closed port in words', async () => {
    const closedReceiver = await startReceiver()
    await closedReceiver.close()
    const channel = await createChannel(app, { url: closedReceiver.url })
    expect(await sendTest(channel.id)).toMatchObject({ isSuccess: false, answer: '连接被拒绝' })
  })
})

const mailFields = (smtpPort: number, change: Partial<NotificationChannelDraft> = {}) => ({
  kind: 'email' as const,
  smtpHost: '127.0.0.1',
  smtpPort,
  smtpSecurity: 'none' as const,
  sender: 'platform@site.example',
  senderName: '物联云平台，一号楼',
  recipients: ['duty@site.example', 'chief@site.example'],
  ...change,
})

it('keeps the deliveries of a removed channel and finds them by its name', async () => {
  const channel = await createChannel(app, { url: receiver.url, name: '已撤的值班群' })
  await sendTest(channel.id)
  const listDeliveries = async (query: object) =>
    (await admin().call(notificationDeliveryApi.page, { channelName: '撤的值班', ...query })).list
  expect(await listDeliveries({})).toMatchObject([
    { channelName: '已撤的值班群', isChannelRemoved: false },
  ])
  await admin().call(api.remove, { id: channel.id })
  expect(await listDeliveries({ kind: 'test', result: 'success' })).toMatchObject([
    { channelId: channel.id, isChannelRemoved: true },
  ])
  expect(await listDeliveries({ kind: 'message' })).toEqual([])
})

describe('mail', () => {
  it('arrives with an encoded subject, the sender and all recipients', async () => {
    const server = await startMailServer({ disabledCommands: ['STARTTLS'] })
    const channel = await createChannel(app, mailFields(server.port))
    expect(await sendTest(channel.id)).toMatchObject({ isSuccess: true, code: '250' })
    const [mail] = server.mails
    expect(mail!.recipients).toEqual(['duty@site.example', 'chief@site.example'])
    expect(mail!.source).toMatch(/^Subject: =\?UTF-8\?[BQ]\?/m)
    const header = mail!.source.slice(0, mail!.source.indexOf('\r\n\r\n'))
    expect(header).toMatch(/^\p{ASCII}*$/u)
    expect(header).toMatch(/^X-Notification-Id: /im)
    await server.close()
  })

  it('names the recipients that the server refuses', async () => {
    const server = await startMailServer({
      disabledCommands: ['STARTTLS'],
      getRefusal: (address) => (address.startsWith('chief') ? '550 no such user' : undefined),
    })
    const channel = await createChannel(app, mailFields(server.port))
    const outcome = await sendTest(channel.id)
    expect(outcome).toMatchObject({ isSuccess: true })
    expect(outcome.answer).toMatch(/^部分收件人不被接受：chief@site\.example（550 no such user）/)
    expect(server.mails[0]!.recipients).toEqual(['duty@site.example'])
    await server.close()
  })

  it('refuses a server without STARTTLS if encryption is asked for, before it sends the password', async () => {
    const server = await startMailServer({ disabledCommands: ['STARTTLS'] })
    const channel = await createChannel(
      app,
      mailFields(server.port, { smtpSecurity: 'starttls', smtpUser: 'a', smtpPassword: 'right' }),
    )
    expect(await sendTest(channel.id)).toMatchObject({ isSuccess: false })
    expect(server.mails).toEqual([])
    await server.close()
  })

  it.each(['tls', 'starttls'] as const)(
    'refuses a certificate that nobody trusts (%s)',
    async (smtpSecurity) => {
      const server = await startMailServer({ secure: smtpSecurity === 'tls' })
      const channel = await createChannel(app, mailFields(server.port, { smtpSecurity }))
      const outcome = await sendTest(channel.id)
      expect(outcome.isSuccess).toBe(false)
      expect(outcome.answer).toMatch(/证书/)
      expect(server.mails).toEqual([])
      await server.close()
    },
  )

  it.each([
    ['tls', false],
    ['none', true],
  ] as const)(
    'explains a port of the other kind of encryption (%s)',
    async (smtpSecurity, secure) => {
      const server = await startMailServer({ secure })
      const channel = await createChannel(app, mailFields(server.port, { smtpSecurity }))
      const outcome = await sendTest(channel.id)
      expect(outcome).toMatchObject({ isSuccess: false })
      expect(outcome.answer).not.toBe('')
      expect(outcome.durationMs).toBeLessThan(10_000)
      await server.close()
    },
  )
})

it('refuses unknown fields of a draft', () =>
  expect(
    admin().call(api.create, { ...buildChannelDraft({ url: receiver.url }), more: 1 } as never),
  ).rejects.toMatchObject({ code: 422 }))
