import { fireEvent, render, screen } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { lazyDialog, lazyPart } from './lazyPart'

type DialogProps = { name: string; onClose: () => void }
type Module = { default: (props: DialogProps) => ReactNode }

/** A list whose button opens the dialog. */
const renderList = (Dialog: ReturnType<typeof lazyDialog<DialogProps>>) => {
  const List = () => {
    const [isOpen, setOpen] = useState(false)
    return (
      <>
        <button onClick={() => setOpen(true)}>新建</button>
        {isOpen && <Dialog name="品牌" onClose={() => setOpen(false)} />}
      </>
    )
  }
  render(<List />)
  fireEvent.click(screen.getByText('新建'))
}

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => {})
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
})

const loadForm = () =>
  jest
    .fn<Promise<Module>, []>()
    .mockRejectedValueOnce(new Error('gone'))
    .mockResolvedValue({ default: ({ name }) => `表单 ${name}` })

it('explains a failed load in a dialog, keeps the list and loads again on 重试', async () => {
  const load = loadForm()
  renderList(lazyDialog(load))
  expect(await screen.findByText(/没有加载成功/)).toBeTruthy()
  expect(screen.getByText('新建')).toBeTruthy()
  fireEvent.click(screen.getByText(/重\s?试/))
  expect(await screen.findByText('表单 品牌')).toBeTruthy()
  expect(screen.queryByText(/没有加载成功/)).toBeNull()
  expect(load).toHaveBeenCalledTimes(2)
})

it('loads again when it is opened again after 关闭', async () => {
  renderList(lazyDialog(loadForm()))
  fireEvent.click(await screen.findByText(/关\s?闭/))
  expect(screen.queryByText(/没有加载成功/)).toBeNull()
  fireEvent.click(screen.getByText('新建'))
  expect(await screen.findByText('表单 品牌')).toBeTruthy()
})

it('retries a part inside the dialog that did not load', async () => {
  const Chart = lazyPart(
    jest
      .fn()
      .mockRejectedValueOnce(new Error('gone'))
      .mockResolvedValue({ default: () => '曲线' }),
  )
  renderList(lazyDialog(() => Promise.resolve({ default: () => <Chart /> })))
  fireEvent.click(await screen.findByText(/重\s?试/))
  expect(await screen.findByText('曲线')).toBeTruthy()
})
