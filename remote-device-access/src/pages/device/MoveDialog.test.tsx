import { fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { store } from '@iot/shared/session/store'
import { signIn } from '@iot/shared/session/signedIn.fixture'
import MoveDialog from './MoveDialog'

jest.mock('@iot/shared/client/call', () => ({ call: () => new Promise(() => {}) }))

const onMoveMock = jest.fn()
const onCloseMock = jest.fn()
const openDialog = (startPlace?: { spaceId: string | null; name: string }) =>
  render(
    <Provider store={store}>
      <MoveDialog
        subject="设备"
        projectId={1}
        currentPlace={startPlace}
        onMove={onMoveMock}
        onClose={onCloseMock}
      />
    </Provider>,
  )
const pressMove = () => fireEvent.click(screen.getByRole('button', { name: /移\s?动/ }))

beforeEach(() => {
  jest.clearAllMocks()
  signIn(['*'])
})

it('keeps the place of a device when no other is chosen', () => {
  openDialog({ spaceId: 'hall', name: '1 层 / 大堂' })
  expect(screen.getByText('1 层 / 大堂')).toBeTruthy()
  pressMove()
  expect(onMoveMock).toHaveBeenCalledWith({ projectId: 1, spaceId: 'hall' })
})

it('requires a place when several devices are moved', async () => {
  openDialog()
  pressMove()
  await screen.findByText('请选择位置', { selector: '.ant-form-item-explain-error' })
  expect(onMoveMock).not.toHaveBeenCalled()
  expect(onCloseMock).not.toHaveBeenCalled()
})
