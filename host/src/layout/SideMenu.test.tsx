import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { SideMenu } from './SideMenu'

jest.mock('./idle', () => ({ idle: () => Promise.resolve() }))
jest.mock('@iot/shared/ui/menuIcon', () => {
  throw new Error('did not come')
})
jest.mock('../federation/served', () => ({
  servedMenuAtom: jest.requireActual<typeof import('jotai')>('jotai').atom([
    { id: '1', type: 'page', name: '首页', path: '/home', icon: 'HomeOutlined', children: [] },
    { id: '2', type: 'page', name: '用户管理', path: '/user', icon: 'UserOutlined', children: [] },
  ]),
}))

const show = (folded: boolean) =>
  render(
    <MemoryRouter>
      <SideMenu failed={false} folded={folded} onRetry={() => {}} />
    </MemoryRouter>,
  )

test('folded, a menu whose pictures did not come shows the first character of each entry', async () => {
  show(true)
  await screen.findByText('首')
  screen.getByText('用')
})

test('unfolded, the names are enough', async () => {
  show(false)
  await screen.findByText('用户管理')
  expect(screen.queryByText('用')).toBeNull()
})
