import { fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import { http } from '@iot/shared/client/call'
import type { NotificationDelivery } from '@iot/shared/contract/alarm/notificationDelivery.schema'
import { store } from '@iot/shared/session/store'
import { FeedbackProvider } from '@iot/shared/ui/feedback'
import Deliveries from './Deliveries'

const sendRequest = jest.spyOn(http, 'request')
const answerWith = (data: unknown) => sendRequest.mockResolvedValue({ data: { code: 0, data } })
const createDelivery = (id: string, overrides: Partial<NotificationDelivery>) => ({
  id,
  messageId: id,
  channelId: id,
  channelName: '值班群',
  isChannelRemoved: false,
  kind: 'message',
  time: '2026-11-27T01:02:03Z',
  title: '会议室过热',
  count: 1,
  attempt: 1,
  isSuccess: true,
  statusCode: 200,
  code: '0',
  answer: '',
  durationMs: 12,
  ...overrides,
})
const renderDeliveries = (search = '') =>
  render(
    <Provider store={store}>
      <FeedbackProvider>
        <MemoryRouter initialEntries={[`/?tab=deliveries${search}`]}>
          <Deliveries />
        </MemoryRouter>
      </FeedbackProvider>
    </Provider>,
  )

it('marks a removed channel, filters by the address and shows a failure with a retry', async () => {
  const rows = [
    createDelivery('1', {}),
    createDelivery('2', {
      channelName: '旧邮箱',
      isChannelRemoved: true,
      isSuccess: false,
      kind: 'cancelled',
      answer: '通知渠道已删除',
    }),
  ]
  answerWith({ list: rows, total: 2 })
  renderDeliveries('&result=failure')
  const removedRow = (await screen.findByText('旧邮箱')).closest('tr')!
  for (const text of ['已删除', '失败', '取消', '通知渠道已删除'])
    within(removedRow).getByText(text)
  expect(screen.getAllByText('已删除')).toHaveLength(1)
  expect(JSON.stringify(sendRequest.mock.lastCall)).toContain('"result":"failure"')

  sendRequest.mockRejectedValue(new Error('Network Error'))
  fireEvent.click(screen.getByRole('button', { name: /^刷\s?新$/ }))
  await screen.findByRole('button', { name: /重\s?试/ })
  screen.getByText('旧邮箱')
})
