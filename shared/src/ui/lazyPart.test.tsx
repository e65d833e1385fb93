import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { lazyPart } from './lazyPart'

class Boundary extends Component<{ children: ReactNode }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render = () => (this.state.failed ? '没有加载' : this.props.children)
}

it('throws when the code fails to load, and loads it again on the next render', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => {})
  const load = jest
    .fn<Promise<{ default: (props: { name: string }) => ReactNode }>, []>()
    .mockRejectedValueOnce(new Error('gone'))
    .mockResolvedValue({ default: ({ name }) => `表单 ${name}` })
  const Part = lazyPart(load, () => '请稍候')
  const renderPart = () =>
    render(
      <Boundary>
        <Part name="品牌" />
      </Boundary>,
    )

  renderPart()
  expect(screen.getByText('请稍候')).toBeTruthy()
  expect(await screen.findByText('没有加载')).toBeTruthy()
  cleanup()
  renderPart()
  expect(await screen.findByText('表单 品牌')).toBeTruthy()
  cleanup()
  renderPart()
  expect(screen.getByText('表单 品牌')).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(2)
})

it('returns the focus to the opener', async () => {
  const Part = lazyPart(() => Promise.resolve({ default: () => <input aria-label="名称" /> }))
  const createPage = (isOpen: boolean) => (
    <>
      <button>新建</button>
      {isOpen && <Part />}
    </>
  )
  const { rerender } = render(createPage(false))
  screen.getByText('新建').focus()
  rerender(createPage(true))
  const field = await screen.findByLabelText('名称')
  field.focus()
  rerender(createPage(false))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('新建')))
})
