import type { IconVariant } from '../../contract/product/iconName'
import { getLastLightState, lightSwitchIdentifier } from '../../contract/control/light'
import { getIconVariant } from '../typeLooks'
import {
  formatStaleTime,
  matchesLightFilter,
  isCommandPending,
  heldMark,
  signPaths,
  type LiveDevice,
  type LightFilter,
} from '../lights'

/** Visual features of a lamp as bits: each occurring combination is painted once and reused. */
export const markBits = {
  on: 1,
  offline: 2,
  stale: 4,
  waiting: 8,
  protected: 16,
  faulty: 32,
  picked: 64,
  highlighted: 128,
  aside: 256,
  held: 512,
}
/** The bits from here on hold the number of the type's look; 0 is the default look. */
const lookShift = 10
export const maxLooks = 2 ** (16 - lookShift)
type MarkOptions = {
  isPicked: boolean
  isHighlighted: boolean
  isFaulty: boolean
  only?: LightFilter
  /** The number identifies the look of the lamp's product type. */
  look?: number
}

export function encodeMarks(light: LiveDevice, options: MarkOptions) {
  const { isPicked, isHighlighted, isFaulty, only: lightFilter } = options
  const look = getLastLightState(light)
  const isStale = look !== 'offline' && formatStaleTime(light, lightSwitchIdentifier) !== undefined
  return (
    (look === 'on' ? markBits.on : 0) |
    (look === 'offline' ? markBits.offline : 0) |
    (isStale ? markBits.stale : 0) |
    (isCommandPending(light) ? markBits.waiting : 0) |
    (light.protected ? markBits.protected : 0) |
    (light.override ? markBits.held : 0) |
    (isFaulty ? markBits.faulty : 0) |
    (isPicked ? markBits.picked : 0) |
    (isHighlighted ? markBits.highlighted : 0) |
    (lightFilter && !matchesLightFilter(light, lightFilter) ? markBits.aside : 0) |
    ((options.look ?? 0) << lookShift)
  )
}

/** Positions of lamps in units of the drawing. */
export type LampPositions = {
  x: Float64Array
  y: Float64Array
  marks: Uint16Array
  drawing: { width: number; height: number }
}
/**
 * A point of the drawing appears on the screen at `x * scale + left`; `size` is the scale of a lamp, 1 at full size.
 */
export type Viewport = {
  scale: number
  left: number
  top: number
  width: number
  height: number
  size: number
}
/** The colours are taken from the theme. */
export type PaintColours = Record<
  'ground' | 'line' | 'border' | 'error' | 'primary' | 'text',
  string
>

/** Look of a product type with the pictures loaded so far. */
export type PaintedLook = {
  color: string
  pictures: Partial<Record<IconVariant, { image: CanvasImageSource; isOwn: boolean }>>
}

/** A lit lamp has these colours in both themes. */
const defaultLitColours = { fill: '#ffc53d', line: '#d48806', halo: 'rgba(255, 197, 61, 0.28)' }
/** Lamps below this scale are grouped into cells. */
export const minLampScale = 0.3
const hitRadiusPx = 16
/** This is half the size of a picture in the middle of a lamp. */
export const halfPictureSize = 6.5
const createLitColours = (color: string) => ({
  fill: color,
  line: `color-mix(in srgb, ${color} 82%, black)`,
  halo: `color-mix(in srgb, ${color} 28%, transparent)`,
})
const dimmedAlpha = 0.16

export const usesCells = ({ size }: Viewport) => size < minLampScale

/**
 * Creates a painter that draws lamps, or cells with counts if they are too dense. Each call repaints for a new view.
 */
export function createPainter(canvas: HTMLCanvasElement) {
  const context = canvas.getContext('2d')!
  const pictures = new Map<number, HTMLCanvasElement>()
  let lastPaintKey = ''
  let lastLooks: readonly unknown[] = []
  return (
    lamps: LampPositions,
    view: Viewport,
    colours: PaintColours,
    looks: readonly (PaintedLook | undefined)[] = [],
  ) => {
    const ratio = Math.min(2, devicePixelRatio)
    const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)]
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, width, height)
    if (usesCells(view)) {
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      for (const cell of countCells(lamps, view)) paintCell(context, cell, colours)
      return
    }
    // The size changes in small steps, so that a zoom does not repaint the lamp pictures for each frame.
    const size = Math.round(view.size * ratio * 16) / 16
    const paintKey = `${size} ${Object.values(colours).join()}`
    if (paintKey !== lastPaintKey || looks !== lastLooks) pictures.clear()
    lastPaintKey = paintKey
    lastLooks = looks
    const halfImageSize = Math.ceil(22 * size)
    const { x, y, marks } = lamps
    for (let index = 0; index < marks.length; index++) {
      const imageLeft = Math.round((x[index]! * view.scale + view.left) * ratio) - halfImageSize
      const imageTop = Math.round((y[index]! * view.scale + view.top) * ratio) - halfImageSize
      if (
        imageLeft < -halfImageSize * 2 ||
        imageTop < -halfImageSize * 2 ||
        imageLeft > width ||
        imageTop > height
      )
        continue
      let picture = pictures.get(marks[index]!)
      if (!picture) {
        picture = document.createElement('canvas')
        picture.width = picture.height = halfImageSize * 2
        const imageContext = picture.getContext('2d')!
        imageContext.setTransform(size, 0, 0, size, halfImageSize, halfImageSize)
        paintLamp(imageContext, marks[index]!, colours, looks[marks[index]! >> lookShift])
        pictures.set(marks[index]!, picture)
      }
      context.drawImage(picture, imageLeft, imageTop)
    }
  }
}

/** Paints a lamp in the same way as `lamp.tsx` with its style sheet. */
function paintLamp(
  context: CanvasRenderingContext2D,
  marks: number,
  colours: PaintColours,
  typeLook?: PaintedLook,
) {
  const litColours = typeLook?.color ? createLitColours(typeLook.color) : defaultLitColours
  const hasBit = (bit: number) => (marks & bit) !== 0
  const traceCircle = (radius: number, from = 0, to = Math.PI * 2) => {
    context.beginPath()
    context.arc(0, 0, radius, from, to)
  }
  const strokePath = (colour: string, width: number, path?: string) => {
    context.strokeStyle = colour
    context.lineWidth = width
    if (path) context.stroke(new Path2D(path))
    else context.stroke()
  }
  context.lineCap = 'round'
  if (hasBit(markBits.aside)) context.globalAlpha = dimmedAlpha
  if (hasBit(markBits.picked | markBits.highlighted)) {
    traceCircle(15)
    strokePath(colours.primary, 3)
  } else if (hasBit(markBits.on) && !hasBit(markBits.stale)) {
    traceCircle(15)
    context.fillStyle = litColours.halo
    context.fill()
  }
  traceCircle(8.5)
  if (!hasBit(markBits.offline)) {
    context.fillStyle = hasBit(markBits.on) ? litColours.fill : colours.ground
    if (hasBit(markBits.stale)) context.globalAlpha *= 0.4
    context.fill()
    if (hasBit(markBits.stale)) context.globalAlpha /= 0.4
  }
  const isErrorColoured = hasBit(markBits.offline | markBits.faulty)
  if (hasBit(markBits.offline)) context.setLineDash([4, 3])
  else if (hasBit(markBits.stale)) context.setLineDash([3, 2.5])
  strokePath(
    isErrorColoured ? colours.error : hasBit(markBits.on) ? litColours.line : colours.line,
    hasBit(markBits.faulty) ? 2.5 : 2,
  )
  context.setLineDash([])
  const look = hasBit(markBits.offline) ? 'offline' : hasBit(markBits.on) ? 'on' : 'off'
  const variant = getIconVariant(look, hasBit(markBits.faulty))
  const picture = typeLook?.pictures[variant]
  if (picture) {
    const alpha = context.globalAlpha
    if (hasBit(markBits.offline) && !picture.isOwn) context.globalAlpha *= 0.45
    context.drawImage(
      picture.image,
      -halfPictureSize,
      -halfPictureSize,
      2 * halfPictureSize,
      2 * halfPictureSize,
    )
    context.globalAlpha = alpha
  }
  const hasOwnPicture = (state: IconVariant) => variant === state && picture?.isOwn
  if (hasBit(markBits.offline) && !hasOwnPicture('offline'))
    strokePath(colours.error, 2, signPaths.cross)
  if (hasBit(markBits.faulty) && !hasOwnPicture('fault'))
    strokePath(hasBit(markBits.on) ? '#a8071a' : colours.error, 2.5, signPaths.fault)
  if (hasBit(markBits.waiting)) {
    traceCircle(12.5, 0, 1.6)
    strokePath(colours.primary, 2.5)
  }
  if (hasBit(markBits.held)) {
    context.save()
    context.translate(heldMark.x, heldMark.y)
    traceCircle(heldMark.radius)
    context.fillStyle = colours.text
    context.fill()
    strokePath(colours.ground, 1.5)
    strokePath(colours.ground, 1.5, signPaths.held)
    context.restore()
  }
  if (hasBit(markBits.protected)) {
    const shield = new Path2D(signPaths.shield)
    context.translate(10, 1)
    context.scale(0.85, 0.85)
    context.fillStyle = colours.primary
    context.fill(shield)
    context.strokeStyle = colours.ground
    context.lineWidth = 1.5
    context.stroke(shield)
  }
}

type Box = { x: number; y: number; width: number; height: number }
type CountCell = Box & Record<'total' | 'on' | 'bad' | 'picked' | 'aside', number>

/** Divides the drawing into equal cells of 64 to 128 pixels, which stay the same while the plan is moved. */
function getGrid({ width, height }: LampPositions['drawing'], scale: number) {
  const cellSize = 2 ** Math.ceil(Math.log2(64 / scale))
  const [columns, rows] = [width, height].map((extent) =>
    Math.max(1, Math.round(extent / cellSize)),
  )
  return { columns: columns!, width: width / columns!, height: height / rows! }
}

/** Counts the lamps in each visible cell. */
export function countCells(
  { x, y, marks, drawing }: LampPositions,
  { scale, left: viewLeft, top: viewTop, ...viewSize }: Viewport,
) {
  const grid = getGrid(drawing, scale)
  const cellPixels = { width: grid.width * scale, height: grid.height * scale }
  const cells = new Map<number, CountCell>()
  for (let index = 0; index < marks.length; index++) {
    const column = Math.floor(x[index]! / grid.width)
    const row = Math.floor(y[index]! / grid.height)
    const cellCorner = {
      x: column * cellPixels.width + viewLeft,
      y: row * cellPixels.height + viewTop,
    }
    if (
      cellCorner.x < -cellPixels.width ||
      cellCorner.y < -cellPixels.height ||
      cellCorner.x > viewSize.width ||
      cellCorner.y > viewSize.height
    )
      continue
    const key = row * (grid.columns + 1) + column
    let cell = cells.get(key)
    if (!cell) {
      cell = { ...cellCorner, ...cellPixels, total: 0, on: 0, bad: 0, picked: 0, aside: 0 }
      cells.set(key, cell)
    }
    cell.total++
    if (marks[index]! & markBits.on) cell.on++
    if (marks[index]! & (markBits.offline | markBits.faulty)) cell.bad++
    if (marks[index]! & markBits.picked) cell.picked++
    if (marks[index]! & markBits.aside) cell.aside++
  }
  return [...cells.values()]
}

/** Paints the number of lights on and the total, a bar, and in red the number of offline or faulty lamps. */
function paintCell(context: CanvasRenderingContext2D, cell: CountCell, colours: PaintColours) {
  const {
    x,
    y,
    width,
    height,
    total,
    on: onCount,
    bad: badCount,
    picked: pickedCount,
    aside: dimmedCount,
  } = cell
  const traceBox = (
    boxLeft: number,
    boxTop: number,
    boxWidth: number,
    boxHeight: number,
    cornerRadius: number,
  ) => {
    context.beginPath()
    context.roundRect(boxLeft, boxTop, boxWidth, boxHeight, cornerRadius)
  }
  context.globalAlpha = dimmedCount === total ? dimmedAlpha : 1
  traceBox(x + 2, y + 2, width - 4, height - 4, 8)
  context.fillStyle = colours.ground
  context.fill()
  context.strokeStyle = pickedCount > 0 ? colours.primary : colours.border
  context.lineWidth = pickedCount > 0 ? 2 : 1
  context.stroke()
  const bar = { left: x + 10, top: y + height - 14, wide: width - 20 }
  traceBox(bar.left, bar.top, bar.wide, 6, 3)
  context.fillStyle = colours.border
  context.fill()
  if (onCount > 0) {
    traceBox(bar.left, bar.top, Math.max(6, (bar.wide * onCount) / total), 6, 3)
    context.fillStyle = defaultLitColours.fill
    context.fill()
  }
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.font = '12px system-ui, sans-serif'
  context.fillStyle = colours.text
  const centre = { x: x + width / 2, y: y + height / 2 - (badCount > 0 ? 14 : 6) }
  context.fillText(`${onCount}/${total}`, centre.x, centre.y)
  if (badCount > 0) {
    context.fillStyle = colours.error
    context.fillText(`✕ ${badCount}`, centre.x, centre.y + 16)
  }
  context.globalAlpha = 1
}

/** Returns the lamp nearest to a point on the screen. */
export function findLampAt(
  { x, y, marks }: LampPositions,
  view: Viewport,
  point: { x: number; y: number },
) {
  if (usesCells(view)) return undefined
  let nearestLamp: number | undefined
  let nearestDistance = hitRadiusPx
  for (let index = 0; index < marks.length; index++) {
    const distance = Math.hypot(
      x[index]! * view.scale + view.left - point.x,
      y[index]! * view.scale + view.top - point.y,
    )
    if (distance > nearestDistance) continue
    nearestDistance = distance
    nearestLamp = index
  }
  return nearestLamp
}

/** Returns the lamps of the cell at a point and its centre in the drawing; undefined if lamps are painted singly. */
export function findCellAt(
  { x, y, marks, drawing }: LampPositions,
  view: Viewport,
  point: { x: number; y: number },
) {
  if (!usesCells(view)) return undefined
  const grid = getGrid(drawing, view.scale)
  const getCellPosition = (drawingX: number, drawingY: number) =>
    [Math.floor(drawingX / grid.width), Math.floor(drawingY / grid.height)] as const
  const [column, row] = getCellPosition(
    (point.x - view.left) / view.scale,
    (point.y - view.top) / view.scale,
  )
  const lamps = Array.from(marks.keys()).filter((index) => {
    const lampCell = getCellPosition(x[index]!, y[index]!)
    return lampCell[0] === column && lampCell[1] === row
  })
  if (lamps.length === 0) return undefined
  return { lamps, x: (column + 0.5) * grid.width, y: (row + 0.5) * grid.height }
}
