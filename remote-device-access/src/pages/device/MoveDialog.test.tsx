import { fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { store } from '@iot/shared/session/store'
import { userInfoAtom } from '@iot/shared/session/user'
import MoveDialog from './MoveDialog'

jest.mock('@iot/shared/client/call', () => ({ call: () => new Promise(() => {}) }))

const moved = jest.fn()
const closed = jest.fn()
const open = (at?: { spaceId: string | null; name: string }) =>
  render(
    <Provider store={store}>
      <MoveDialog what="设备" projectId={1} at={at} onMove={moved} onClose={closed} />
    </Provider>,
  )
const press = () => fireEvent.click(screen.getByRole('button', { name: /移\s?动/ }))

beforeEach(() => {
  jest.clearAllMocks()
  store.set(userInfoAtom, {
    id: '1',
    username: 'li',
    name: '李工',
    roles: [],
    permissions: ['*'],
    mustChangePassword: false,
    seesAllProjects: true,
  })
})

it('leaves a device where it stands while nothing else is chosen', () => {
  open({ spaceId: 'hall', name: '1 层 / 大堂' })
  expect(screen.getByText('1 层 / 大堂')).toBeTruthy()
  press()
  expect(moved).toHaveBeenCalledWith({ projectId: 1, spaceId: 'hall' })
})

it('takes the place from none of many unless that is chosen', async () => {
  open()
  press()
  await screen.findByText('请选择位置', { selector: '.ant-form-item-explain-error' })
  expect(moved).not.toHaveBeenCalled()
  expect(closed).not.toHaveBeenCalled()
})
