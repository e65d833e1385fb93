import { clearCache } from 'ahooks'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { CanceledError } from 'axios'
import { useEffect } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { z } from 'zod'
import { http } from '../client/call'
import { endpoint } from '../contract/endpoint'
import { pageOf, pageQuery } from '../contract/fields'
import { store } from '../session/store'
import { tokenAtom } from '../session/user'
import { usePage } from './usePage'

const Lamp = z.object({ id: z.string(), name: z.string() })
const page = endpoint({
  method: 'POST',
  path: '/v1/lamp/page',
  title: '灯',
  permission: 'session',
  input: pageQuery({ name: z.string().optional() }),
  output: pageOf(Lamp),
})

const ask = jest.spyOn(http, 'request')
const answer = (names: string[], total = names.length) =>
  ask.mockResolvedValueOnce({
    data: { code: 0, msg: 'ok', data: { list: names.map((name) => ({ id: name, name })), total } },
  })
const asked = () => (ask.mock.lastCall?.[0] as { data: unknown }).data

type Page = ReturnType<typeof usePage<typeof page>>
let now: Page
let anchored: true | undefined
let unless: string | undefined
const List = () => {
  const lamps = usePage(page, { empty: '还没有灯', anchored, unless })
  useEffect(() => {
    now = lamps
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
const turnTo = (current: number) =>
  now.table.onChange(
    { current, pageSize: 20 },
    {},
    {},
    { action: 'paginate', currentDataSource: [] },
  )
const open = (address: string) => {
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
  ask.mockReset()
  anchored = undefined
  unless = undefined
  clearCache()
})

it('asks for what the address says', async () => {
  answer(['大堂'])
  open('/lamps?pageNo=3&pageSize=50&name=大&sort=-name&tab=all')
  await screen.findByText('大堂')
  expect(asked()).toEqual({ pageNo: 3, pageSize: 50, name: '大', sort: '-name' })
  expect(now.sortable('name').sortOrder).toBe('descend')
  expect(now.filters).toEqual({ name: '大' })
})

it('leaves out what an address says to others than the list', async () => {
  const fields = { utm: '没有“utm”这个字段' }
  ask.mockResolvedValueOnce({ data: { code: 422, msg: fields.utm, data: { fields } } })
  answer(['大堂'])
  const router = open('/lamps?utm=1&name=大')
  await screen.findByText('大堂')
  expect(asked()).toEqual({ pageNo: 1, pageSize: 20, name: '大' })
  expect(router.state.location.search).toBe(`?name=${encodeURIComponent('大')}`)
  expect(screen.queryByText(/这个字段/)).toBeNull()
})

it('says of a filter that it is wrong', async () => {
  const fields = { status: '状态不正确' }
  ask.mockResolvedValueOnce({ data: { code: 422, msg: fields.status, data: { fields } } })
  open('/lamps?status=broken')
  await screen.findByText('没有取到数据：状态不正确')
})

it('asks for nothing where there is nothing to ask for, and says why', async () => {
  unless = '还没有项目'
  open('/lamps')
  await screen.findByText('还没有项目')
  expect(ask).not.toHaveBeenCalled()
  expect(now.table.loading.spinning).toBe(false)
})

it('takes a broken page number for the first', async () => {
  answer(['大堂'])
  open('/lamps?pageNo=-1&pageSize=many')
  await screen.findByText('大堂')
  expect(asked()).toEqual({ pageNo: 1, pageSize: 20 })
})

it('puts filters into the address, from the first page on, and leaves the rest of it', async () => {
  answer(['大堂'])
  const router = open('/lamps?pageNo=3&name=大&tab=all')
  await screen.findByText('大堂')
  answer(['走廊'])
  act(() => now.search({ name: '廊' }))
  await screen.findByText('走廊')
  expect(router.state.location.search).toBe(`?name=${encodeURIComponent('廊')}&tab=all`)
  answer(['大堂'])
  await act(() => router.navigate(-1))
  await screen.findByText('大堂')
  expect(asked()).toMatchObject({ pageNo: 3, name: '大' })
})

it('keeps the rows when a later call fails, and offers another try', async () => {
  answer(['大堂'])
  open('/lamps')
  await screen.findByText('大堂')
  ask.mockRejectedValueOnce(new Error('网络连接失败'))
  act(() => now.refresh())
  await screen.findByText(/下面是上次的结果：网络连接失败/)
  expect(screen.getByText('大堂')).toBeTruthy()
  answer(['走廊'])
  fireEvent.click(screen.getByText(/^重\s?试$/))
  await screen.findByText('走廊')
  expect(screen.queryByText(/上次的结果/)).toBeNull()
})

it('does not say of a search that failed that nothing was found', async () => {
  answer([])
  open('/lamps')
  await screen.findByText('还没有灯')
  ask.mockRejectedValueOnce(new Error('网络连接失败'))
  act(() => now.search({ name: '大' }))
  await screen.findByText('没有取到数据：网络连接失败')
  expect(screen.queryByText('没有符合条件的记录')).toBeNull()
})

it('recovers by itself when the network returns', async () => {
  ask.mockRejectedValueOnce(new Error('网络连接失败'))
  open('/lamps')
  await screen.findByText('没有取到数据：网络连接失败')
  answer(['大堂'])
  act(() => void window.dispatchEvent(new Event('online')))
  await screen.findByText('大堂')
})

it('tells an empty list from one that the filters empty', async () => {
  answer([])
  open('/lamps?name=大')
  await screen.findByText('没有符合条件的记录')
  answer([])
  fireEvent.click(screen.getByText('清除筛选'))
  await screen.findByText('还没有灯')
})

it('takes a press that follows at once for one upon the page asked for', async () => {
  ask.mockReturnValue(new Promise(() => {}))
  const router = open('/lamps?name=quick')
  const next = () => turnTo(now.table.pagination.current + 1)
  await act(async () => {
    next()
    // A deferred render would happen here.
    for (let n = 0; n < 10; n++) await Promise.resolve()
    next()
  })
  expect(new URLSearchParams(router.state.location.search).get('pageNo')).toBe('3')
})

it('says of an anchor which page it began, though another was asked for since', async () => {
  anchored = true
  answer(['大堂'], 90)
  const router = open('/lamps?name=anchor')
  await screen.findByText('大堂')
  ask.mockReturnValue(new Promise(() => {}))
  await act(async () => turnTo(2))
  await act(async () => turnTo(3))
  expect(new URLSearchParams(router.state.location.search).get('anchor')).toBe('1~大堂')
})

it('goes to the last page when its page has emptied', async () => {
  answer([], 40)
  const router = open('/lamps?pageNo=3')
  answer(['大堂'], 40)
  await waitFor(() => expect(router.state.location.search).toBe('?pageNo=2'))
})

it('shows who comes back the rows of before at once, and then the new ones', async () => {
  answer(['大堂'])
  open('/lamps?name=大')
  await screen.findByText('大堂')
  cleanup()
  let late = (_: unknown): void => {}
  ask.mockReturnValueOnce(new Promise((resolve) => (late = resolve)))
  open('/lamps?name=大')
  expect(screen.getByText('大堂')).toBeTruthy()
  await act(async () =>
    late({ data: { code: 0, data: { list: [{ id: '1', name: '走廊' }], total: 1 } } }),
  )
  expect(screen.queryByText('大堂')).toBeNull()
  expect(screen.getByText('走廊')).toBeTruthy()
})

it('remembers no rows of another filter, nor of another user', async () => {
  answer(['大堂'])
  open('/lamps?name=大')
  await screen.findByText('大堂')
  cleanup()
  ask.mockReturnValue(new Promise(() => {}))
  open('/lamps')
  expect(screen.queryByText('大堂')).toBeNull()
  cleanup()
  store.set(tokenAtom, 'another')
  open('/lamps?name=大')
  expect(screen.queryByText('大堂')).toBeNull()
})

it('says that there are more rows than were counted', async () => {
  ask.mockResolvedValueOnce({
    data: { code: 0, data: { list: [{ id: '1', name: '大堂' }], total: 10_000, more: true } },
  })
  open('/lamps?pageSize=50')
  await screen.findByText('大堂')
  expect(now.table.pagination.showTotal(10_000)).toBe('共 10,000+ 条')
})

it('asks anew for who goes away and back', async () => {
  const router = createMemoryRouter(
    [
      { path: '/lamps', Component: List },
      { path: '/other', element: <i>other</i> },
    ],
    { initialEntries: ['/lamps?name=back'] },
  )
  answer(['大堂'])
  render(<RouterProvider router={router} />)
  await screen.findByText('大堂')
  await act(() => router.navigate('/other'))
  await screen.findByText('other')
  let late = (_: unknown): void => {}
  ask.mockReturnValueOnce(new Promise((resolve) => (late = resolve)))
  await act(() => router.navigate(-1))
  expect(screen.getByText('大堂')).toBeTruthy()
  expect(ask).toHaveBeenCalledTimes(2)
  await act(async () =>
    late({ data: { code: 0, data: { list: [{ id: '1', name: '走廊' }], total: 1 } } }),
  )
  expect(screen.getByText('走廊')).toBeTruthy()
})

it('asks anew for who comes back while an answer of before is still on its way', async () => {
  ask.mockImplementationOnce(
    ({ signal }) =>
      new Promise((_, reject) =>
        signal?.addEventListener?.('abort', () => reject(new CanceledError())),
      ),
  )
  const router = open('/lamps')
  await act(() => router.navigate('/elsewhere'))
  answer(['大堂', '刚添加的'])
  await act(() => router.navigate('/lamps'))
  await screen.findByText('刚添加的')
})
