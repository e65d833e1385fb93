import { clearCache } from 'ahooks/es/useRequest'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { CanceledError } from 'axios'
import { useEffect } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { z } from 'zod'
import { http } from '../client/call'
import type { Endpoint } from '../contract/endpoint'
import { pageResult, pageQuery } from '../contract/fields.schema'
import { store } from '../session/store'
import { tokenAtom } from '../session/user'
import { usePage } from './usePage'

const Lamp = z.object({ id: z.string(), name: z.string() })
// These two schemas give the endpoint its types; only types are read.
const _lampQuery = pageQuery({ name: z.string().optional() })
const _lampResult = pageResult(Lamp)
const lampPageEndpoint: Endpoint<typeof _lampQuery, typeof _lampResult> = {
  method: 'POST',
  path: '/v1/lamp/page',
  title: '灯',
  permission: 'session',
}

const requestSpy = jest.spyOn(http, 'request')
const mockAnswer = (names: string[], total = names.length) =>
  requestSpy.mockResolvedValueOnce({
    data: { code: 0, msg: 'ok', data: { list: names.map((name) => ({ id: name, name })), total } },
  })
const getLastInput = () => (requestSpy.mock.lastCall?.[0] as { data: unknown }).data

type Page = ReturnType<typeof usePage<typeof lampPageEndpoint>>
let currentPage: Page
let isAnchored: true | undefined
let refusalReason: string | undefined
const List = () => {
  const lamps = usePage(lampPageEndpoint, {
    empty: '还没有灯',
    anchored: isAnchored,
    unless: refusalReason,
  })
  useEffect(() => {
    currentPage = lamps
  })
  return (
    <>
      {lamps.table.title?.()}
      {lamps.rows.map(({ name }) => (
        <p key={name}>{name}</p>
      ))}
      {lamps.table.locale.emptyText}
    </>
  )
}
const goToPage = (current: number) =>
  currentPage.table.onChange(
    { current, pageSize: 20 },
    {},
    {},
    { action: 'paginate', currentDataSource: [] },
  )
const openAt = (address: string) => {
  const router = createMemoryRouter(
    [
      { path: '/lamps', Component: List },
      { path: '/elsewhere', element: null },
    ],
    {
      initialEntries: [address],
    },
  )
  render(<RouterProvider router={router} />)
  return router
}

beforeEach(() => {
  requestSpy.mockReset()
  isAnchored = undefined
  refusalReason = undefined
  clearCache()
})

it('requests the page described by the URL', async () => {
  mockAnswer(['大堂'])
  openAt('/lamps?pageNo=3&pageSize=50&name=大&sort=-name&tab=all')
  await screen.findByText('大堂')
  expect(getLastInput()).toEqual({ pageNo: 3, pageSize: 50, name: '大', sort: '-name' })
  expect(currentPage.sortable('name').sortOrder).toBe('descend')
  expect(currentPage.filters).toEqual({ name: '大' })
})

it('drops URL parameters the list does not know', async () => {
  const fields = { utm: '没有“utm”这个字段' }
  requestSpy.mockResolvedValueOnce({ data: { code: 422, msg: fields.utm, data: { fields } } })
  mockAnswer(['大堂'])
  const router = openAt('/lamps?utm=1&name=大')
  await screen.findByText('大堂')
  expect(getLastInput()).toEqual({ pageNo: 1, pageSize: 20, name: '大' })
  expect(router.state.location.search).toBe(`?name=${encodeURIComponent('大')}`)
  expect(screen.queryByText(/这个字段/)).toBeNull()
})

it('reports a wrong filter value', async () => {
  const fields = { status: '状态不正确' }
  requestSpy.mockResolvedValueOnce({ data: { code: 422, msg: fields.status, data: { fields } } })
  openAt('/lamps?status=broken')
  await screen.findByText('没有取到数据：状态不正确')
})

it('sends no request without a project, and gives the reason', async () => {
  refusalReason = '还没有项目'
  openAt('/lamps')
  await screen.findByText('还没有项目')
  expect(requestSpy).not.toHaveBeenCalled()
  expect(currentPage.table.loading.spinning).toBe(false)
})

it('treats an invalid page number as the first page', async () => {
  mockAnswer(['大堂'])
  openAt('/lamps?pageNo=-1&pageSize=many')
  await screen.findByText('大堂')
  expect(getLastInput()).toEqual({ pageNo: 1, pageSize: 20 })
})

it('writes filters to the URL, returns to the first page, and keeps other parameters', async () => {
  mockAnswer(['大堂'])
  const router = openAt('/lamps?pageNo=3&name=大&tab=all')
  await screen.findByText('大堂')
  mockAnswer(['走廊'])
  act(() => currentPage.search({ name: '廊' }))
  await screen.findByText('走廊')
  expect(router.state.location.search).toBe(`?name=${encodeURIComponent('廊')}&tab=all`)
  mockAnswer(['大堂'])
  await act(() => router.navigate(-1))
  await screen.findByText('大堂')
  expect(getLastInput()).toMatchObject({ pageNo: 3, name: '大' })
})

it('keeps the rows when a later call fails, and offers a retry', async () => {
  mockAnswer(['大堂'])
  openAt('/lamps')
  await screen.findByText('大堂')
  requestSpy.mockRejectedValueOnce(new Error('网络连接失败'))
  act(() => currentPage.refresh())
  await screen.findByText(/下面是上次的结果：网络连接失败/)
  expect(screen.getByText('大堂')).toBeTruthy()
  mockAnswer(['走廊'])
  fireEvent.click(screen.getByText(/^重\s?试$/))
  await screen.findByText('走廊')
  expect(screen.queryByText(/上次的结果/)).toBeNull()
})

it('does not report "no results" after a failed search', async () => {
  mockAnswer([])
  openAt('/lamps')
  await screen.findByText('还没有灯')
  requestSpy.mockRejectedValueOnce(new Error('网络连接失败'))
  act(() => currentPage.search({ name: '大' }))
  await screen.findByText('没有取到数据：网络连接失败')
  expect(screen.queryByText('没有符合条件的记录')).toBeNull()
})

it('recovers when the network returns', async () => {
  requestSpy.mockRejectedValueOnce(new Error('网络连接失败'))
  openAt('/lamps')
  await screen.findByText('没有取到数据：网络连接失败')
  mockAnswer(['大堂'])
  act(() => void window.dispatchEvent(new Event('online')))
  await screen.findByText('大堂')
})

it('distinguishes an empty list from an empty filter result', async () => {
  mockAnswer([])
  openAt('/lamps?name=大')
  await screen.findByText('没有符合条件的记录')
  mockAnswer([])
  fireEvent.click(screen.getByText('清除筛选'))
  await screen.findByText('还没有灯')
})

it('applies a second click to the page already requested', async () => {
  requestSpy.mockReturnValue(new Promise(() => {}))
  const router = openAt('/lamps?name=quick')
  const goToNext = () => goToPage(currentPage.table.pagination.current + 1)
  await act(async () => {
    goToNext()
    // A deferred render would happen here.
    for (let n = 0; n < 10; n++) await Promise.resolve()
    goToNext()
  })
  expect(new URLSearchParams(router.state.location.search).get('pageNo')).toBe('3')
})

it('sends the page anchor with its page number, although another page was requested since', async () => {
  isAnchored = true
  mockAnswer(['大堂'], 90)
  const router = openAt('/lamps?name=anchor')
  await screen.findByText('大堂')
  requestSpy.mockReturnValue(new Promise(() => {}))
  await act(async () => goToPage(2))
  await act(async () => goToPage(3))
  expect(new URLSearchParams(router.state.location.search).get('anchor')).toBe('1~大堂')
})

it('goes to the last page when the current one is empty', async () => {
  mockAnswer([], 40)
  const router = openAt('/lamps?pageNo=3')
  mockAnswer(['大堂'], 40)
  await waitFor(() => expect(router.state.location.search).toBe('?pageNo=2'))
})

it('shows cached rows at once on return, and then the new ones', async () => {
  mockAnswer(['大堂'])
  openAt('/lamps?name=大')
  await screen.findByText('大堂')
  cleanup()
  let resolveLate = (_: unknown): void => {}
  requestSpy.mockReturnValueOnce(new Promise((resolve) => (resolveLate = resolve)))
  openAt('/lamps?name=大')
  expect(screen.getByText('大堂')).toBeTruthy()
  await act(async () =>
    resolveLate({ data: { code: 0, data: { list: [{ id: '1', name: '走廊' }], total: 1 } } }),
  )
  expect(screen.queryByText('大堂')).toBeNull()
  expect(screen.getByText('走廊')).toBeTruthy()
})

it('does not show cached rows of another filter or user', async () => {
  mockAnswer(['大堂'])
  openAt('/lamps?name=大')
  await screen.findByText('大堂')
  cleanup()
  requestSpy.mockReturnValue(new Promise(() => {}))
  openAt('/lamps')
  expect(screen.queryByText('大堂')).toBeNull()
  cleanup()
  store.set(tokenAtom, 'another')
  openAt('/lamps?name=大')
  expect(screen.queryByText('大堂')).toBeNull()
})

it('reports that there are more rows than were counted', async () => {
  requestSpy.mockResolvedValueOnce({
    data: { code: 0, data: { list: [{ id: '1', name: '大堂' }], total: 10_000, more: true } },
  })
  openAt('/lamps?pageSize=50')
  await screen.findByText('大堂')
  expect(currentPage.table.pagination.showTotal(10_000)).toBe('共 10,000+ 条')
})

it('requests again after navigating away and back', async () => {
  const router = createMemoryRouter(
    [
      { path: '/lamps', Component: List },
      { path: '/other', element: <i>other</i> },
    ],
    { initialEntries: ['/lamps?name=back'] },
  )
  mockAnswer(['大堂'])
  render(<RouterProvider router={router} />)
  await screen.findByText('大堂')
  await act(() => router.navigate('/other'))
  await screen.findByText('other')
  let resolveLate = (_: unknown): void => {}
  requestSpy.mockReturnValueOnce(new Promise((resolve) => (resolveLate = resolve)))
  await act(() => router.navigate(-1))
  expect(screen.getByText('大堂')).toBeTruthy()
  expect(requestSpy).toHaveBeenCalledTimes(2)
  await act(async () =>
    resolveLate({ data: { code: 0, data: { list: [{ id: '1', name: '走廊' }], total: 1 } } }),
  )
  expect(screen.getByText('走廊')).toBeTruthy()
})

it('requests again after returning while a former request is pending', async () => {
  requestSpy.mockImplementationOnce(
    ({ signal }) =>
      new Promise((_, reject) =>
        signal?.addEventListener?.('abort', () => reject(new CanceledError())),
      ),
  )
  const router = openAt('/lamps')
  await act(() => router.navigate('/elsewhere'))
  mockAnswer(['大堂', '刚添加的'])
  await act(() => router.navigate('/lamps'))
  await screen.findByText('刚添加的')
})
