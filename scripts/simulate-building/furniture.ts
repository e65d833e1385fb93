import type { Room } from './building'

export type RoomKind =
  | 'lobby'
  | 'office'
  | 'meeting'
  | 'hall'
  | 'corridor'
  | 'lift'
  | 'toilet'
  | 'pantry'
  | 'lounge'
  | 'service'

const roomKindPatterns: [RegExp, RoomKind][] = [
  [/大堂|序厅/, 'lobby'],
  [/办公|经理|研发|实验/, 'office'],
  [/会议室|接待|贵宾/, 'meeting'],
  [/报告厅/, 'hall'],
  [/走廊/, 'corridor'],
  [/电梯/, 'lift'],
  [/洗手间/, 'toilet'],
  [/茶水/, 'pantry'],
  [/茶歇|休息/, 'lounge'],
]
export const classifyRoom = ({ name }: Room): RoomKind =>
  roomKindPatterns.find(([pattern]) => pattern.test(name))?.[1] ?? 'service'

const drawRect = (x: number, y: number, width: number, height: number, radius = 3) =>
  `<rect x="${Math.round(x)}" y="${Math.round(y)}" width="${Math.round(width)}" height="${Math.round(height)}" rx="${radius}"/>`
const drawCircle = (x: number, y: number, radius: number) =>
  `<circle cx="${Math.round(x)}" cy="${Math.round(y)}" r="${radius}"/>`
const listIndexes = (count: number) => Array.from({ length: Math.max(0, count) }, (_, i) => i)

/** Draws the furniture of a room as thin lines below its name. */
export function drawFurniture(room: Room): string {
  const { x, width } = room
  // The top of the room is reserved for its name.
  const y = room.y + 34,
    height = room.height - 44
  const centre = { x: x + width / 2, y: y + height / 2 }
  /** Returns the centres of evenly spread cells of about this size. */
  const layOutCells = (w: number, h: number) => {
    const columns = Math.max(1, Math.floor((width - 24) / w)),
      rows = Math.max(1, Math.floor(height / h))
    return listIndexes(rows).flatMap((row) =>
      listIndexes(columns).map((column) => ({
        x: x + 12 + ((column + 0.5) * (width - 24)) / columns,
        y: y + ((row + 0.5) * height) / rows,
      })),
    )
  }
  const draw: Record<RoomKind, () => string[]> = {
    corridor: () => [],
    // An office has groups of four desks face to face, each with a chair.
    office: () =>
      layOutCells(112, 96).map((position) =>
        [-36, 1]
          .map(
            (dx) =>
              drawRect(position.x + dx, position.y - 20, 35, 19) +
              drawRect(position.x + dx, position.y + 1, 35, 19) +
              drawCircle(position.x + dx + 17, position.y - 28, 5) +
              drawCircle(position.x + dx + 17, position.y + 28, 5),
          )
          .join(''),
      ),
    meeting() {
      const w = width * 0.54,
        h = Math.min(height * 0.4, w * 0.8),
        seats = Math.max(2, Math.floor(w / 30))
      const chairs = listIndexes(seats)
        .map((seat) => centre.x - w / 2 + ((seat + 0.5) * w) / seats)
        .map(
          (chairX) =>
            drawCircle(chairX, centre.y - h / 2 - 11, 6) +
            drawCircle(chairX, centre.y + h / 2 + 11, 6),
        )
      return [
        drawRect(centre.x - w / 2, centre.y - h / 2, w, h, 14),
        ...chairs,
        drawCircle(centre.x - w / 2 - 11, centre.y, 6),
        drawCircle(centre.x + w / 2 + 11, centre.y, 6),
      ]
    },
    // A hall has a stage and rows of seats with an aisle.
    hall: () => [
      drawRect(centre.x - width * 0.28, y + 2, width * 0.56, 36, 4),
      ...listIndexes(Math.floor((height - 70) / 34)).flatMap((row) =>
        listIndexes(Math.floor((width - 80) / 25))
          .filter((seat) => Math.abs(x + 52 + seat * 25 - centre.x) > 22)
          .map((seat) => drawRect(x + 44 + seat * 25, y + 64 + row * 34, 15, 14)),
      ),
    ],
    lobby: () => [
      drawRect(centre.x - 70, y + height - 46, 140, 26, 12),
      ...[0.16, 0.84].map(
        (part) =>
          drawRect(x + width * part - 34, centre.y - 46, 68, 22, 8) +
          drawRect(x + width * part - 34, centre.y + 12, 68, 22, 8) +
          drawCircle(x + width * part, centre.y - 6, 11),
      ),
    ],
    lift: () =>
      listIndexes(3).map((cabin) => {
        const size = Math.min(50, (width - 36) / 3.4),
          leftX = Math.round(centre.x - 1.6 * size + cabin * 1.1 * size),
          topY = Math.round(y + height - size - 4),
          sideLength = Math.round(size)
        return `${drawRect(leftX, topY, size, size, 1)}<path d="M${leftX} ${topY}l${sideLength} ${sideLength}m0 ${-sideLength}l${-sideLength} ${sideLength}"/>`
      }),
    toilet: () =>
      listIndexes(Math.floor((width - 16) / 36)).map(
        (cabin) =>
          drawRect(x + 12 + cabin * 36, y + height - 52, 30, 46, 2) +
          drawCircle(x + 27 + cabin * 36, y + height - 22, 7),
      ),
    pantry: () => [
      drawRect(x + 12, y + height - 30, width - 24, 24),
      drawCircle(x + width * 0.28, y + height - 18, 6),
      drawCircle(centre.x, y + height * 0.34, 15),
      drawCircle(centre.x - 25, y + height * 0.34, 6),
      drawCircle(centre.x + 25, y + height * 0.34, 6),
    ],
    lounge: () =>
      layOutCells(96, 92).map(
        (position) =>
          drawCircle(position.x, position.y, 15) +
          drawCircle(position.x, position.y - 25, 6) +
          drawCircle(position.x, position.y + 25, 6) +
          drawCircle(position.x - 25, position.y, 6) +
          drawCircle(position.x + 25, position.y, 6),
      ),
    // A service room has cabinets along the wall.
    service: () =>
      listIndexes(Math.floor((width - 20) / 30)).map((cabinet) =>
        drawRect(x + 12 + cabinet * 30, y + height - 38, 24, 34, 1),
      ),
  }
  return draw[classifyRoom(room)]().join('')
}
