import type { Message } from './message'
import {
  buildDingtalkRequest,
  buildFeishuRequest,
  buildWecomRequest,
  signDingtalk,
  signFeishu,
} from './robots'
import { signWebhook } from './webhook'

const hostileNames = [
  'lamp_1',
  '*',
  '[x](http://evil)',
  '<@all>',
  '<at user_id="all">all</at>',
  '</font>',
  '`',
  'a\n# b',
]
const buildMessage = (
  title: string,
  lines: string[] = [],
  change: Partial<Message> = {},
): Message => ({
  id: '0198f7a0-0000-7000-8000-000000000001',
  isShort: false,
  items: [
    {
      event: 'opened',
      severity: 'critical',
      subject: 's',
      title,
      lines,
      path: '/x',
      project: '一号楼',
      timeZone: 'Asia/Shanghai',
      time: '2026-01-01T00:00:00Z',
    },
  ],
  ...change,
})
const options = { template: '', publicUrl: 'https://console.example' }
const url = 'https://robot.example/send?access_token=abc'

it('signs like the published algorithms', () => {
  expect(signDingtalk('this is secret', 1577262236757)).toBe(
    'hmPWwU+7lVdm3ZZz0r9tSfx0L4Q26jWOZr9+Gs6EZQM=',
  )
  expect(signFeishu('demo', 1599360473)).toBe('l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8=')
  expect(signWebhook('k', 'msg_1', 1700000000, '{}')).toBe(
    'LTBsW2zNVsMNlXYZbgw/T+jGxr1msQBcXoa3h1dR9wQ=',
  )
})

it('puts the signature of 钉钉 into the query, encoded once', () => {
  const request = buildDingtalkRequest(
    url,
    buildMessage('a'),
    { ...options, secret: 'this is secret' },
    1577262236757,
  )
  expect(request.url).toBe(
    `${url}&timestamp=1577262236757&sign=hmPWwU%2B7lVdm3ZZz0r9tSfx0L4Q26jWOZr9%2BGs6EZQM%3D`,
  )
})

it('puts the signature of 飞书 into the body, with the time in seconds', () => {
  const { body } = buildFeishuRequest(
    url,
    buildMessage('a'),
    { ...options, secret: 'demo' },
    1599360473999,
  )
  expect(body).toMatchObject({
    timestamp: '1599360473',
    sign: signFeishu('demo', 1599360473),
    msg_type: 'post',
  })
})

it.each(hostileNames)('neither mentions nor links by the name %j', (name) => {
  const message = buildMessage(name, [name])
  for (const { body } of [
    buildWecomRequest(url, message, options),
    buildDingtalkRequest(url, message, options, 0),
    buildFeishuRequest(url, message, options, 0),
  ]) {
    const text = JSON.stringify(body).replaceAll('\u200b', '')
    expect(text).toContain(JSON.stringify(name.replaceAll('\n', ' ')).slice(1, -1))
    expect(JSON.stringify(body)).not.toMatch(
      /<@|<at |\]\(|@all|http:\/\/evil|<\/font>|"at"|mentioned/,
    )
  }
})

it.each([683, 1366, 5000])(
  'keeps a text of %i characters below the bytes of 企业微信',
  (length) => {
    const { body } = buildWecomRequest(url, buildMessage('a', ['告'.repeat(length)]), options)
    const { content } = (body as { text: { content: string } }).text
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(2048)
    expect(content).toContain('https://console.example/x')
    expect(content).toContain('…')
  },
)

it('keeps a value that ends like a label, and drops a label without a value', () => {
  const message = buildMessage('温度：', [])
  const template = '{title}\n正文：{lines}\n{project}'
  const { body } = buildWecomRequest(url, message, { ...options, template })
  expect(body).toMatchObject({ text: { content: '温度：\n一号楼' } })
})

it('does not split an emoji at the limit', () => {
  for (let length = 440; length < 460; length++) {
    const { body } = buildWecomRequest(url, buildMessage('a', ['😀'.repeat(length)]), options)
    const { content } = (body as { text: { content: string } }).text
    // A lone surrogate cannot be encoded.
    expect(() => encodeURIComponent(content)).not.toThrow()
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(2048)
  }
})

it('says that the link is missing if the platform does not know its address', () => {
  const { body } = buildWecomRequest(url, buildMessage('a'), { ...options, publicUrl: undefined })
  expect(JSON.stringify(body)).toContain('平台没有设置 PUBLIC_URL')
})

it('lists the most severe first in a summary and counts what it omits', () => {
  const [item] = buildMessage('灯').items
  const items = Array.from({ length: 30 }, (_, n) => ({
    ...item!,
    title: `灯 ${n}`,
    severity: n === 29 ? ('critical' as const) : ('minor' as const),
  }))
  const { body } = buildWecomRequest(url, buildMessage('', [], { items }), options)
  const lines = (body as { text: { content: string } }).text.content.split('\n')
  expect(lines[0]).toBe('【汇总】30 条通知：紧急 1，一般 29')
  expect(lines[1]).toContain('灯 29')
  expect(lines.at(-2)).toBe('… 另有 20 条，请到平台查看')
})
