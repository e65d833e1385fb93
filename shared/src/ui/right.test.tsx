import { render, screen } from '@testing-library/react'
import Button from 'antd/es/button'
import { Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import { manufacturerApi } from '../contract/product/manufacturer.api'
import { platformOnlyReason } from '../contract/access/ownership'
import { store } from '../session/store'
import { signIn } from '../session/signedIn.fixture'
import { Can, RowLink } from './right'

const renderButton = (disabledReason?: string | false) =>
  render(
    <Provider store={store}>
      <Can to={manufacturerApi.remove} unless={disabledReason}>
        <Button>删除厂商</Button>
      </Can>
    </Provider>,
  )
const getButton = () => screen.getByRole('button', { name: '删除厂商' })

it('is enabled with the permission', () => {
  signIn(['deviceAccess:manufacturer:remove'])
  renderButton()
  expect(getButton()).toHaveProperty('disabled', false)
})
it('is disabled and names the missing permission', () => {
  signIn(['deviceAccess:manufacturer:list'])
  renderButton()
  expect(getButton()).toHaveProperty('disabled', true)
  expect(screen.getByLabelText('缺少权限：删除厂商')).toBeTruthy()
})
it('is disabled for platform rows without the data scope of all projects', () => {
  signIn(['deviceAccess:manufacturer:remove'], false)
  renderButton()
  expect(getButton()).toHaveProperty('disabled', true)
  expect(screen.getByLabelText(platformOnlyReason)).toBeTruthy()
})
it('is disabled with the reason of the row', () => {
  signIn(['*'])
  renderButton('内置厂商不能删除')
  expect(getButton()).toHaveProperty('disabled', true)
  expect(screen.getByLabelText('内置厂商不能删除')).toBeTruthy()
})
it('links a name to its page only with permission to view it', () => {
  const renderLink = () => (
    <Provider store={store}>
      <MemoryRouter>
        <RowLink to={manufacturerApi.get} at="/manufacturer/1" name="海康" />
      </MemoryRouter>
    </Provider>
  )
  signIn(['deviceAccess:manufacturer:query'])
  const { unmount } = render(renderLink())
  expect(screen.getByRole('link', { name: '海康' }).getAttribute('href')).toBe('/manufacturer/1')
  unmount()
  signIn(['deviceAccess:manufacturer:list'])
  render(renderLink())
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.getByText('海康').title).toBe('缺少权限：查看厂商')
})
