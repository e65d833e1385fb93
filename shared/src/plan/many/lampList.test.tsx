import { act, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import type { MapDevice } from '../../contract/device'
import { takeStatesAtom } from '../../session/live'
import { store } from '../../session/store'
import LampList from './lampList'
import type { Only } from '../lights'

const lamp = (id: string, isOn: 0 | 1): MapDevice => ({
  id,
  name: `灯 ${id}`,
  state: 'online',
  reported: { PowerSwitch: isOn },
  desired: {},
  stale: {},
  reportedTime: null,
  productType: 'SAFEWAY_LIGHT',
  protected: false,
  spaceId: 'lobby',
  floorId: 'a1',
  x: 0,
  y: 0,
})
const lights = [lamp('1', 1), lamp('2', 0), { ...lamp('3', 1), productType: 'SOCKET' }]
const List = ({ only }: { only?: Only }) => (
  <Provider store={store}>
    <LampList
      {...{ floor: '1 层', lights, only, faults: new Map(), nameOf: () => '大堂', onShow() {} }}
    />
  </Provider>
)
const names = () => screen.queryAllByRole('button', { name: /^灯/ }).map((one) => one.textContent)

it('lists those that are looked for, as they are now', () => {
  const { rerender } = render(<List />)
  expect(names()).toEqual(['灯 1', '灯 2'])
  rerender(<List only="off" />)
  expect(names()).toEqual(['灯 2'])
  const now = { state: 'online' as const, reported: { PowerSwitch: 1 }, desired: {}, stale: {} }
  act(() => store.set(takeStatesAtom, [{ id: '2', ...now, reportedTime: null }]))
  expect(names()).toEqual([])
  screen.getByText('没有状态为“关”的灯')
})
