import { platformTimeZone } from '@iot/shared/contract/timeZone'
import { now } from '../../tables/columns'
import type { Message } from './message'

/** The message of “发送测试”; it is rendered and sent like a real one. */
export const buildSampleMessage = (id: string): Message => ({
  id,
  isShort: false,
  isTest: true,
  items: [
    {
      event: 'opened',
      severity: 'info',
      subject: 'test',
      title: '这是一条测试消息',
      lines: ['收到这条消息，说明通知渠道可用。'],
      path: '/system/alarm/channel',
      project: '示例项目',
      timeZone: platformTimeZone,
      time: now(),
    },
  ],
})
