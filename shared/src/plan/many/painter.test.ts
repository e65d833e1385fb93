import type { MapDevice } from '../../contract/device/device.schema'
import { lightSwitchIdentifier } from '../../contract/control/light'
import { findEnds, findNeighbour } from '../neighbours'
import { findCellAt, countCells } from './lampCells'
import { maxLooks, encodeMarks } from './lampMarks'
import { findLampAt, type Viewport } from './viewport'

const createLight = (change: Partial<MapDevice> = {}): MapDevice => ({
  id: '1',
  name: '灯',
  state: 'online',
  reported: { [lightSwitchIdentifier]: 1 },
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
const defaultFlags = { isPicked: false, isHighlighted: false, isFaulty: false }
const createMarks = (change: Partial<MapDevice> = {}, options = {}) =>
  encodeMarks(createLight(change), { ...defaultFlags, ...options })

/** Ten by ten lamps, 10 units apart; every second one is on. */
const lamps = {
  drawing: { width: 100, height: 100 },
  x: Float64Array.from({ length: 100 }, (_, n) => (n % 10) * 10 + 5),
  y: Float64Array.from({ length: 100 }, (_, n) => Math.floor(n / 10) * 10 + 5),
  marks: Uint32Array.from({ length: 100 }, (_, n) =>
    n === 99
      ? createMarks({ state: 'offline' })
      : n === 98
        ? createMarks({ state: 'inactive' })
        : n % 2
          ? createMarks()
          : createMarks({ reported: { [lightSwitchIdentifier]: 0 } }),
  ),
}
const createView = (change: Partial<Viewport> = {}): Viewport => ({
  scale: 4,
  left: 0,
  top: 0,
  width: 400,
  height: 400,
  size: 1,
  ...change,
})

it('uses one picture per distinct state', () => {
  const allMarks = [
    createMarks(),
    createMarks({ reported: { [lightSwitchIdentifier]: 0 } }),
    createMarks({ state: 'offline' }),
    createMarks({ state: 'inactive' }),
    createMarks({ protected: true }),
    createMarks({ desired: { [lightSwitchIdentifier]: 0 } }),
    createMarks({ stale: { [lightSwitchIdentifier]: 1 } }),
    ...['isPicked', 'isHighlighted', 'isFaulty'].map((one) => createMarks({}, { [one]: true })),
    createMarks({}, { only: 'off' }),
  ]
  expect(new Set(allMarks).size).toBe(allMarks.length)
  expect(createMarks({}, { only: 'on' })).toBe(createMarks({ id: '2' }))
  const looks = [0, 1, maxLooks - 1].map((look) => createMarks({ protected: true }, { look }))
  expect(new Set(Uint32Array.from(looks)).size).toBe(3)
})

it('finds the nearest lamp within touch distance', () => {
  expect(findLampAt(lamps, createView(), { x: 22, y: 20 })).toBe(0)
  expect(findLampAt(lamps, createView({ left: -40 }), { x: 22, y: 20 })).toBe(1)
  expect(findLampAt(lamps, createView({ scale: 20 }), { x: 200, y: 200 })).toBeUndefined()
})

it('counts a lamp whose state is not known neither as on nor as off', () => {
  const farView = createView({ scale: 1, width: 100, height: 100, size: 0.2 })
  const marks = [
    createMarks(),
    createMarks({ stale: { [lightSwitchIdentifier]: 1 } }),
    createMarks({ reported: {} }),
    createMarks({ state: 'offline', stale: { [lightSwitchIdentifier]: 1 } }),
    createMarks({ state: 'inactive', reported: {} }),
  ]
  const ofLamps = { ...lamps, marks: Uint32Array.from(marks) }
  const sum = { total: 0, on: 0, unknown: 0, bad: 0 }
  for (const cell of countCells(ofLamps, farView))
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += cell[key]
  expect(sum).toEqual({ total: 5, on: 1, unknown: 2, bad: 1 })
})

it('aggregates lamps into grid cells when they are too small, each lamp in one cell', () => {
  const farView = createView({ scale: 1, width: 100, height: 100, size: 0.2 })
  const cells = countCells(lamps, farView)
  const sumCells = (field: 'total' | 'on' | 'unknown' | 'bad') =>
    cells.reduce((sumSoFar, cell) => sumSoFar + cell[field], 0)
  expect([sumCells('total'), sumCells('on'), sumCells('bad')]).toEqual([100, 49, 1])
  expect(sumCells('unknown')).toBe(0)
  expect(findLampAt(lamps, farView, { x: 5, y: 5 })).toBeUndefined()
  expect(findCellAt(lamps, farView, { x: 5, y: 5 })?.lamps).toHaveLength(25)
  expect(findCellAt(lamps, createView(), { x: 5, y: 5 })).toBeUndefined()
})

it('moves to the next lamp in the direction of an arrow key and stops at the edge', () => {
  expect(findNeighbour(lamps, 55, 'ArrowRight')).toBe(56)
  expect(findNeighbour(lamps, 55, 'ArrowLeft')).toBe(54)
  expect(findNeighbour(lamps, 55, 'ArrowUp')).toBe(45)
  expect(findNeighbour(lamps, 55, 'ArrowDown')).toBe(65)
  expect(findNeighbour(lamps, 9, 'ArrowRight')).toBe(9)
  expect(findEnds(lamps)).toEqual([0, 99])
})
