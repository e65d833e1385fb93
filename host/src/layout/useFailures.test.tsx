import { act, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { page } from '@iot/shared/client/call'
import { useFailures } from './useFailures'

function Root() {
  useFailures()
  return null
}

beforeEach(() => {
  jest.useFakeTimers()
  const router = createMemoryRouter([{ path: '/', Component: Root }])
  render(
    <App>
      <RouterProvider router={router} />
    </App>,
  )
})
afterEach(() => jest.useRealTimers())

const fail = () => act(async () => page.showError('网关错误'))
const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))

it('says the same failure of several calls once', async () => {
  await fail()
  await fail()
  expect(screen.getAllByText('网关错误')).toHaveLength(1)
})

it('says it again, and as long, to who tries again', async () => {
  await fail()
  await wait(2500)
  await fail()
  await wait(2500)
  expect(screen.getAllByText('网关错误')).toHaveLength(1)
})
