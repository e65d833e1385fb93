import { act, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { Profiler } from 'react'
import type { LiveState, MapDevice } from '../contract/device'
import { platformTimeZone, toMoment, toZonedDate } from '../contract/timeZone'
import { forgetStatesAtom, takeStatesAtom } from '../session/live'
import { store } from '../session/store'
import { Lamp } from './lamp'
import { lightSwitch } from '../contract/light'
import { countLooks } from './lights'
import { useTally } from './useBuilding'

const known = (id: string): MapDevice => ({
  id,
  name: `灯 ${id}`,
  state: 'online',
  reported: { [lightSwitch]: 0 },
  reportedTime: null,
  stale: {},
  desired: {},
  productType: 'SAFEWAY_LIGHT',
  spaceId: 'a',
  floorId: 'a',
  x: 0,
  y: 0,
  protected: false,
})
const lights = ['1', '2', '3'].map(known)
const says = (id: string, change: Partial<LiveState> = {}): LiveState => ({
  id,
  state: 'online',
  reported: { [lightSwitch]: 1 },
  reportedTime: null,
  stale: {},
  desired: {},
  ...change,
})
const drawn = jest.fn()
const press = () => {}
const Counts = () => <p>{useTally(lights, countLooks).on} 盏亮</p>

function open() {
  render(
    <Provider store={store}>
      <svg>
        {lights.map((light) => (
          <Profiler key={light.id} id={light.id} onRender={drawn}>
            <Lamp
              light={light}
              x={0}
              y={0}
              isPicked={false}
              isHighlighted={false}
              onPress={press}
              onOpen={press}
            />
          </Profiler>
        ))}
      </svg>
      <Profiler id="counts" onRender={drawn}>
        <Counts />
      </Profiler>
    </Provider>,
  )
  drawn.mockClear()
}
const take = (...devices: LiveState[]) => act(() => store.set(takeStatesAtom, devices))
const drawnNow = () => drawn.mock.calls.map(([id]) => id as string)
beforeEach(() => store.set(forgetStatesAtom))

it('draws anew the lamp a message names, and what is counted of it', () => {
  open()
  take(says('2'))
  expect(drawnNow().sort()).toEqual(['2', 'counts'])
  expect(screen.getByRole('button', { name: '灯 2 开' })).toBeTruthy()
  expect(screen.getByRole('button', { name: '灯 1 关' })).toBeTruthy()
  expect(screen.getByText('1 盏亮')).toBeTruthy()
})

it('leaves the counts where nothing was switched', () => {
  open()
  take(says('1', { reported: { [lightSwitch]: 0 }, desired: { [lightSwitch]: 1 } }))
  expect(drawnNow()).toEqual(['1'])
  expect(screen.getByRole('button', { name: '灯 1 关，等待确认' })).toBeTruthy()
})

it('says of when a state is that was not said again since the device was away', () => {
  open()
  const today = toZonedDate(Date.now(), platformTimeZone)
  take(says('1', { stale: { [lightSwitch]: toMoment(today, '14:03', platformTimeZone) } }))
  expect(screen.getByRole('button', { name: /^灯 1 未知，此前[开关]，截至 14:03$/ })).toBeTruthy()
  take(says('1'))
  expect(screen.getByRole('button', { name: /^灯 1 [开关]$/ })).toBeTruthy()
})

it('goes back to what was read when the states are read anew', () => {
  open()
  take(says('1'), says('3', { state: 'offline' }))
  act(() => store.set(forgetStatesAtom))
  expect(screen.getAllByRole('button', { name: /关$/ })).toHaveLength(3)
})

it('shows the picture of its type for each state, and the sign where there is none of its own', () => {
  const typeLook = {
    name: '灯',
    icon: 'id',
    color: '#13c2c2',
    pictures: { on: '/on', off: '', offline: '/offline', fault: '' },
  }
  const drawnOf = (light: MapDevice, fault?: string) => {
    const { container, unmount } = render(
      <Provider store={store}>
        <svg>
          <Lamp
            {...{ light, x: 0, y: 0, isPicked: false, isHighlighted: false, fault, typeLook }}
            onPress={press}
            onOpen={press}
          />
        </svg>
      </Provider>,
    )
    const drawn = [
      container.querySelector('image')?.getAttribute('href'),
      container.querySelectorAll('path').length,
    ]
    unmount()
    return drawn
  }
  const [lamp] = lights
  expect(drawnOf(lamp!)).toEqual(['/on', 0])
  expect(drawnOf({ ...lamp!, state: 'offline' })).toEqual(['/offline', 0])
  expect(drawnOf(lamp!, '灯具故障')).toEqual(['/on', 1])
})
