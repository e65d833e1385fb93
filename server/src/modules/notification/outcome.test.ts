import { judgeAnswer } from './outcome'

const judge = (kind: 'webhook' | 'wecom' | 'dingtalk' | 'feishu', text: string, change = {}) =>
  judgeAnswer(kind, { status: 200, text, isPrivate: false, ...change })

it.each([
  ['dingtalk', '{"errcode":0,"errmsg":"ok"}', 'sent'],
  ['dingtalk', '{"errcode":310000,"errmsg":"sign not match"}', 'final'],
  ['dingtalk', '{"errcode":130101,"errmsg":"send too fast"}', 'retry'],
  ['dingtalk', '{"errcode":460101}', 'shorten'],
  ['wecom', '{}', 'retry'],
  ['wecom', '<html></html>', 'retry'],
  ['wecom', '', 'retry'],
  ['wecom', 'null', 'retry'],
  ['wecom', '{"errcode":93000,"errmsg":"invalid webhook url"}', 'final'],
  ['wecom', '{"errcode":93000,"errmsg":"content exceed max length"}', 'shorten'],
  ['wecom', '{"errcode":40058}', 'shorten'],
  ['wecom', '{"errcode":45009}', 'retry'],
  ['wecom', '{"errcode":777}', 'retry'],
  ['feishu', '{"code":0}', 'sent'],
  ['feishu', '\ufeff{"code":0}', 'sent'],
  ['feishu', '{"StatusCode":0}', 'sent'],
  ['feishu', '{"code":null,"StatusCode":0}', 'retry'],
  ['feishu', '{"code":19021,"StatusCode":0}', 'final'],
  ['feishu', '{"code":9499,"msg":"too many request"}', 'retry'],
  ['feishu', '{"code":9499,"msg":"Bad Request"}', 'shorten'],
  ['feishu', '{"code":11232}', 'retry'],
  ['webhook', 'anything', 'sent'],
] as const)('judges HTTP 200 of %s with %s as %s', (kind, text, verdict) => {
  expect(judge(kind, text).verdict).toBe(verdict)
})

it.each([
  [302, 'final'],
  [400, 'final'],
  [404, 'final'],
  [408, 'retry'],
  [425, 'retry'],
  [429, 'retry'],
  [500, 'retry'],
  [503, 'retry'],
  [413, 'shorten'],
])('judges HTTP %i of a webhook as %s', (status, verdict) => {
  expect(judge('webhook', '', { status }).verdict).toBe(verdict)
})

it('pauses a robot that is limited, and honours Retry-After', () => {
  expect(judge('dingtalk', '{"errcode":130101}').pauseMs).toBe(600_000)
  expect(judge('wecom', '{"errcode":45009}').pauseMs).toBe(60_000)
  expect(judge('webhook', '', { status: 429, retryAfter: '120' }).pauseMs).toBe(120_000)
})

it('names a wrong clock as the cause of a refused signature', () => {
  const date = new Date(Date.now() - 3_600_000).toUTCString()
  expect(judge('feishu', '{"code":19021}', { date }).answer).toContain('请校准服务器时钟')
  expect(judge('feishu', '{"code":19021}').answer).not.toContain('时钟')
})

it('does not show the answer of a private address', () => {
  expect(judge('webhook', 'secret of the inner service', { isPrivate: true }).answer).toBe('')
})
