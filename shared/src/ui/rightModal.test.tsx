import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Input } from 'antd'
import { Provider } from 'jotai'
import { store } from '../session/store'
import { userInfoAtom } from '../session/user'
import { RightModal } from './rightModal'

const user = {
  id: '1',
  username: 'li',
  name: '李工',
  roles: [],
  mustChangePassword: false,
  seesAllProjects: true,
}
const may = (...permissions: string[]) => store.set(userInfoAtom, { ...user, permissions })
const to = { permission: 'deviceAccess:brand:edit', title: '移动空间' } as const
const onOk = jest.fn()
const open = (more: { unless?: string; isEmpty?: boolean } = {}) =>
  render(
    <Provider store={store}>
      <RightModal
        open
        to={to}
        unless={more.unless}
        okText="移动"
        okButtonProps={{ disabled: more.isEmpty }}
        onOk={onOk}
      >
        <Input aria-label="备注" />
      </RightModal>
    </Provider>,
  )
const button = () => screen.getByText(/^移\s?动$/).closest('button')!
afterEach(() => {
  cleanup()
  jest.clearAllMocks()
  store.set(userInfoAtom, null)
})

it('disables its button with the reason when the right is taken, and keeps what is filled in', () => {
  may('deviceAccess:brand:edit')
  open()
  fireEvent.change(screen.getByLabelText('备注'), { target: { value: '二楼' } })
  expect(button().disabled).toBe(false)
  act(() => may('deviceAccess:brand:list'))
  expect(button().disabled).toBe(true)
  screen.getByText('缺少权限：移动空间，不能移动；已填写的内容仍在')
  expect(screen.getByLabelText<HTMLInputElement>('备注').value).toBe('二楼')
  fireEvent.click(button())
  expect(onOk).not.toHaveBeenCalled()
  act(() => may('deviceAccess:brand:edit'))
  fireEvent.click(button())
  expect(onOk).toHaveBeenCalledTimes(1)
})

it('says the reason of whoever opened it, and stays disabled where nothing is chosen', () => {
  may('deviceAccess:brand:edit')
  const { unmount } = open({ unless: '产品已停用' })
  screen.getByText('产品已停用，不能移动；已填写的内容仍在')
  expect(button().disabled).toBe(true)
  unmount()
  open({ isEmpty: true })
  expect(button().disabled).toBe(true)
})
