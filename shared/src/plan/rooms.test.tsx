import { fireEvent, render, screen } from '@testing-library/react'
import type { MapDevice } from '../contract/device/device.schema'
import { RoomLabel } from './rooms'

const createLamp = (id: string, changes: Partial<MapDevice> = {}): MapDevice => ({
  id,
  name: id,
  state: 'online',
  reported: { PowerSwitch: 0 },
  desired: {},
  stale: {},
  reportedTime: null,
  productType: 'SAFEWAY_LIGHT',
  protected: false,
  spaceId: 'lobby',
  floorId: 'a1',
  x: 0,
  y: 0,
  ...changes,
})
const press = jest.fn()
const renderRoom = (lights: MapDevice[], isPicking = false) => {
  const room = { id: 'lobby', name: '大堂', x: 0, y: 0, lights }
  render(
    <svg>
      <RoomLabel room={room} isPicking={isPicking} isStop onPress={press} />
    </svg>,
  )
  return screen.getByRole('button')
}

it('is an enabled button when one of its lamps can be switched', () => {
  const button = renderRoom([createLamp('1', { state: 'offline' }), createLamp('2')])
  expect(button.getAttribute('aria-disabled')).toBe('false')
  expect(button.getAttribute('aria-label')).toBe('大堂 0/2，开灯')
})

it.each([
  ['大堂的灯都离线，不能控制', [createLamp('1', { state: 'offline' })]],
  ['大堂的灯受保护或离线，请逐盏操作', [createLamp('1', { protected: true })]],
])('is disabled with the reason: %s', (why, lights) => {
  const button = renderRoom(lights)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(button.getAttribute('aria-label')).toContain(why)
  fireEvent.click(button)
  expect(press).toHaveBeenLastCalledWith(expect.anything(), false, expect.anything(), why)
})

it('can be selected when it cannot be switched', () =>
  expect(
    renderRoom([createLamp('1', { state: 'offline' })], true).getAttribute('aria-disabled'),
  ).toBe('false'))
