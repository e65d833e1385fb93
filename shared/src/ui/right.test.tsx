import { render, screen } from '@testing-library/react'
import { Button } from 'antd'
import { Provider } from 'jotai'
import { manufacturerApi } from '../contract/manufacturer'
import { store } from '../session/store'
import { userInfoAtom } from '../session/user'
import { Right } from './right'

const signIn = (permissions: string[]) =>
  store.set(userInfoAtom, {
    id: '1',
    username: 'wang',
    name: '王工',
    roles: [],
    permissions,
    mustChangePassword: false,
  })
const show = (unless?: string | false) =>
  render(
    <Provider store={store}>
      <Right to={manufacturerApi.remove} unless={unless}>
        <Button>删除厂商</Button>
      </Right>
    </Provider>,
  )
const button = () => screen.getByRole('button', { name: '删除厂商' })

it('is an ordinary button to who holds the right', () => {
  signIn(['deviceAccess:manufacturer:remove'])
  show()
  expect(button()).toHaveProperty('disabled', false)
})
it('is disabled and says which right is missing', () => {
  signIn(['deviceAccess:manufacturer:list'])
  show()
  expect(button()).toHaveProperty('disabled', true)
  expect(screen.getByLabelText('缺少权限：删除厂商')).toBeTruthy()
})
it('says what the record itself forbids', () => {
  signIn(['*'])
  show('内置厂商不能删除')
  expect(button()).toHaveProperty('disabled', true)
  expect(screen.getByLabelText('内置厂商不能删除')).toBeTruthy()
})
