import { render, screen } from '@testing-library/react'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { call } from '@iot/shared/client/call'
import { SchedulePreview } from './SchedulePreview'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))

it.each([
  ['', 'enabled', '未来 60 天执行 1 次'],
  ['', 'disabled', '已禁用，启用后未来 60 天执行 1 次'],
  ['项目已停用', 'enabled', '项目已停用。不受此限时，未来 60 天执行 1 次'],
  ['项目已停用', 'disabled', '项目已停用。场景也已禁用；都解除后，未来 60 天执行 1 次'],
])(
  'shows the number of runs and what blocks them: %s %s',
  async (blockReason, status, expectedText) => {
    const list = [{ date: '2026-01-05', time: '08:00', runs: true, reason: '' }]
    jest.mocked(call).mockResolvedValue({ held: blockReason, list, more: false, unpublished: [] })
    const triggers = [{ kind: 'weekly', weekdays: [1], time: '08:00' }]
    render(
      <Form initialValues={{ status, triggers }}>
        <Form.Item name="status">
          <Input />
        </Form.Item>
        <Form.Item name="triggers">
          <Input />
        </Form.Item>
        <SchedulePreview projectId={1} />
      </Form>,
    )
    expect((await screen.findByRole('status')).textContent).toBe(expectedText)
  },
)
