import { act, render } from '@testing-library/react'
import { Provider } from 'jotai'
import { iconVersionAtom } from '../session/looks'
import { store } from '../session/store'
import { MenuIcon } from './menuIcon'

it('reloads a library icon when its version changes', () => {
  const id = '01890000-0000-7000-8000-000000000001'
  store.set(iconVersionAtom, '1')
  const { container } = render(
    <Provider store={store}>
      <MenuIcon name={id} />
    </Provider>,
  )
  const getMask = () => container.querySelector('span')!.style.mask
  expect(getMask()).toContain(`/v1/icon/${id}/on?v=1`)
  act(() => store.set(iconVersionAtom, '2'))
  expect(getMask()).toContain(`/v1/icon/${id}/on?v=2`)
})
