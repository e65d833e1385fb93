import type { IconVariant } from '../../contract/product/iconName'
import { getIconVariant } from '../typeLooks'
import { heldMark, signPaths } from '../lights'
import { countCells, type CountCell } from './lampCells'
import { decodeLook, markBits } from './lampMarks'
import { usesCells, type LampPositions, type Viewport } from './viewport'

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
/** This is half the size of a picture in the middle of a lamp. */
export const halfPictureSize = 6.5
const createLitColours = (color: string) => ({
  fill: color,
  line: `color-mix(in srgb, ${color} 82%, black)`,
  halo: `color-mix(in srgb, ${color} 28%, transparent)`,
})
const dimmedAlpha = 0.16

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
        paintLamp(imageContext, marks[index]!, colours, looks[decodeLook(marks[index]!)])
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
  const isDisconnected = hasBit(markBits.offline | markBits.inactive)
  if (!isDisconnected) {
    context.fillStyle = hasBit(markBits.on) ? litColours.fill : colours.ground
    if (hasBit(markBits.stale)) context.globalAlpha *= 0.4
    context.fill()
    if (hasBit(markBits.stale)) context.globalAlpha /= 0.4
  }
  const isErrorColoured = hasBit(markBits.offline | markBits.faulty)
  if (hasBit(markBits.offline)) context.setLineDash([4, 3])
  else if (hasBit(markBits.inactive)) context.setLineDash([1, 3])
  else if (hasBit(markBits.stale)) context.setLineDash([3, 2.5])
  strokePath(
    isErrorColoured ? colours.error : hasBit(markBits.on) ? litColours.line : colours.line,
    hasBit(markBits.faulty) ? 2.5 : 2,
  )
  context.setLineDash([])
  const look = isDisconnected ? 'offline' : hasBit(markBits.on) ? 'on' : 'off'
  const variant = getIconVariant(look, hasBit(markBits.faulty))
  const picture = typeLook?.pictures[variant]
  if (picture) {
    const alpha = context.globalAlpha
    if (isDisconnected && !picture.isOwn) context.globalAlpha *= 0.45
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

/**
 * Paints the number of lights on and the total, how many states are unknown, a bar, and in red the number of offline or
 * faulty lamps.
 */
function paintCell(context: CanvasRenderingContext2D, cell: CountCell, colours: PaintColours) {
  const {
    x,
    y,
    width,
    height,
    total,
    on: onCount,
    unknown: unknownCount,
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
  const lines = [
    { text: `${onCount}/${total}`, colour: colours.text },
    ...(unknownCount > 0 ? [{ text: `未知 ${unknownCount}`, colour: colours.text }] : []),
    ...(badCount > 0 ? [{ text: `✕ ${badCount}`, colour: colours.error }] : []),
  ]
  const firstLineTop = y + height / 2 + 2 - 8 * lines.length
  for (const [index, { text, colour }] of lines.entries()) {
    context.fillStyle = colour
    context.fillText(text, x + width / 2, firstLineTop + 16 * index)
  }
  context.globalAlpha = 1
}
