import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { FeedbackProvider, useFeedback } from './feedback'

type Feedback = ReturnType<typeof useFeedback>

function AskButton({ ask }: { ask: (feedback: Feedback) => unknown }) {
  const feedback = useFeedback()
  const [answer, setAnswer] = useState('')
  return (
    <>
      <button type="button" onClick={async () => setAnswer(String(await ask(feedback)))}>
        问
      </button>
      <output>{answer}</output>
    </>
  )
}
const renderAndAsk = (ask: (feedback: Feedback) => unknown) => {
  render(
    <FeedbackProvider>
      <AskButton ask={ask} />
    </FeedbackProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: '问' }))
}

describe('a confirmation dialog', () => {
  it('opened before its code has loaded is shown then and resolves its promise', async () => {
    renderAndAsk(({ modal }) => modal.confirm({ title: '恢复原状？', okText: '恢复' }))
    fireEvent.click(await screen.findByRole('button', { name: /恢\s?复/ }))
    await screen.findByText('true')
  })
  it('destroyed before its code has loaded is never shown', async () => {
    renderAndAsk(({ modal }) => {
      modal.confirm({ title: '放弃修改？' }).destroy()
      return modal.confirm({ title: '删除 2 个？', okText: '删除' })
    })
    await screen.findByRole('dialog', { name: '删除 2 个？' })
    expect(screen.queryByText('放弃修改？')).toBeNull()
    await act(async () => fireEvent.click(screen.getByRole('button', { name: /取\s?消|Cancel/ })))
    await screen.findByText('false')
  })
  it('opens once for a double click, and again for the next click', async () => {
    renderAndAsk(({ modal }) => modal.confirm({ title: '删除 3 个？' }))
    const button = screen.getByRole('button', { name: '问' })
    fireEvent.click(button, { detail: 2 })
    await screen.findByRole('dialog', { name: '删除 3 个？' })
    expect(screen.getAllByRole('dialog')).toHaveLength(1)
    fireEvent.click(button, { detail: 1 })
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(2))
  })
  it('updated before it is shown appears with the new content', async () => {
    renderAndAsk(({ modal }) => modal.info({ title: '导入中' }).update({ title: '导入完成' }))
    await screen.findByRole('dialog', { name: '导入完成' })
    expect(screen.queryByText('导入中')).toBeNull()
  })
})

describe('a notification', () => {
  it('is shown with the title and content given', async () => {
    renderAndAsk(({ notification }) => notification.info({ title: '有新版本' }))
    await screen.findByText('有新版本')
  })
})
