/** @jest-environment jsdom */
import { fireEvent, render, screen } from '@testing-library/react'
import { createElement } from 'react'
import { call } from '@iot/shared/client/call'
import { spaceTree } from '@iot/shared/plan/spaces'
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
