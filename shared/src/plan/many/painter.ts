import type { IconVariant } from '../../contract/iconName'
import { lastLookOf, lightSwitch } from '../../contract/light'
import { variantOf } from '../typeLooks'
import { asOf, isAmong, isWaiting, signs, type DeviceNow, type Only } from '../lights'

/** Visual features of a lamp as bits: each occurring combination is painted once and reused. */
export const bits = {
  on: 1,
  offline: 2,
  stale: 4,
  waiting: 8,
  protected: 16,
  faulty: 32,
  picked: 64,
  highlighted: 128,
  aside: 256,
}
/** The bits from here on hold the number of the type's look; 0 is the default look. */
const lookAt = 9
export const looksMost = 2 ** (16 - lookAt)
type Around = {
  isPicked: boolean
  isHighlighted: boolean
  isFaulty: boolean
  only?: Only
  /** The number identifies the look of the lamp's product type. */
  look?: number
}

export function marksOf(light: DeviceNow, around: Around) {
  const { isPicked, isHighlighted, isFaulty, only } = around
  const look = lastLookOf(light)
  const isStale = look !== 'offline' && asOf(light, lightSwitch) !== undefined
  return (
    (look === 'on' ? bits.on : 0) |
    (look === 'offline' ? bits.offline : 0) |
    (isStale ? bits.stale : 0) |
    (isWaiting(light) ? bits.waiting : 0) |
    (light.protected ? bits.protected : 0) |
    (isFaulty ? bits.faulty : 0) |
    (isPicked ? bits.picked : 0) |
    (isHighlighted ? bits.highlighted : 0) |
    (only && !isAmong(light, only) ? bits.aside : 0) |
    ((around.look ?? 0) << lookAt)
  )
}

/** Positions of lamps in units of the drawing. */
export type Lamps = {
  x: Float64Array
  y: Float64Array
  marks: Uint16Array
  drawing: { width: number; height: number }
}
/**
 * A point of the drawing appears on the screen at `x * scale + left`; `size` is the scale of a lamp, 1 at full size.
 */
export type View = {
  scale: number
  left: number
  top: number
  width: number
  height: number
  size: number
}
/** The colours are taken from the theme. */
export type Colours = Record<'ground' | 'line' | 'border' | 'error' | 'primary' | 'text', string>

/** Look of a product type with the pictures loaded so far. */
export type PaintedLook = {
  color: string
  pictures: Partial<Record<IconVariant, { image: CanvasImageSource; isOwn: boolean }>>
}

/** A lit lamp has these colours in both themes. */
const amber = { fill: '#ffc53d', line: '#d48806', halo: 'rgba(255, 197, 61, 0.28)' }
/** Lamps below this scale are grouped into cells. */
export const smallest = 0.3
const reach = 16
/** This is half the size of a picture in the middle of a lamp. */
export const pictureHalf = 6.5
const litIn = (color: string) => ({
  fill: color,
  line: `color-mix(in srgb, ${color} 82%, black)`,
  halo: `color-mix(in srgb, ${color} 28%, transparent)`,
})
const shownAside = 0.16

export const isInCells = ({ size }: View) => size < smallest

/**
 * Creates a painter that draws lamps, or cells with counts if they are too dense. Each call repaints for a new view.
 */
export function painterOn(canvas: HTMLCanvasElement) {
  const pen = canvas.getContext('2d')!
  const pictures = new Map<number, HTMLCanvasElement>()
  let drawnFor = ''
  let drawnWith: readonly unknown[] = []
  return (
    lamps: Lamps,
    view: View,
    colours: Colours,
    looks: readonly (PaintedLook | undefined)[] = [],
  ) => {
    const ratio = Math.min(2, devicePixelRatio)
    const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)]
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    pen.setTransform(1, 0, 0, 1, 0, 0)
    pen.clearRect(0, 0, width, height)
    if (isInCells(view)) {
      pen.setTransform(ratio, 0, 0, ratio, 0, 0)
      for (const cell of cellsOf(lamps, view)) paintCell(pen, cell, colours)
      return
    }
    // The size changes in small steps, so that a zoom does not repaint the lamp pictures for each frame.
    const size = Math.round(view.size * ratio * 16) / 16
    const wanted = `${size} ${Object.values(colours).join()}`
    if (wanted !== drawnFor || looks !== drawnWith) pictures.clear()
    drawnFor = wanted
    drawnWith = looks
    const half = Math.ceil(22 * size)
    const { x, y, marks } = lamps
    for (let n = 0; n < marks.length; n++) {
      const left = Math.round((x[n]! * view.scale + view.left) * ratio) - half
      const top = Math.round((y[n]! * view.scale + view.top) * ratio) - half
      if (left < -half * 2 || top < -half * 2 || left > width || top > height) continue
      let picture = pictures.get(marks[n]!)
      if (!picture) {
        picture = document.createElement('canvas')
        picture.width = picture.height = half * 2
        const brush = picture.getContext('2d')!
        brush.setTransform(size, 0, 0, size, half, half)
        paintLamp(brush, marks[n]!, colours, looks[marks[n]! >> lookAt])
        pictures.set(marks[n]!, picture)
      }
      pen.drawImage(picture, left, top)
    }
  }
}

/** Paints a lamp in the same way as `lamp.tsx` with its style sheet. */
function paintLamp(
  pen: CanvasRenderingContext2D,
  marks: number,
  colours: Colours,
  typeLook?: PaintedLook,
) {
  const lit = typeLook?.color ? litIn(typeLook.color) : amber
  const is = (bit: number) => (marks & bit) !== 0
  const circle = (radius: number, from = 0, to = Math.PI * 2) => {
    pen.beginPath()
    pen.arc(0, 0, radius, from, to)
  }
  const stroke = (colour: string, width: number, path?: string) => {
    pen.strokeStyle = colour
    pen.lineWidth = width
    if (path) pen.stroke(new Path2D(path))
    else pen.stroke()
  }
  pen.lineCap = 'round'
  if (is(bits.aside)) pen.globalAlpha = shownAside
  if (is(bits.picked | bits.highlighted)) {
    circle(15)
    stroke(colours.primary, 3)
  } else if (is(bits.on) && !is(bits.stale)) {
    circle(15)
    pen.fillStyle = lit.halo
    pen.fill()
  }
  circle(8.5)
  if (!is(bits.offline)) {
    pen.fillStyle = is(bits.on) ? lit.fill : colours.ground
    if (is(bits.stale)) pen.globalAlpha *= 0.4
    pen.fill()
    if (is(bits.stale)) pen.globalAlpha /= 0.4
  }
  const isRed = is(bits.offline | bits.faulty)
  if (is(bits.offline)) pen.setLineDash([4, 3])
  else if (is(bits.stale)) pen.setLineDash([3, 2.5])
  stroke(isRed ? colours.error : is(bits.on) ? lit.line : colours.line, is(bits.faulty) ? 2.5 : 2)
  pen.setLineDash([])
  const look = is(bits.offline) ? 'offline' : is(bits.on) ? 'on' : 'off'
  const variant = variantOf(look, is(bits.faulty))
  const picture = typeLook?.pictures[variant]
  if (picture) {
    const alpha = pen.globalAlpha
    if (is(bits.offline) && !picture.isOwn) pen.globalAlpha *= 0.45
    pen.drawImage(picture.image, -pictureHalf, -pictureHalf, 2 * pictureHalf, 2 * pictureHalf)
    pen.globalAlpha = alpha
  }
  const says = (state: IconVariant) => variant === state && picture?.isOwn
  if (is(bits.offline) && !says('offline')) stroke(colours.error, 2, signs.cross)
  if (is(bits.faulty) && !says('fault'))
    stroke(is(bits.on) ? '#a8071a' : colours.error, 2.5, signs.fault)
  if (is(bits.waiting)) {
    circle(12.5, 0, 1.6)
    stroke(colours.primary, 2.5)
  }
  if (is(bits.protected)) {
    const shield = new Path2D(signs.shield)
    pen.translate(10, 1)
    pen.scale(0.85, 0.85)
    pen.fillStyle = colours.primary
    pen.fill(shield)
    pen.strokeStyle = colours.ground
    pen.lineWidth = 1.5
    pen.stroke(shield)
  }
}

type Box = { x: number; y: number; width: number; height: number }
type Cell = Box & Record<'total' | 'on' | 'bad' | 'picked' | 'aside', number>

/** Divides the drawing into equal cells of 64 to 128 pixels, which stay the same while the plan is moved. */
function gridOf({ width, height }: Lamps['drawing'], scale: number) {
  const step = 2 ** Math.ceil(Math.log2(64 / scale))
  const [columns, rows] = [width, height].map((side) => Math.max(1, Math.round(side / step)))
  return { columns: columns!, width: width / columns!, height: height / rows! }
}

/** Counts the lamps in each visible cell. */
export function cellsOf({ x, y, marks, drawing }: Lamps, { scale, left, top, ...seen }: View) {
  const grid = gridOf(drawing, scale)
  const side = { width: grid.width * scale, height: grid.height * scale }
  const cells = new Map<number, Cell>()
  for (let n = 0; n < marks.length; n++) {
    const column = Math.floor(x[n]! / grid.width)
    const row = Math.floor(y[n]! / grid.height)
    const at = { x: column * side.width + left, y: row * side.height + top }
    if (at.x < -side.width || at.y < -side.height || at.x > seen.width || at.y > seen.height)
      continue
    const key = row * (grid.columns + 1) + column
    let cell = cells.get(key)
    if (!cell) {
      cell = { ...at, ...side, total: 0, on: 0, bad: 0, picked: 0, aside: 0 }
      cells.set(key, cell)
    }
    cell.total++
    if (marks[n]! & bits.on) cell.on++
    if (marks[n]! & (bits.offline | bits.faulty)) cell.bad++
    if (marks[n]! & bits.picked) cell.picked++
    if (marks[n]! & bits.aside) cell.aside++
  }
  return [...cells.values()]
}

/** Paints the number of lights on and the total, a bar, and in red the number of offline or faulty lamps. */
function paintCell(pen: CanvasRenderingContext2D, cell: Cell, colours: Colours) {
  const { x, y, width, height, total, on, bad, picked, aside } = cell
  const box = (left: number, top: number, wide: number, high: number, round: number) => {
    pen.beginPath()
    pen.roundRect(left, top, wide, high, round)
  }
  pen.globalAlpha = aside === total ? shownAside : 1
  box(x + 2, y + 2, width - 4, height - 4, 8)
  pen.fillStyle = colours.ground
  pen.fill()
  pen.strokeStyle = picked > 0 ? colours.primary : colours.border
  pen.lineWidth = picked > 0 ? 2 : 1
  pen.stroke()
  const bar = { left: x + 10, top: y + height - 14, wide: width - 20 }
  box(bar.left, bar.top, bar.wide, 6, 3)
  pen.fillStyle = colours.border
  pen.fill()
  if (on > 0) {
    box(bar.left, bar.top, Math.max(6, (bar.wide * on) / total), 6, 3)
    pen.fillStyle = amber.fill
    pen.fill()
  }
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.font = '12px system-ui, sans-serif'
  pen.fillStyle = colours.text
  const middle = { x: x + width / 2, y: y + height / 2 - (bad > 0 ? 14 : 6) }
  pen.fillText(`${on}/${total}`, middle.x, middle.y)
  if (bad > 0) {
    pen.fillStyle = colours.error
    pen.fillText(`✕ ${bad}`, middle.x, middle.y + 16)
  }
  pen.globalAlpha = 1
}

/** Returns the lamp nearest to a point on the screen. */
export function lampAt({ x, y, marks }: Lamps, view: View, at: { x: number; y: number }) {
  if (isInCells(view)) return undefined
  let found: number | undefined
  let nearest = reach
  for (let n = 0; n < marks.length; n++) {
    const away = Math.hypot(
      x[n]! * view.scale + view.left - at.x,
      y[n]! * view.scale + view.top - at.y,
    )
    if (away > nearest) continue
    nearest = away
    found = n
  }
  return found
}

/** Returns the lamps of the cell at a point and its centre in the drawing; undefined if lamps are painted singly. */
export function cellAt({ x, y, marks, drawing }: Lamps, view: View, at: { x: number; y: number }) {
  if (!isInCells(view)) return undefined
  const grid = gridOf(drawing, view.scale)
  const cellOf = (across: number, down: number) =>
    [Math.floor(across / grid.width), Math.floor(down / grid.height)] as const
  const [column, row] = cellOf((at.x - view.left) / view.scale, (at.y - view.top) / view.scale)
  const lamps = Array.from(marks.keys()).filter((n) => {
    const own = cellOf(x[n]!, y[n]!)
    return own[0] === column && own[1] === row
  })
  if (lamps.length === 0) return undefined
  return { lamps, x: (column + 0.5) * grid.width, y: (row + 0.5) * grid.height }
}
