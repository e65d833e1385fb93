import { planSize, type Floor, type Room } from './building'
import { drawFurniture, classifyRoom, type RoomKind } from './furniture'

// Medium greys and thin tints are legible on light and on dark pages.
const wall = '#8a96a8'
const glass = '#5aa7d6'
const tints: Record<RoomKind, string> = {
  lobby: '#e0a030',
  office: '#4080e0',
  meeting: '#20a070',
  hall: '#8060d0',
  corridor: '#8a96a8',
  lift: '#708090',
  toilet: '#30a0c0',
  pantry: '#e07040',
  lounge: '#d05080',
  service: '#708090',
}
const innerArea = { x: 40, y: 40, width: planSize.width - 80, height: planSize.height - 80 }

type Line = { x1: number; y1: number; x2: number; y2: number }
/** A gap in a wall whose door leaf swings into its room. */
type Door = Line & { swing: 1 | -1 }

/**
 * Draws a floor as SVG of `plan.width` × `plan.height`: walls, doors, windows, furniture and scale. The console draws
 * the names of the rooms.
 */
export function drawFloor({ rooms }: Floor): string {
  const doors = rooms.flatMap((room) => placeDoor(room, rooms) ?? [])
  const enclosedRooms = rooms.filter((room) => classifyRoom(room) !== 'corridor')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${planSize.width} ${planSize.height}" width="${planSize.width}" height="${planSize.height}" font-family="system-ui, 'PingFang SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif" stroke-linecap="square">`,
    ...rooms.map(
      (room) =>
        `<rect x="${room.x}" y="${room.y}" width="${room.width}" height="${room.height}" fill="${tints[classifyRoom(room)]}" fill-opacity="0.07"/>`,
    ),
    `<g fill="${wall}" fill-opacity="0.05" stroke="${wall}" stroke-opacity="0.45" stroke-width="1.3">${rooms.map(drawFurniture).join('')}</g>`,
    `<path d="${enclosedRooms
      .flatMap(listEdges)
      .flatMap((edge) => cutDoors(edge, doors))
      .map(toPathData)
      .join('')}" stroke="${wall}" stroke-width="3.5"/>`,
    `<rect x="${innerArea.x}" y="${innerArea.y}" width="${innerArea.width}" height="${innerArea.height}" fill="none" stroke="${wall}" stroke-width="8"/>`,
    `<path d="${enclosedRooms
      .filter((room) => !['lift', 'service'].includes(classifyRoom(room)))
      .flatMap(placeWindows)
      .map(toPathData)
      .join('')}" stroke="${glass}" stroke-width="3"/>`,
    `<g fill="none" stroke="${wall}" stroke-width="1.3">${doors.map(drawDoorLeaf).join('')}</g>`,
    `<g stroke="${wall}" fill="none"><path d="M${planSize.width - 240} ${planSize.height - 20}v6h200v-6m-100 2v4" stroke-width="1.5"/></g>`,
    `<text x="${planSize.width - 252}" y="${planSize.height - 10}" font-size="20" text-anchor="end" fill="${wall}">5 m</text>`,
    '</svg>',
  ].join('\n')
}

const toPathData = ({ x1, y1, x2, y2 }: Line) => `M${x1} ${y1}L${x2} ${y2}`

const listEdges = ({ x, y, width, height }: Room): Line[] => [
  { x1: x, y1: y, x2: x + width, y2: y },
  { x1: x, y1: y + height, x2: x + width, y2: y + height },
  { x1: x, y1: y, x2: x, y2: y + height },
  { x1: x + width, y1: y, x2: x + width, y2: y + height },
]

/** Returns the common part of two collinear lines. */
function getOverlap(a: Line, b: Line): Line | undefined {
  if (a.x1 === a.x2 && b.x1 === b.x2 && a.x1 === b.x1) {
    const [y1, y2] = [Math.max(a.y1, b.y1), Math.min(a.y2, b.y2)]
    return y2 > y1 ? { x1: a.x1, x2: a.x1, y1, y2 } : undefined
  }
  if (a.y1 === a.y2 && b.y1 === b.y2 && a.y1 === b.y1) {
    const [x1, x2] = [Math.max(a.x1, b.x1), Math.min(a.x2, b.x2)]
    return x2 > x1 ? { y1: a.y1, y2: a.y1, x1, x2 } : undefined
  }
  return undefined
}
const measureLength = ({ x1, y1, x2, y2 }: Line) => x2 - x1 + y2 - y1

/** Places a door in the wall to the corridor, or to the neighbour with the longest common wall. */
function placeDoor(room: Room, rooms: Room[]): Door | undefined {
  if (classifyRoom(room) === 'corridor') return undefined
  const walls = rooms
    .filter((other) => other !== room)
    .flatMap((other) =>
      listEdges(room)
        .flatMap((edge) =>
          listEdges(other).flatMap((otherEdge) => getOverlap(edge, otherEdge) ?? []),
        )
        .map((line) => ({ line, corridor: classifyRoom(other) === 'corridor' })),
    )
    .filter(({ line }) => measureLength(line) >= 60)
    .sort(
      (a, b) =>
        Number(b.corridor) - Number(a.corridor) || measureLength(b.line) - measureLength(a.line),
    )
  const longestWall = walls[0]?.line
  if (!longestWall) return undefined
  const size = classifyRoom(room) === 'lobby' || classifyRoom(room) === 'hall' ? 44 : 32
  // The door is off the centre, away from the room's name and furniture; on a short wall it is at the end.
  const freeLength = measureLength(longestWall) - size
  const doorOffset = freeLength < 140 ? freeLength - 6 : freeLength * 0.82
  return longestWall.y1 === longestWall.y2
    ? {
        x1: longestWall.x1 + doorOffset,
        x2: longestWall.x1 + doorOffset + size,
        y1: longestWall.y1,
        y2: longestWall.y1,
        swing: room.y < longestWall.y1 ? -1 : 1,
      }
    : {
        y1: longestWall.y1 + doorOffset,
        y2: longestWall.y1 + doorOffset + size,
        x1: longestWall.x1,
        x2: longestWall.x1,
        swing: room.x < longestWall.x1 ? -1 : 1,
      }
}

/** Returns the parts of a wall between its doors. */
const cutDoors = (edge: Line, doors: Door[]): Line[] =>
  doors.reduce<Line[]>(
    (pieces, door) =>
      pieces.flatMap((piece) => {
        const overlap = getOverlap(piece, door)
        if (!overlap) return [piece]
        return [
          { ...piece, x2: overlap.x1, y2: overlap.y1 },
          { ...piece, x1: overlap.x2, y1: overlap.y2 },
        ].filter((rest) => measureLength(rest) > 0)
      }),
    [edge],
  )

/** Draws the door leaf, open at a right angle, and its swing. */
function drawDoorLeaf({ x1, y1, x2, y2, swing }: Door) {
  const size = Math.max(x2 - x1, y2 - y1)
  return y1 === y2
    ? `<path d="M${x1} ${y1}v${swing * size}A${size} ${size} 0 0 ${swing > 0 ? 0 : 1} ${x2} ${y2}"/>`
    : `<path d="M${x1} ${y1}h${swing * size}A${size} ${size} 0 0 ${swing > 0 ? 1 : 0} ${x2} ${y2}"/>`
}

/** Returns the windows along the outer wall. */
function placeWindows(room: Room): Line[] {
  const outerEdges = listEdges({ ...room, ...innerArea })
  return listEdges(room)
    .flatMap((edge) => outerEdges.flatMap((side) => getOverlap(edge, side) ?? []))
    .flatMap((line) => {
      const count = Math.max(1, Math.round(measureLength(line) / 120))
      const interpolate = (part: number) => ({
        x: Math.round(line.x1 + (line.x2 - line.x1) * part),
        y: Math.round(line.y1 + (line.y2 - line.y1) * part),
      })
      return Array.from(
        { length: count },
        (_, i) => [interpolate((i + 0.14) / count), interpolate((i + 0.86) / count)] as const,
      ).map(([a, b]) => ({ x1: a.x, y1: a.y, x2: b.x, y2: b.y }))
    })
}
