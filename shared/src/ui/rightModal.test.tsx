import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import Input from 'antd/es/input'
import { Provider } from 'jotai'
import { store } from '../session/store'
import { userInfoAtom } from '../session/user'
import { PermissionModal } from './rightModal'

const user = {
  id: '1',
  username: 'li',
  name: '李工',
  roles: [],
  mustChangePassword: false,
  seesAllProjects: true,
}
const grantPermissions = (...permissions: string[]) =>
  store.set(userInfoAtom, { ...user, permissions })
const guardedCall = { permission: 'deviceAccess:brand:edit', title: '移动空间' } as const
const onOk = jest.fn()
const openModal = (options: { unless?: string; isEmpty?: boolean } = {}) =>
  render(
    <Provider store={store}>
      <PermissionModal
        open
        to={guardedCall}
        unless={options.unless}
        okText="移动"
        okButtonProps={{ disabled: options.isEmpty }}
        onOk={onOk}
      >
        <Input aria-label="备注" />
      </PermissionModal>
    </Provider>,
  )
const getButton = () => screen.getByText(/^移\s?动$/).closest('button')!
afterEach(() => {
  cleanup()
  jest.clearAllMocks()
  store.set(userInfoAtom, null)
})

it('disables its button with the reason when the permission is revoked, and keeps the input', () => {
  grantPermissions('deviceAccess:brand:edit')
  openModal()
  fireEvent.change(screen.getByLabelText('备注'), { target: { value: '二楼' } })
  expect(getButton().disabled).toBe(false)
  act(() => grantPermissions('deviceAccess:brand:list'))
  expect(getButton().disabled).toBe(true)
  screen.getByText('缺少权限：移动空间，不能移动；已填写的内容仍在')
  expect(screen.getByLabelText<HTMLInputElement>('备注').value).toBe('二楼')
  fireEvent.click(getButton())
  expect(onOk).not.toHaveBeenCalled()
  act(() => grantPermissions('deviceAccess:brand:edit'))
  fireEvent.click(getButton())
  expect(onOk).toHaveBeenCalledTimes(1)
})

it('shows the reason given by its opener, and stays disabled while nothing is selected', () => {
  grantPermissions('deviceAccess:brand:edit')
  const { unmount } = openModal({ unless: '产品已停用' })
  screen.getByText('产品已停用，不能移动；已填写的内容仍在')
  expect(getButton().disabled).toBe(true)
  unmount()
  openModal({ isEmpty: true })
  expect(getButton().disabled).toBe(true)
})
