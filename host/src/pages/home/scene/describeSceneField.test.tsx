import { render } from '@testing-library/react'
import { call } from '@iot/shared/client/call'
import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { createFieldDescriber } from './describeSceneField'
import type { SceneOptions } from './useSceneOptions'

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

it('describes a conflict value as loaded, loading or failed to load', () => {
  jest.mocked(call).mockReturnValue(new Promise(() => {}))
  const renderCells = (optionsState: Parameters<typeof createFieldDescriber>[1]) => {
    const show = createFieldDescriber(1, optionsState)
    const { container, unmount } = render(
      <>
        {show('calendarId', 'c1')}；{show('calendarId', null)}；{show('triggers', triggers)}
      </>,
    )
    const text = container.textContent
    unmount()
    return text
  }
  expect(renderCells({ options: undefined, error: undefined })).toBe(
    '还没有读到；项目的日历；还没有读到',
  )
  expect(renderCells({ options: undefined, error: new Error('网络不通') })).toBe(
    '没有读到：网络不通；项目的日历；没有读到：网络不通',
  )
  const optionsRead = { options: options as unknown as SceneOptions, error: undefined }
  expect(renderCells(optionsRead)).toMatch(/^节日；项目的日历；设备 Open/)
  const calledApis = jest.mocked(call).mock.calls.map(([api]) => api)
  expect(calledApis).not.toContain(calendarApi.list)
  expect(calledApis).not.toContain(sceneApi.types)
})
