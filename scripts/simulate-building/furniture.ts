import type { Room } from './building'

export type Kind =
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

const kinds: [RegExp, Kind][] = [
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
export const kindOf = ({ name }: Room): Kind =>
  kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'service'

const box = (x: number, y: number, width: number, height: number, radius = 3) =>
  `<rect x="${Math.round(x)}" y="${Math.round(y)}" width="${Math.round(width)}" height="${Math.round(height)}" rx="${radius}"/>`
const dot = (x: number, y: number, radius: number) =>
  `<circle cx="${Math.round(x)}" cy="${Math.round(y)}" r="${radius}"/>`
const range = (count: number) => Array.from({ length: Math.max(0, count) }, (_, i) => i)

/** Draws the furniture of a room as thin lines below its name. */
export function furnish(room: Room): string {
  const { x, width } = room
  // The top of the room is reserved for its name.
  const y = room.y + 34,
    height = room.height - 44
  const middle = { x: x + width / 2, y: y + height / 2 }
  /** Returns the centres of evenly spread cells of about this size. */
  const cells = (w: number, h: number) => {
    const columns = Math.max(1, Math.floor((width - 24) / w)),
      rows = Math.max(1, Math.floor(height / h))
    return range(rows).flatMap((row) =>
      range(columns).map((column) => ({
        x: x + 12 + ((column + 0.5) * (width - 24)) / columns,
        y: y + ((row + 0.5) * height) / rows,
      })),
    )
  }
  const draw: Record<Kind, () => string[]> = {
    corridor: () => [],
    // An office has groups of four desks face to face, each with a chair.
    office: () =>
      cells(112, 96).map((at) =>
        [-36, 1]
          .map(
            (dx) =>
              box(at.x + dx, at.y - 20, 35, 19) +
              box(at.x + dx, at.y + 1, 35, 19) +
              dot(at.x + dx + 17, at.y - 28, 5) +
              dot(at.x + dx + 17, at.y + 28, 5),
          )
          .join(''),
      ),
    meeting() {
      const w = width * 0.54,
        h = Math.min(height * 0.4, w * 0.8),
        seats = Math.max(2, Math.floor(w / 30))
      const chairs = range(seats)
        .map((seat) => middle.x - w / 2 + ((seat + 0.5) * w) / seats)
        .map((at) => dot(at, middle.y - h / 2 - 11, 6) + dot(at, middle.y + h / 2 + 11, 6))
      return [
        box(middle.x - w / 2, middle.y - h / 2, w, h, 14),
        ...chairs,
        dot(middle.x - w / 2 - 11, middle.y, 6),
        dot(middle.x + w / 2 + 11, middle.y, 6),
      ]
    },
    // A hall has a stage and rows of seats with an aisle.
    hall: () => [
      box(middle.x - width * 0.28, y + 2, width * 0.56, 36, 4),
      ...range(Math.floor((height - 70) / 34)).flatMap((row) =>
        range(Math.floor((width - 80) / 25))
          .filter((seat) => Math.abs(x + 52 + seat * 25 - middle.x) > 22)
          .map((seat) => box(x + 44 + seat * 25, y + 64 + row * 34, 15, 14)),
      ),
    ],
    lobby: () => [
      box(middle.x - 70, y + height - 46, 140, 26, 12),
      ...[0.16, 0.84].map(
        (part) =>
          box(x + width * part - 34, middle.y - 46, 68, 22, 8) +
          box(x + width * part - 34, middle.y + 12, 68, 22, 8) +
          dot(x + width * part, middle.y - 6, 11),
      ),
    ],
    lift: () =>
      range(3).map((cabin) => {
        const size = Math.min(50, (width - 36) / 3.4),
          left = Math.round(middle.x - 1.6 * size + cabin * 1.1 * size),
          top = Math.round(y + height - size - 4),
          end = Math.round(size)
        return `${box(left, top, size, size, 1)}<path d="M${left} ${top}l${end} ${end}m0 ${-end}l${-end} ${end}"/>`
      }),
    toilet: () =>
      range(Math.floor((width - 16) / 36)).map(
        (cabin) =>
          box(x + 12 + cabin * 36, y + height - 52, 30, 46, 2) +
          dot(x + 27 + cabin * 36, y + height - 22, 7),
      ),
    pantry: () => [
      box(x + 12, y + height - 30, width - 24, 24),
      dot(x + width * 0.28, y + height - 18, 6),
      dot(middle.x, y + height * 0.34, 15),
      dot(middle.x - 25, y + height * 0.34, 6),
      dot(middle.x + 25, y + height * 0.34, 6),
    ],
    lounge: () =>
      cells(96, 92).map(
        (at) =>
          dot(at.x, at.y, 15) +
          dot(at.x, at.y - 25, 6) +
          dot(at.x, at.y + 25, 6) +
          dot(at.x - 25, at.y, 6) +
          dot(at.x + 25, at.y, 6),
      ),
    // A service room has cabinets along the wall.
    service: () =>
      range(Math.floor((width - 20) / 30)).map((cabinet) =>
        box(x + 12 + cabinet * 30, y + height - 38, 24, 34, 1),
      ),
  }
  return draw[kindOf(room)]().join('')
}
