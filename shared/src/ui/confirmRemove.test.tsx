import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import Button from 'antd/es/button'
import { CallError } from '../client/call'
import { responseCodes } from '../contract/endpoint'
import { useConfirmRemove } from './confirmRemove'
import { FeedbackProvider } from './feedback'

const remove = jest.fn<Promise<unknown>, [object]>()
const RemoveButton = () => {
  const confirmRemove = useConfirmRemove()
  return <Button onClick={() => confirmRemove('海康', remove)}>试</Button>
}
const confirmRemoval = async () => {
  const user = userEvent.setup()
  render(
    <FeedbackProvider>
      <RemoveButton />
    </FeedbackProvider>,
  )
  await user.click(screen.getByRole('button', { name: '试' }))
  await user.click(await screen.findByRole('button', { name: /删\s?除/ }))
}

it('deletes and reports success', async () => {
  remove.mockResolvedValue(null)
  await confirmRemoval()
  await screen.findByText('“海康”已删除')
})

it('lists the references to the row', async () => {
  remove.mockRejectedValue(
    new CallError('还有产品使用该厂商', responseCodes.referenced, {
      references: [{ entity: '产品', id: '1', name: '筒灯 12W' }],
    }),
  )
  await confirmRemoval()
  await screen.findByRole('dialog', { name: '“海康”还不能删除' })
  expect(screen.getByRole('listitem').textContent).toBe('产品 筒灯 12W')
  await waitFor(() => expect(screen.queryByText('删除“海康”？')).toBeNull())
})
