/** @jest-environment jsdom */
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import { createElement } from 'react'
import { call } from '@iot/shared/client/call'
import type { Space } from '@iot/shared/contract/project'
import { spaceTree } from '@iot/shared/plan/spaces'
import { store } from '@iot/shared/session/store'
import { userInfoAtom } from '@iot/shared/session/user'
import VoiceCommand from './VoiceCommand'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))

it('says that the scenes could not be read instead of not understanding one', async () => {
  jest.mocked(call).mockRejectedValue(new Error('网络不通，请检查网络后重试'))
  const onAsk = jest.fn()
  render(createElement(VoiceCommand, { projectId: 1, tree: spaceTree([]), modes: [], onAsk }))
  const field = screen.getByRole('searchbox', { name: '口令' })
  fireEvent.change(field, { target: { value: '执行下班场景' } })
  fireEvent.click(screen.getByRole('button', { name: /执/ }))
  const told = await screen.findByRole('alert')
  expect(told.textContent).toBe('没有读到场景：网络不通，请检查网络后重试')
  expect(onAsk).not.toHaveBeenCalled()
})

it('means several places at once, and asks back', async () => {
  jest.mocked(call).mockResolvedValue({ list: [], total: 0 })
  store.set(userInfoAtom, {
    ...{ id: '1', username: 'wang', name: '王工', roles: [] },
    ...{ permissions: ['*'], mustChangePassword: false },
  })
  const room = (id: string, name: string): Space => ({
    ...{ id, name, parentId: null, type: 'area', projectId: 1, sort: 1 },
    ...{ plan: null, planWidth: null, planHeight: null },
  })
  const tree = spaceTree([room('a', '大堂'), room('b', '走廊')])
  const onAsk = jest.fn()
  const voice = createElement(VoiceCommand, { projectId: 1, tree, modes: [], onAsk })
  render(createElement(Provider, { store }, voice))
  const field = screen.getByRole('searchbox', { name: '口令' })
  fireEvent.change(field, { target: { value: '大堂和走廊调到四千K' } })
  fireEvent.click(screen.getByRole('button', { name: /执/ }))
  await waitFor(() => expect(onAsk).toHaveBeenCalled())
  expect(onAsk.mock.calls[0]).toMatchObject([
    {
      title: '大堂、走廊色温调到 4000K',
      request: {
        scope: { kind: 'spaces', spaceIds: ['a', 'b'] },
        values: { ColorTemperature: 4000 },
      },
      confirm: 'ask',
    },
  ])
})
