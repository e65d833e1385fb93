import { markBits } from './lampMarks'
import { usesCells, type LampPositions, type Viewport } from './viewport'

type Box = { x: number; y: number; width: number; height: number }
export type CountCell = Box &
  Record<'total' | 'on' | 'unknown' | 'bad' | 'picked' | 'aside', number>

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
      cell = {
        ...cellCorner,
        ...cellPixels,
        total: 0,
        on: 0,
        unknown: 0,
        bad: 0,
        picked: 0,
        aside: 0,
      }
      cells.set(key, cell)
    }
    cell.total++
    if (marks[index]! & markBits.stale) cell.unknown++
    else if (marks[index]! & markBits.on) cell.on++
    if (marks[index]! & (markBits.offline | markBits.faulty)) cell.bad++
    if (marks[index]! & markBits.picked) cell.picked++
    if (marks[index]! & markBits.aside) cell.aside++
  }
  return [...cells.values()]
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
