import { clearCache } from 'ahooks'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { CanceledError } from 'axios'
import { useEffect } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { z } from 'zod'
import { http } from '../client/call'
import { endpoint } from '../contract/endpoint'
import { pageResult, pageQuery } from '../contract/fields'
import { store } from '../session/store'
import { tokenAtom } from '../session/user'
import { usePage } from './usePage'

const Lamp = z.object({ id: z.string(), name: z.string() })
const lampPageEndpoint = endpoint({
  method: 'POST',
  path: '/v1/lamp/page',
  title: '灯',
  permission: 'session',
  input: pageQuery({ name: z.string().optional() }),
  output: pageResult(Lamp),
})

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

it('asks for what the address says', async () => {
  mockAnswer(['大堂'])
  openAt('/lamps?pageNo=3&pageSize=50&name=大&sort=-name&tab=all')
  await screen.findByText('大堂')
  expect(getLastInput()).toEqual({ pageNo: 3, pageSize: 50, name: '大', sort: '-name' })
  expect(currentPage.sortable('name').sortOrder).toBe('descend')
  expect(currentPage.filters).toEqual({ name: '大' })
})

it('leaves out what an address says to others than the list', async () => {
  const fields = { utm: '没有“utm”这个字段' }
  requestSpy.mockResolvedValueOnce({ data: { code: 422, msg: fields.utm, data: { fields } } })
  mockAnswer(['大堂'])
  const router = openAt('/lamps?utm=1&name=大')
  await screen.findByText('大堂')
  expect(getLastInput()).toEqual({ pageNo: 1, pageSize: 20, name: '大' })
  expect(router.state.location.search).toBe(`?name=${encodeURIComponent('大')}`)
  expect(screen.queryByText(/这个字段/)).toBeNull()
})

it('says of a filter that it is wrong', async () => {
  const fields = { status: '状态不正确' }
  requestSpy.mockResolvedValueOnce({ data: { code: 422, msg: fields.status, data: { fields } } })
  openAt('/lamps?status=broken')
  await screen.findByText('没有取到数据：状态不正确')
})

it('asks for nothing where there is nothing to ask for, and says why', async () => {
  refusalReason = '还没有项目'
  openAt('/lamps')
  await screen.findByText('还没有项目')
  expect(requestSpy).not.toHaveBeenCalled()
  expect(currentPage.table.loading.spinning).toBe(false)
})

it('takes a broken page number for the first', async () => {
  mockAnswer(['大堂'])
  openAt('/lamps?pageNo=-1&pageSize=many')
  await screen.findByText('大堂')
  expect(getLastInput()).toEqual({ pageNo: 1, pageSize: 20 })
})

it('puts filters into the address, from the first page on, and leaves the rest of it', async () => {
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

it('keeps the rows when a later call fails, and offers another try', async () => {
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

it('does not say of a search that failed that nothing was found', async () => {
  mockAnswer([])
  openAt('/lamps')
  await screen.findByText('还没有灯')
  requestSpy.mockRejectedValueOnce(new Error('网络连接失败'))
  act(() => currentPage.search({ name: '大' }))
  await screen.findByText('没有取到数据：网络连接失败')
  expect(screen.queryByText('没有符合条件的记录')).toBeNull()
})

it('recovers by itself when the network returns', async () => {
  requestSpy.mockRejectedValueOnce(new Error('网络连接失败'))
  openAt('/lamps')
  await screen.findByText('没有取到数据：网络连接失败')
  mockAnswer(['大堂'])
  act(() => void window.dispatchEvent(new Event('online')))
  await screen.findByText('大堂')
})

it('tells an empty list from one that the filters empty', async () => {
  mockAnswer([])
  openAt('/lamps?name=大')
  await screen.findByText('没有符合条件的记录')
  mockAnswer([])
  fireEvent.click(screen.getByText('清除筛选'))
  await screen.findByText('还没有灯')
})

it('takes a press that follows at once for one upon the page asked for', async () => {
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

it('says of an anchor which page it began, though another was asked for since', async () => {
  isAnchored = true
  mockAnswer(['大堂'], 90)
  const router = openAt('/lamps?name=anchor')
  await screen.findByText('大堂')
  requestSpy.mockReturnValue(new Promise(() => {}))
  await act(async () => goToPage(2))
  await act(async () => goToPage(3))
  expect(new URLSearchParams(router.state.location.search).get('anchor')).toBe('1~大堂')
})

it('goes to the last page when its page has emptied', async () => {
  mockAnswer([], 40)
  const router = openAt('/lamps?pageNo=3')
  mockAnswer(['大堂'], 40)
  await waitFor(() => expect(router.state.location.search).toBe('?pageNo=2'))
})

it('shows who comes back the rows of before at once, and then the new ones', async () => {
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

it('remembers no rows of another filter, nor of another user', async () => {
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

it('says that there are more rows than were counted', async () => {
  requestSpy.mockResolvedValueOnce({
    data: { code: 0, data: { list: [{ id: '1', name: '大堂' }], total: 10_000, more: true } },
  })
  openAt('/lamps?pageSize=50')
  await screen.findByText('大堂')
  expect(currentPage.table.pagination.showTotal(10_000)).toBe('共 10,000+ 条')
})

it('asks anew for who goes away and back', async () => {
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

it('asks anew for who comes back while an answer of before is still on its way', async () => {
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
