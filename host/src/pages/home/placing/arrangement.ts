/** Coordinates are shares of the plan's width and height. */
export type PlanPosition = { x: number; y: number }
export type DeviceMove = { id: string; from: PlanPosition | null; to: PlanPosition | null }
export type MoveTarget = Pick<DeviceMove, 'id' | 'to'>
type UndoStep = { moves: DeviceMove[]; isNudge: boolean }
type PositionsById = ReadonlyMap<string, PlanPosition | null>

/** Holds the positions of devices as stored and as arranged here, with the steps in between for undo. */
export type Arrangement = {
  saved: PositionsById
  at: PositionsById
  done: readonly UndoStep[]
  undone: readonly UndoStep[]
}

const isSamePosition = (a: PlanPosition | null | undefined, b: PlanPosition | null | undefined) =>
  a?.x === b?.x && a?.y === b?.y
const toShare = (value: number) => Math.max(0, Math.min(1, Math.round(value * 1e5) / 1e5))

/** Creates an arrangement. `storedMoves` holds unsaved moves of the last session with the positions they started from. */
export function createArrangement(
  savedPositions: PositionsById,
  storedMoves: DeviceMove[] = [],
): Arrangement {
  const moves = storedMoves.filter(
    ({ id, to }) => savedPositions.has(id) && !isSamePosition(savedPositions.get(id), to),
  )
  const emptyArrangement = { saved: savedPositions, at: savedPositions, done: [], undone: [] }
  if (moves.length === 0) return emptyArrangement
  const startPositions = new Map([
    ...savedPositions,
    ...moves.map(({ id, from }) => [id, from] as const),
  ])
  return moveDevices({ ...emptyArrangement, saved: startPositions, at: startPositions }, moves)
}

const applyMoves = (
  positions: PositionsById,
  moves: DeviceMove[],
  side: 'from' | 'to',
): PositionsById =>
  new Map([
    ...positions,
    ...moves.filter(({ id }) => positions.has(id)).map((move) => [move.id, move[side]] as const),
  ])

/** Applies moves as one undo step; consecutive nudges of the same devices are merged into one step. */
export function moveDevices(
  arrangement: Arrangement,
  targets: MoveTarget[],
  isNudge = false,
): Arrangement {
  const moves = targets.flatMap(({ id, to }) => {
    const from = arrangement.at.get(id)
    return from === undefined || isSamePosition(from, to) ? [] : [{ id, from, to }]
  })
  if (moves.length === 0) return arrangement
  const lastStep = arrangement.done.at(-1)
  const isContinued = isNudge && lastStep?.isNudge && joinIds(lastStep.moves) === joinIds(moves)
  const step = isContinued
    ? { moves: moves.map((move, n) => ({ ...move, from: lastStep.moves[n]!.from })), isNudge }
    : { moves, isNudge }
  return {
    ...arrangement,
    at: applyMoves(arrangement.at, moves, 'to'),
    done: [...(isContinued ? arrangement.done.slice(0, -1) : arrangement.done), step],
    undone: [],
  }
}
const joinIds = (moves: DeviceMove[]) => moves.map(({ id }) => id).join()

export function undo(arrangement: Arrangement): Arrangement {
  const step = arrangement.done.at(-1)
  if (!step) return arrangement
  return {
    ...arrangement,
    at: applyMoves(arrangement.at, step.moves, 'from'),
    done: arrangement.done.slice(0, -1),
    undone: [...arrangement.undone, step],
  }
}

export function redo(arrangement: Arrangement): Arrangement {
  const step = arrangement.undone.at(-1)
  if (!step) return arrangement
  return {
    ...arrangement,
    at: applyMoves(arrangement.at, step.moves, 'to'),
    done: [...arrangement.done, step],
    undone: arrangement.undone.slice(0, -1),
  }
}

/** Returns the moves to save, each with the position that was read before it. */
export const listUnsavedMoves = ({ saved: savedPositions, at }: Arrangement): DeviceMove[] =>
  [...at].flatMap(([id, to]) => {
    const from = savedPositions.get(id) ?? null
    return isSamePosition(from, to) ? [] : [{ id, from, to }]
  })

/** Marks positions as stored by the platform; unsaved moves stay. */
export const markSaved = (arrangement: Arrangement, targets: MoveTarget[]): Arrangement => ({
  ...arrangement,
  saved: new Map([...arrangement.saved, ...targets.map(({ id, to }) => [id, to] as const)]),
})

/** Adopts a colleague's positions and removes the undo steps of those devices. */
export function adoptPositions(arrangement: Arrangement, targets: MoveTarget[]): Arrangement {
  const adoptedIds = new Set(targets.map(({ id }) => id))
  const dropAdoptedMoves = (steps: readonly UndoStep[]) =>
    steps
      .map((step) => ({ ...step, moves: step.moves.filter(({ id }) => !adoptedIds.has(id)) }))
      .filter(({ moves }) => moves.length > 0)
  return {
    ...markSaved(arrangement, targets),
    at: new Map([...arrangement.at, ...targets.map(({ id, to }) => [id, to] as const)]),
    done: dropAdoptedMoves(arrangement.done),
    undone: dropAdoptedMoves(arrangement.undone),
  }
}

/**
 * Merges a new read of the floor. An unsaved move stays with the position it started from, even if its device left the
 * floor, until saving has reported that.
 * @param refusedIds devices that could not be saved, with the reasons
 */
export function mergeFreshPositions(
  arrangement: Arrangement,
  freshPositions: PositionsById,
  refusedIds: { has: (id: string) => boolean },
): Arrangement {
  const unsavedMoves = listUnsavedMoves(arrangement).filter(({ id, to }) =>
    freshPositions.has(id) ? !isSamePosition(freshPositions.get(id), to) : !refusedIds.has(id),
  )
  return {
    ...arrangement,
    saved: new Map([...freshPositions, ...unsavedMoves.map(({ id, from }) => [id, from] as const)]),
    at: new Map([...freshPositions, ...unsavedMoves.map(({ id, to }) => [id, to] as const)]),
  }
}

export type DevicePoint = { id: string; at: PlanPosition }
export const alignments = {
  left: { text: '左对齐', least: 2 },
  top: { text: '顶对齐', least: 2 },
  across: { text: '水平等距', least: 3 },
  down: { text: '垂直等距', least: 3 },
}
export type Alignment = keyof typeof alignments

/** Aligns or distributes devices; when distributing, the two outermost stay in place. */
export function alignDevices(points: DevicePoint[], alignment: Alignment): MoveTarget[] {
  const axis = alignment === 'left' || alignment === 'across' ? 'x' : 'y'
  const sortedPoints = [...points].sort((a, b) => a.at[axis] - b.at[axis])
  const first = sortedPoints[0]!.at[axis]
  const spread =
    alignment === 'left' || alignment === 'top' ? 0 : sortedPoints.at(-1)!.at[axis] - first
  const step = spread / Math.max(1, sortedPoints.length - 1)
  return sortedPoints.map(({ id, at }, n) => ({
    id,
    to: { ...at, [axis]: toShare(first + step * n) },
  }))
}

/** Shifts devices together, but only as far as all of them stay on the plan. */
export function shiftDevices(points: DevicePoint[], offset: PlanPosition): MoveTarget[] {
  const clampOffset = (axis: 'x' | 'y') => {
    const values = points.map(({ at }) => at[axis])
    return Math.max(-Math.min(...values), Math.min(1 - Math.max(...values), offset[axis]))
  }
  const [x, y] = [clampOffset('x'), clampOffset('y')]
  return points.map(({ id, at }) => ({ id, to: { x: toShare(at.x + x), y: toShare(at.y + y) } }))
}

/** Lays devices out in a grid that starts at a position; `step` is the distance between neighbours. */
export function layOutInGrid(
  ids: string[],
  { x, y }: PlanPosition,
  step: PlanPosition,
): MoveTarget[] {
  const columns = Math.ceil(Math.sqrt(ids.length))
  const startX = Math.min(x, Math.max(0, 1 - (columns - 1) * step.x))
  const startY = Math.min(y, Math.max(0, 1 - (Math.ceil(ids.length / columns) - 1) * step.y))
  return ids.map((id, n) => ({
    id,
    to: {
      x: toShare(startX + (n % columns) * step.x),
      y: toShare(startY + Math.floor(n / columns) * step.y),
    },
  }))
}
