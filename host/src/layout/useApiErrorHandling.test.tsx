import { act, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { failureHandlers } from '@iot/shared/client/call'
import { unsavedFormPathsAtom } from '@iot/shared/session/drafts'
import { store } from '@iot/shared/session/store'
import { FeedbackProvider } from '@iot/shared/ui/feedback'
import { useApiErrorHandling } from './useApiErrorHandling'

function Root() {
  useApiErrorHandling()
  return null
}

let router: ReturnType<typeof createMemoryRouter>
beforeEach(() => {
  jest.useFakeTimers()
  router = createMemoryRouter([
    { path: '/', Component: Root },
    { path: '/404', element: null },
  ])
  render(
    <FeedbackProvider>
      <RouterProvider router={router} />
    </FeedbackProvider>,
  )
})
afterEach(() => jest.useRealTimers())

const showGatewayError = () => act(async () => failureHandlers.showError('网关错误'))
const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))

it('shows the same failure of several calls once', async () => {
  await showGatewayError()
  await showGatewayError()
  expect(screen.getAllByText('网关错误')).toHaveLength(1)
})

it('shows it again for its full duration on a retry', async () => {
  await showGatewayError()
  await wait(2500)
  await showGatewayError()
  await wait(2500)
  expect(screen.getAllByText('网关错误')).toHaveLength(1)
})

it('leads to the refusal page, except while a form has unsaved input', async () => {
  store.set(unsavedFormPathsAtom, ['/'])
  await act(async () => failureHandlers.toForbidden('没有“设备列表”的权限'))
  expect(router.state.location.pathname).toBe('/')
  screen.getByText('没有“设备列表”的权限')
  store.set(unsavedFormPathsAtom, [])
  await act(async () => failureHandlers.toForbidden('没有“设备列表”的权限'))
  expect(router.state.location.pathname).toBe('/404')
})
