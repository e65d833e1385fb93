import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import Button from 'antd/es/button'
import Form from 'antd/es/form'
import { z } from 'zod'
import { ChoiceItem } from './items'
import { TreeSelect } from './treeSelect'
import { buildTreeSelectProps } from './useListed'

const id = '0191d2a4-1111-7222-8333-444455556666'
const Draft = z.object({ makerId: z.string().meta({ title: '厂商' }) })
type Props = Pick<Parameters<typeof ChoiceItem>[0], 'options' | 'known' | 'none'>
const handleSubmit = jest.fn()
const renderForm = (props: Props, makerId = id) => (
  <Form initialValues={{ makerId }} onFinish={handleSubmit}>
    <ChoiceItem of={Draft} name="makerId" {...props} />
    <Button htmlType="submit">保存</Button>
  </Form>
)
const withinForm = () => within(document.querySelector('form')!)

describe('a select field', () => {
  it('shows no id when the options are not loaded, and submits the chosen value', async () => {
    const { container, rerender } = render(renderForm({ options: undefined }))
    withinForm().getByText('还没有读到')
    expect(container.innerHTML).not.toContain(id)
    await userEvent.click(screen.getByRole('button', { name: /保\s*存/ }))
    await screen.findByText('还没有读到')
    expect(handleSubmit).toHaveBeenCalledWith({ makerId: id })
    rerender(renderForm({ options: [{ value: id, label: '海康' }] }))
    withinForm().getByText('海康')
  })
  it('shows the name supplied by its row', () => {
    render(renderForm({ options: undefined, known: { [id]: '海康' } }))
    withinForm().getByText('海康')
  })
  it('shows the placeholder while nothing is chosen', () => {
    const { rerender } = render(renderForm({ options: undefined }, ''))
    withinForm().getByText('请选择厂商')
    expect(withinForm().queryByText('还没有读到')).toBeNull()
    rerender(renderForm({ options: [] }, ''))
    withinForm().getByText('请选择厂商')
  })
  it('shows the hint where to create options only when there are none', async () => {
    const none = '可到“厂商”新建'
    const { rerender } = render(renderForm({ options: [{ value: id, label: '海康' }], none }))
    await userEvent.type(screen.getByRole('combobox'), '大华')
    expect(withinForm().queryByText('海康')).toBeTruthy()
    expect(screen.queryByText(none)).toBeNull()
    rerender(renderForm({ options: [], none }))
    screen.getByText(none)
  })
  it('marks a value that is no longer in the list', () => {
    const { container } = render(renderForm({ options: [{ value: 'x', label: '海康' }] }))
    withinForm().getByText('已不在列表中')
    expect(container.innerHTML).not.toContain(id)
  })
})

it.each([
  ['is not loaded', undefined, {}, '还没有读到'],
  ['is not loaded, with the name of its row,', undefined, { [id]: '照明' }, '照明'],
  ['lacks the id', [], {}, '已不在列表中'],
  [
    'contains the id',
    [{ value: 'a', title: '甲', children: [{ value: id, title: '灯', children: [] }] }],
    {},
    '灯',
  ],
])('a tree select that %s shows no id', (_, nodes, knownNames, name) => {
  const { container } = render(
    <TreeSelect value={id} {...buildTreeSelectProps(nodes, id, knownNames)} />,
  )
  screen.getByText(name)
  expect(container.innerHTML).not.toContain(id)
})
