import { act, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { Profiler } from 'react'
import type { LiveState, MapDevice } from '../contract/device/device.schema'
import { platformTimeZone, toEpochMs, toZonedDate } from '../contract/timeZone'
import { clearDeviceStatesAtom, applyDeviceStatesAtom } from '../session/live'
import { store } from '../session/store'
import { Lamp } from './lamp'
import { lightSwitchIdentifier } from '../contract/control/light'
import { countLooks } from './lights'
import { useDeviceCounts } from './useBuilding'

const createDevice = (id: string): MapDevice => ({
  id,
  name: `灯 ${id}`,
  state: 'online',
  reported: { [lightSwitchIdentifier]: 0 },
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
const lights = ['1', '2', '3'].map(createDevice)
const createState = (id: string, change: Partial<LiveState> = {}): LiveState => ({
  id,
  state: 'online',
  reported: { [lightSwitchIdentifier]: 1 },
  reportedTime: null,
  stale: {},
  desired: {},
  ...change,
})
const renderSpy = jest.fn()
const noop = () => {}
const Counts = () => <p>{useDeviceCounts(lights, countLooks).on} 盏亮</p>

function renderLamps() {
  render(
    <Provider store={store}>
      <svg>
        {lights.map((light) => (
          <Profiler key={light.id} id={light.id} onRender={renderSpy}>
            <Lamp
              light={light}
              x={0}
              y={0}
              isPicked={false}
              isHighlighted={false}
              onPress={noop}
              onOpen={noop}
            />
          </Profiler>
        ))}
      </svg>
      <Profiler id="counts" onRender={renderSpy}>
        <Counts />
      </Profiler>
    </Provider>,
  )
  renderSpy.mockClear()
}
const applyStates = (...devices: LiveState[]) =>
  act(() => store.set(applyDeviceStatesAtom, devices))
const getRenderedIds = () => renderSpy.mock.calls.map(([id]) => id as string)
beforeEach(() => store.set(clearDeviceStatesAtom))

it('renders only the changed lamp and the counts again', () => {
  renderLamps()
  applyStates(createState('2'))
  expect(getRenderedIds().sort()).toEqual(['2', 'counts'])
  expect(screen.getByRole('button', { name: '灯 2 开' })).toBeTruthy()
  expect(screen.getByRole('button', { name: '灯 1 关' })).toBeTruthy()
  expect(screen.getByText('1 盏亮')).toBeTruthy()
})

it('does not render the counts again when no light was switched', () => {
  renderLamps()
  applyStates(
    createState('1', {
      reported: { [lightSwitchIdentifier]: 0 },
      desired: { [lightSwitchIdentifier]: 1 },
    }),
  )
  expect(getRenderedIds()).toEqual(['1'])
  expect(screen.getByRole('button', { name: '灯 1 关，等待确认' })).toBeTruthy()
})

it('shows the time of a stale state', () => {
  renderLamps()
  const today = toZonedDate(Date.now(), platformTimeZone)
  applyStates(
    createState('1', {
      stale: { [lightSwitchIdentifier]: toEpochMs(today, '14:03', platformTimeZone) },
    }),
  )
  expect(screen.getByRole('button', { name: /^灯 1 未知，此前[开关]，截至 14:03$/ })).toBeTruthy()
  applyStates(createState('1'))
  expect(screen.getByRole('button', { name: /^灯 1 [开关]$/ })).toBeTruthy()
})

it('returns to the loaded states when they are reloaded', () => {
  renderLamps()
  applyStates(createState('1'), createState('3', { state: 'offline' }))
  act(() => store.set(clearDeviceStatesAtom))
  expect(screen.getAllByRole('button', { name: /关$/ })).toHaveLength(3)
})

it('shows the picture of its type for each state, and a generic mark without one', () => {
  const typeLook = {
    name: '灯',
    icon: 'id',
    color: '#13c2c2',
    pictures: { on: '/on', off: '', offline: '/offline', fault: '' },
  }
  const renderLook = (light: MapDevice, fault?: string) => {
    const { container, unmount } = render(
      <Provider store={store}>
        <svg>
          <Lamp
            {...{ light, x: 0, y: 0, isPicked: false, isHighlighted: false, fault, typeLook }}
            onPress={noop}
            onOpen={noop}
          />
        </svg>
      </Provider>,
    )
    const lookParts = [
      container.querySelector('image')?.getAttribute('href'),
      container.querySelectorAll('path').length,
    ]
    unmount()
    return lookParts
  }
  const [lamp] = lights
  expect(renderLook(lamp!)).toEqual(['/on', 0])
  expect(renderLook({ ...lamp!, state: 'offline' })).toEqual(['/offline', 0])
  expect(renderLook(lamp!, '灯具故障')).toEqual(['/on', 1])
})
