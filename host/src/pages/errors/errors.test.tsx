import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, data, RouterProvider, type RouteObject } from 'react-router-dom'
import { http } from '@iot/shared/client/call'
import { LoadFailure } from '../../federation/failure'
import { CrashBoundary } from './CrashBoundary'
import { NotFoundPage } from './NotFoundPage'
import { RouteErrorPage } from './RouteErrorPage'
import { Component as ServiceUnavailablePage } from './ServiceUnavailablePage'

jest.mock('../../federation/mountedRemotes', () => ({ retryAddress: jest.fn() }))
jest.mock('../../federation/install', () => ({ hostBuild: '60eb988dd8ce' }))

/** Opens a route whose loader fails with `failure` under the common error element. */
function renderFailure(failure: unknown) {
  const routes: RouteObject[] = [
    {
      path: '/',
      ErrorBoundary: RouteErrorPage,
      HydrateFallback: () => null,
      loader: () => {
        throw failure
      },
      element: null,
    },
  ]
  render(
    <CrashBoundary>
      <RouterProvider router={createMemoryRouter(routes)} />
    </CrashBoundary>,
  )
}
const chunkFailure = () =>
  Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' })

beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => jest.restoreAllMocks())

describe('the error screen of a route', () => {
  it('shows Oops!, status, status text and message of an HTTP error', async () => {
    renderFailure(data({ message: '项目已归档' }, { status: 410, statusText: 'Gone' }))
    expect(await screen.findByText('Oops!')).toBeTruthy()
    expect(screen.getByText(/410 Gone/).textContent).toContain('项目已归档')
  })

  it('shows the status alone without a message', async () => {
    renderFailure(data(null, { status: 404, statusText: 'Not Found' }))
    expect((await screen.findByText(/404 Not Found/)).textContent).toBe('404 Not Found')
  })

  it('asks for a reload with the reason when a module fails to load', async () => {
    renderFailure(chunkFailure())
    expect(await screen.findByText('系统已更新，请重新加载')).toBeTruthy()
    expect(screen.getByRole('button', { name: '重新加载' })).toBeTruthy()
    expect(screen.getByRole('button', { name: /重\s?试/ })).toBeTruthy()
    expect(screen.getByText('Loading chunk 7 failed.')).toBeTruthy()
    expect(screen.getByText('60eb988dd8ce')).toBeTruthy()
  })

  it('offers no reload when no release contains the module', async () => {
    renderFailure(new LoadFailure('missing', '发布信息中没有它'))
    expect(await screen.findByText('该功能尚未部署')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '重新加载' })).toBeNull()
  })

  it('rethrows any other error to the outermost boundary, which shows it', async () => {
    renderFailure(new TypeError('x is not a function'))
    expect(await screen.findByText('页面出错了')).toBeTruthy()
    expect(screen.getByText('TypeError: x is not a function')).toBeTruthy()
  })
})

describe('the not-found screen', () => {
  const renderNotFound = (state?: { missing: string }, search = '') =>
    render(
      <RouterProvider
        router={createMemoryRouter(
          [
            { path: '/404', Component: NotFoundPage },
            { path: '/home', element: '到了首页' },
            { path: '/deviceAccess/config/brand', element: '到了品牌' },
          ],
          { initialEntries: [{ pathname: '/404', search, state }] },
        )}
      />,
    )

  it('reports an unknown path and links to home', async () => {
    renderNotFound()
    expect(screen.getByText('页面不存在')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '回到首页' }))
    expect(await screen.findByText('到了首页')).toBeTruthy()
  })

  it('names the missing permission', () => {
    renderNotFound({ missing: '没有“删除厂商”的权限' })
    expect(screen.getByText('没有权限')).toBeTruthy()
    expect(screen.getByText(/没有“删除厂商”的权限/)).toBeTruthy()
  })

  it('links back to the page without permission, and to no other site', async () => {
    renderNotFound({ missing: '没有“品牌列表”的权限' }, '?from=%2FdeviceAccess%2Fconfig%2Fbrand')
    await userEvent.click(screen.getByRole('button', { name: /重\s?试/ }))
    expect(await screen.findByText('到了品牌')).toBeTruthy()
    cleanup()
    renderNotFound(undefined, '?from=%2F%2Fevil.example')
    await userEvent.click(screen.getByRole('button', { name: /重\s?试/ }))
    expect(await screen.findByText('到了首页')).toBeTruthy()
  })
})

it('the unavailable screen returns once and does not loop', async () => {
  const healthCheck = jest.spyOn(http, 'get').mockResolvedValue({})
  const failedAddress = '/serviceUnavailable?from=%2FdeviceAccess%2Fconfig%2Fbrand'
  const router = createMemoryRouter(
    [
      { path: '/serviceUnavailable', Component: ServiceUnavailablePage },
      { path: '/deviceAccess/config/brand', element: '到了品牌' },
    ],
    { initialEntries: [failedAddress] },
  )
  render(<RouterProvider router={router} />)
  window.dispatchEvent(new Event('online'))
  expect(await screen.findByText('到了品牌')).toBeTruthy()

  await act(() => router.navigate(failedAddress))
  expect(screen.getByText(/平台已经恢复，但刚才的页面仍然打不开/)).toBeTruthy()
  window.dispatchEvent(new Event('online'))
  expect(screen.queryByText('到了品牌')).toBeNull()
  expect(healthCheck).toHaveBeenCalledTimes(1)
  await userEvent.click(screen.getByRole('button', { name: /重\s?试/ }))
  expect(await screen.findByText('到了品牌')).toBeTruthy()
})
