import type { MapDevice } from '../../contract/device'
import { lightSwitch } from '../../contract/light'
import { endsOf, nextTo } from '../neighbours'
import { cellAt, cellsOf, lampAt, looksMost, marksOf, type View } from './painter'

const light = (change: Partial<MapDevice> = {}): MapDevice => ({
  id: '1',
  name: '灯',
  state: 'online',
  reported: { [lightSwitch]: 1 },
  reportedTime: null,
  stale: {},
  desired: {},
  productType: 'SAFEWAY_LIGHT',
  spaceId: 'a',
  floorId: 'a',
  x: 0,
  y: 0,
  protected: false,
  ...change,
})
const plain = { isPicked: false, isHighlighted: false, isFaulty: false }
const marks = (change: Partial<MapDevice> = {}, around = {}) =>
  marksOf(light(change), { ...plain, ...around })

/** Ten by ten lamps, 10 units apart; every second one is on. */
const lamps = {
  drawing: { width: 100, height: 100 },
  x: Float64Array.from({ length: 100 }, (_, n) => (n % 10) * 10 + 5),
  y: Float64Array.from({ length: 100 }, (_, n) => Math.floor(n / 10) * 10 + 5),
  marks: Uint16Array.from({ length: 100 }, (_, n) =>
    n === 99 ? marks({ state: 'offline' }) : n % 2 ? marks() : marks({ reported: {} }),
  ),
}
const view = (change: Partial<View> = {}): View => ({
  scale: 4,
  left: 0,
  top: 0,
  width: 400,
  height: 400,
  size: 1,
  ...change,
})

it('draws what differs differently, and what is the same with one picture', () => {
  const all = [
    marks(),
    marks({ reported: { [lightSwitch]: 0 } }),
    marks({ state: 'offline' }),
    marks({ protected: true }),
    marks({ desired: { [lightSwitch]: 0 } }),
    marks({ stale: { [lightSwitch]: 1 } }),
    ...['isPicked', 'isHighlighted', 'isFaulty'].map((one) => marks({}, { [one]: true })),
    marks({}, { only: 'off' }),
  ]
  expect(new Set(all).size).toBe(all.length)
  expect(marks({}, { only: 'on' })).toBe(marks({ id: '2' }))
  const looks = [0, 1, looksMost - 1].map((look) => marks({ protected: true }, { look }))
  expect(new Set(Uint16Array.from(looks)).size).toBe(3)
})

it('finds the nearest lamp within reach of a finger', () => {
  expect(lampAt(lamps, view(), { x: 22, y: 20 })).toBe(0)
  expect(lampAt(lamps, view({ left: -40 }), { x: 22, y: 20 })).toBe(1)
  expect(lampAt(lamps, view({ scale: 20 }), { x: 200, y: 200 })).toBeUndefined()
})

it('tells lamps by equal cells where they are too small, each in one of them', () => {
  const far = view({ scale: 1, width: 100, height: 100, size: 0.2 })
  const cells = cellsOf(lamps, far)
  const sum = (of: 'total' | 'on' | 'bad') => cells.reduce((all, cell) => all + cell[of], 0)
  expect([sum('total'), sum('on'), sum('bad')]).toEqual([100, 49, 1])
  expect(lampAt(lamps, far, { x: 5, y: 5 })).toBeUndefined()
  expect(cellAt(lamps, far, { x: 5, y: 5 })?.lamps).toHaveLength(25)
  expect(cellAt(lamps, view(), { x: 5, y: 5 })).toBeUndefined()
})

it('goes to the next lamp an arrow points at, and stays at the edge', () => {
  expect(nextTo(lamps, 55, 'ArrowRight')).toBe(56)
  expect(nextTo(lamps, 55, 'ArrowLeft')).toBe(54)
  expect(nextTo(lamps, 55, 'ArrowUp')).toBe(45)
  expect(nextTo(lamps, 55, 'ArrowDown')).toBe(65)
  expect(nextTo(lamps, 9, 'ArrowRight')).toBe(9)
  expect(endsOf(lamps)).toEqual([0, 99])
})
