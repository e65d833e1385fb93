import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import Table from 'antd/es/table'
import { useColumns } from './useColumns'

type Row = { id: string; name: string; place: string; status: string }
const rows: Row[] = [{ id: '1', name: '甲', place: '苏州', status: '启用' }]

function List() {
  const { columns, size, scroll, chooser } = useColumns<Row>('row', [
    { key: 'name', dataIndex: 'name', title: '名称', width: 120 },
    { key: 'place', dataIndex: 'place', title: '所在地' },
    { key: 'status', dataIndex: 'status', title: '状态' },
  ])
  return (
    <>
      {chooser}
      <Table<Row>
        rowKey="id"
        size={size}
        columns={columns}
        scroll={scroll}
        dataSource={rows}
        pagination={false}
      />
    </>
  )
}
const findHeader = (name: string) => screen.queryByRole('columnheader', { name })

beforeEach(() => localStorage.clear())

it('hides a column, also on the next visit', async () => {
  const { unmount } = render(<List />)
  await userEvent.click(screen.getByRole('button', { name: '列设置' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: '所在地' }))
  expect(findHeader('所在地')).toBeNull()
  unmount()
  render(<List />)
  expect(findHeader('名称')).not.toBeNull()
  expect(findHeader('所在地')).toBeNull()
})

it('keeps at least one column', async () => {
  render(<List />)
  await userEvent.click(screen.getByRole('button', { name: '列设置' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: '所在地' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '状态' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '名称' }))
  expect(findHeader('名称')).not.toBeNull()
})

it.each([
  [false, ['名称', '所在地', '状态']],
  [true, ['名称', '状态', '所在地']],
])('shows the state beside the name if the page is narrow (%p)', (matches, titles) => {
  const list = { ...matchMedia(''), matches }
  jest.spyOn(window, 'matchMedia').mockReturnValue(list)
  render(<List />)
  const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(headers).toEqual(titles)
  jest.restoreAllMocks()
})
