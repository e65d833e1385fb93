import { render } from '@testing-library/react'
import { call } from '@iot/shared/client/call'
import { calendarApi } from '@iot/shared/contract/calendar'
import { sceneApi } from '@iot/shared/contract/scene'
import { shownOf } from './shown'
import type { Options } from './useOptions'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))

const triggers = [
  {
    kind: 'condition',
    match: 'any',
    seconds: 0,
    conditions: [{ deviceId: 'd1', identifier: 'Open', compare: 'eq', value: 1 }],
  },
]
const options = { types: [], groups: [], calendars: [{ id: 'c1', name: '节日' }] }

it('says of a scene that a colleague changed what is read, is not read yet, and was not read', () => {
  jest.mocked(call).mockReturnValue(new Promise(() => {}))
  const cells = (read: Parameters<typeof shownOf>[1]) => {
    const show = shownOf(1, read)
    const { container, unmount } = render(
      <>
        {show('calendarId', 'c1')}；{show('calendarId', null)}；{show('triggers', triggers)}
      </>,
    )
    const text = container.textContent
    unmount()
    return text
  }
  expect(cells({ options: undefined, error: undefined })).toBe('还没有读到；项目的日历；还没有读到')
  expect(cells({ options: undefined, error: new Error('网络不通') })).toBe(
    '没有读到：网络不通；项目的日历；没有读到：网络不通',
  )
  const read = { options: options as unknown as Options, error: undefined }
  expect(cells(read)).toMatch(/^节日；项目的日历；设备 Open/)
  const called = jest.mocked(call).mock.calls.map(([api]) => api)
  expect(called).not.toContain(calendarApi.list)
  expect(called).not.toContain(sceneApi.types)
})
