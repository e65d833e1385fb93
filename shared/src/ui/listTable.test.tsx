import { fireEvent, render, screen, within } from '@testing-library/react'
import Button from 'antd/es/button'
import { Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import { http } from '../client/call'
import type { Brand } from '../contract/product/brand.schema'
import { brandApi } from '../contract/product/brand.api'
import { store } from '../session/store'
import { BatchBar, useBatch } from './batch'
import { useRemoveRow } from './confirmRemove'
import { FeedbackProvider } from './feedback'
import { textFilter } from './filters'
import { ListTable } from './listTable'
import { useColumns } from './useColumns'
import { usePage } from './usePage'

const brands = [
  { id: '1', name: '海康' },
  { id: '2', name: '大华' },
]
const sendRequest = jest.spyOn(http, 'request')
const answerWith = (data: unknown) => sendRequest.mockResolvedValue({ data: { code: 0, data } })

function Brands() {
  const list = usePage(brandApi.page, { empty: '还没有品牌' })
  const batch = useBatch(list.refresh)
  const remove = useRemoveRow(brandApi.remove, list.refresh)
  const columns = useColumns<Brand>('brand', [
    { key: 'name', dataIndex: 'name', title: '名称', width: 120 },
    {
      title: <>操作</>,
      render: (_, row) => <Button onClick={() => remove(row)}>移走{row.name}</Button>,
    },
  ])
  return (
    <ListTable<Brand>
      list={list}
      columns={columns}
      filters={[textFilter('name', '品牌名称')]}
      selection={batch.selection}
      batchActions={
        <BatchBar count={batch.selected.length} onClear={batch.clear}>
          <Button>全部禁用</Button>
        </BatchBar>
      }
    >
      <Button>新建品牌</Button>
    </ListTable>
  )
}
async function renderList() {
  answerWith({ list: brands, total: 2 })
  render(
    <Provider store={store}>
      <FeedbackProvider>
        <MemoryRouter>
          <Brands />
        </MemoryRouter>
      </FeedbackProvider>
    </Provider>,
  )
  await screen.findByText('海康')
}

beforeEach(() => {
  jest.clearAllMocks()
  localStorage.clear()
})

it('shows filters, buttons and rows, and the bulk actions once a row is selected', async () => {
  await renderList()
  within(screen.getByRole('search')).getByLabelText('品牌名称')
  for (const name of ['列设置', '新建品牌']) screen.getByRole('button', { name })
  expect(screen.queryByText('全部禁用')).toBeNull()
  fireEvent.click(screen.getByLabelText('选择“大华”'))
  await screen.findByText('已选 1 条')
  screen.getByText('全部禁用')
})

it('asks for the filtered rows on Enter', async () => {
  await renderList()
  const filter = screen.getByLabelText('品牌名称')
  fireEvent.change(filter, { target: { value: '海' } })
  fireEvent.keyDown(filter, { key: 'Enter', keyCode: 13 })
  await screen.findByText('清除筛选')
  expect(JSON.stringify(sendRequest.mock.lastCall)).toContain('海')
})

it('removes a row after a confirmation and reads the list again', async () => {
  await renderList()
  fireEvent.click(screen.getByText('移走大华'))
  await screen.findByText('删除后不能恢复。')
  const confirmButtons = await screen.findAllByText(/^删\s?除$/)
  sendRequest.mockResolvedValueOnce({ data: { code: 0, data: null } })
  answerWith({ list: brands.slice(0, 1), total: 1 })
  fireEvent.click(confirmButtons.at(-1)!)
  await screen.findByText('“大华”已删除')
  await screen.findByText('共 1 条')
  expect(screen.queryByText('移走大华')).toBeNull()
})
