import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { SideMenu } from './SideMenu'

jest.mock('./idle', () => ({ idle: () => Promise.resolve() }))
jest.mock('@iot/shared/ui/menuIcon', () => {
  throw new Error('did not come')
})
jest.mock('./servedMenu', () => ({
  servedMenuAtom: jest.requireActual<typeof import('jotai')>('jotai').atom([
    { id: '1', type: 'page', name: '首页', path: '/home', icon: 'HomeOutlined', children: [] },
    { id: '2', type: 'page', name: '用户管理', path: '/user', icon: 'UserOutlined', children: [] },
    {
      id: '3',
      type: 'folder',
      name: '系统管理',
      path: '/system',
      icon: 'SettingOutlined',
      children: [
        { id: '4', type: 'page', name: '菜单管理', path: '/system/menu', icon: '', children: [] },
      ],
    },
  ]),
}))

const renderMenu = (folded: boolean, address = '/') =>
  render(
    <MemoryRouter initialEntries={[address]}>
      <SideMenu failed={false} folded={folded} onRetry={() => {}} />
    </MemoryRouter>,
  )

test('a folded menu without icons shows the first character of each entry', async () => {
  renderMenu(true)
  await screen.findByText('首')
  screen.getByText('用')
})

test('an unfolded menu without icons shows the names only', async () => {
  renderMenu(false)
  await screen.findByText('用户管理')
  expect(screen.queryByText('用')).toBeNull()
})

describe('with the keyboard', () => {
  const getEntry = (name: string) => screen.getByRole('menuitem', { name: new RegExp(name) })
  const pressKey = (key: string) => fireEvent.keyDown(document.activeElement!, { key })

  test('a folder is opened, entered and closed', async () => {
    renderMenu(false)
    act(() => getEntry('首页').focus())
    pressKey('End')
    expect(document.activeElement).toBe(getEntry('系统管理'))
    expect(screen.queryByText('菜单管理')).toBeNull()
    pressKey('ArrowRight')
    pressKey('ArrowRight')
    expect(document.activeElement).toBe(getEntry('菜单管理'))
    pressKey('ArrowDown')
    expect(document.activeElement).toBe(getEntry('首页'))
    pressKey('ArrowUp')
    pressKey('ArrowLeft')
    expect(document.activeElement).toBe(getEntry('系统管理'))
    pressKey('ArrowLeft')
    expect(screen.queryByText('菜单管理')).toBeNull()
  })
  test('keys with a modifier are left to the browser', () => {
    renderMenu(false)
    act(() => getEntry('首页').focus())
    expect(fireEvent.keyDown(getEntry('首页'), { key: 'ArrowLeft', altKey: true })).toBe(true)
    expect(fireEvent.keyDown(getEntry('首页'), { key: 'ArrowLeft' })).toBe(false)
  })
  test('the menu is one tab stop, at the current page', () => {
    renderMenu(false, '/system/menu')
    const tabStops = screen.getAllByRole('menuitem').filter(({ tabIndex }) => tabIndex === 0)
    expect(tabStops).toEqual([getEntry('菜单管理')])
    expect(getEntry('菜单管理').getAttribute('aria-current')).toBe('page')
  })
})
