import { behaviours, buildings } from './building'
import { drawFloor } from './floorPlan'

const floors = buildings.flatMap((building) => building.floors)
const lamps = floors.flatMap((floor) => floor.lamps)

it('has 3 buildings, 12 floors, 320 lamps and 6 edge hosts', () =>
  expect([
    buildings.length,
    floors.length,
    lamps.length,
    new Set(floors.map(({ edge }) => edge)).size,
  ]).toEqual([3, 12, 320, 6]))

it('protects 5 lamps, has 3 without power, and 2 that fail', () => {
  const kinds = Object.values(behaviours).map(({ kind }) => kind)
  expect(lamps.filter((lamp) => lamp.protected)).toHaveLength(5)
  expect(kinds.filter((kind) => kind === 'absent')).toHaveLength(3)
  expect(kinds.filter((kind) => kind === 'refuses' || kind === 'silent')).toHaveLength(2)
})

it('gives every lamp and sensor a unique name, and faults only to existing lamps', () => {
  const names = floors
    .flatMap((floor) => [...floor.lamps, ...floor.sensors])
    .map(({ deviceName }) => deviceName)
  expect(new Set(names).size).toBe(names.length)
  expect(
    Object.keys(behaviours).filter(
      (name) => !lamps.some((lamp) => lamp.deviceName === name && !lamp.protected),
    ),
  ).toEqual([])
})

it('places every device inside its room', () => {
  for (const { rooms, lamps, sensors } of floors)
    for (const { room, x, y } of [...lamps, ...sensors]) {
      const enclosingRoom = rooms.find(({ name }) => name === room)!
      expect(x * 1200).toBeGreaterThan(enclosingRoom.x)
      expect(x * 1200).toBeLessThan(enclosingRoom.x + enclosingRoom.width)
      expect(y * 720).toBeGreaterThan(enclosingRoom.y)
      expect(y * 720).toBeLessThan(enclosingRoom.y + enclosingRoom.height)
    }
})

it('draws every room of a floor without its name', () => {
  for (const floor of floors)
    for (const { name, x, y, width, height } of floor.rooms) {
      expect(drawFloor(floor)).toContain(
        `<rect x="${x}" y="${y}" width="${width}" height="${height}"`,
      )
      expect(drawFloor(floor)).not.toContain(name)
    }
})

it('places the scale label outside the outer wall', () => {
  const svg = drawFloor(floors[0]!)
  const text = /y="(\d+)" font-size="(\d+)"[^>]*>5 m</.exec(svg)!
  const [, side] = /<rect [^>]*height="(\d+)" fill="none"[^>]*stroke-width="8"/.exec(svg)!
  const wall = 40 + Number(side) + 8 / 2
  expect(Number(text[1]) - Number(text[2])).toBeGreaterThan(wall)
})
