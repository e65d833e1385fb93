import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings } from '../../settings'
import { commandTimeoutSchemas, getCommandTimeouts } from './timeouts'

it('has the documented defaults', () => {
  expect(getCommandTimeouts()).toEqual({
    controlReplyMs: 10_000,
    controlReportMs: 3000,
    controlDrainMs: 3000,
    serviceReplyMs: 10_000,
    staleFirstQueryMs: 3000,
    staleMaxPauseMs: 300_000,
  })
  const guide = readFileSync(join(__dirname, '../../../../docs/operating.md'), 'utf8')
  for (const variable of Object.keys(commandTimeoutSchemas))
    expect(guide).toContain(`\`${variable}\``)
})

it('takes values from the environment and keeps the other defaults', () => {
  const { commandTimeouts } = readSettings({ CONTROL_REPLY_TIMEOUT_MS: '20000' })
  expect(commandTimeouts).toEqual({ controlReplyMs: 20_000 })
  expect(getCommandTimeouts(commandTimeouts)).toMatchObject({
    controlReplyMs: 20_000,
    serviceReplyMs: 10_000,
  })
})

it.each([
  ['10 s', 'CONTROL_REPLY_TIMEOUT_MS 须为毫秒数'],
  ['10', 'CONTROL_REPLY_TIMEOUT_MS 至少为 1000'],
  ['3000000', 'CONTROL_REPLY_TIMEOUT_MS 最多为 60000'],
])('refuses %s', (value, message) => {
  expect(() => readSettings({ CONTROL_REPLY_TIMEOUT_MS: value })).toThrow(message)
})
