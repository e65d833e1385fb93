import { act, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import type { MapDevice } from '../../contract/device/device.schema'
import { applyDeviceStatesAtom } from '../../session/live'
import { store } from '../../session/store'
import LampList from './lampList'
import type { LightFilter } from '../lights'

const createLamp = (id: string, isOn: 0 | 1): MapDevice => ({
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
const lights = [
  createLamp('1', 1),
  createLamp('2', 0),
  { ...createLamp('3', 1), productType: 'SOCKET' },
]
const List = ({ only: lightFilter }: { only?: LightFilter }) => (
  <Provider store={store}>
    <LampList
      {...{
        floor: '1 层',
        lights,
        only: lightFilter,
        faults: new Map(),
        nameOf: () => '大堂',
        onShow() {},
      }}
    />
  </Provider>
)
const getNames = () =>
  screen.queryAllByRole('button', { name: /^灯/ }).map((button) => button.textContent)

it('lists the filtered lamps with their live states', () => {
  const { rerender } = render(<List />)
  expect(getNames()).toEqual(['灯 1', '灯 2'])
  rerender(<List only="off" />)
  expect(getNames()).toEqual(['灯 2'])
  const liveState = {
    state: 'online' as const,
    reported: { PowerSwitch: 1 },
    desired: {},
    stale: {},
  }
  act(() => store.set(applyDeviceStatesAtom, [{ id: '2', ...liveState, reportedTime: null }]))
  expect(getNames()).toEqual([])
  screen.getByText('没有状态为“关”的灯')
})
