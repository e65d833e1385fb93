/** Coordinates are shares of the plan's width and height. */
export type At = { x: number; y: number }
export type Move = { id: string; from: At | null; to: At | null }
export type Target = Pick<Move, 'id' | 'to'>
type Step = { moves: Move[]; isNudge: boolean }
type Places = ReadonlyMap<string, At | null>

/** Holds the positions of devices as stored and as arranged here, with the steps in between for undo. */
export type Arrangement = {
  saved: Places
  at: Places
  done: readonly Step[]
  undone: readonly Step[]
}

const same = (a: At | null | undefined, b: At | null | undefined) => a?.x === b?.x && a?.y === b?.y
const share = (value: number) => Math.max(0, Math.min(1, Math.round(value * 1e5) / 1e5))

/** Creates an arrangement. `kept` holds unsaved moves of the last session with the positions they started from. */
export function begun(saved: Places, kept: Move[] = []): Arrangement {
  const moves = kept.filter(({ id, to }) => saved.has(id) && !same(saved.get(id), to))
  const none = { saved, at: saved, done: [], undone: [] }
  if (moves.length === 0) return none
  const before = new Map([...saved, ...moves.map(({ id, from }) => [id, from] as const)])
  return moved({ ...none, saved: before, at: before }, moves)
}

const put = (at: Places, moves: Move[], way: 'from' | 'to'): Places =>
  new Map([
    ...at,
    ...moves.filter(({ id }) => at.has(id)).map((one) => [one.id, one[way]] as const),
  ])

/** Applies moves as one undo step; consecutive nudges of the same devices are merged into one step. */
export function moved(all: Arrangement, targets: Target[], isNudge = false): Arrangement {
  const moves = targets.flatMap(({ id, to }) => {
    const from = all.at.get(id)
    return from === undefined || same(from, to) ? [] : [{ id, from, to }]
  })
  if (moves.length === 0) return all
  const last = all.done.at(-1)
  const goesOn = isNudge && last?.isNudge && ids(last.moves) === ids(moves)
  const step = goesOn
    ? { moves: moves.map((one, n) => ({ ...one, from: last.moves[n]!.from })), isNudge }
    : { moves, isNudge }
  return {
    ...all,
    at: put(all.at, moves, 'to'),
    done: [...(goesOn ? all.done.slice(0, -1) : all.done), step],
    undone: [],
  }
}
const ids = (moves: Move[]) => moves.map(({ id }) => id).join()

export function back(all: Arrangement): Arrangement {
  const step = all.done.at(-1)
  if (!step) return all
  return {
    ...all,
    at: put(all.at, step.moves, 'from'),
    done: all.done.slice(0, -1),
    undone: [...all.undone, step],
  }
}

export function forth(all: Arrangement): Arrangement {
  const step = all.undone.at(-1)
  if (!step) return all
  return {
    ...all,
    at: put(all.at, step.moves, 'to'),
    done: [...all.done, step],
    undone: all.undone.slice(0, -1),
  }
}

/** Returns the moves to save, each with the position that was read before it. */
export const unsaved = ({ saved, at }: Arrangement): Move[] =>
  [...at].flatMap(([id, to]) => {
    const from = saved.get(id) ?? null
    return same(from, to) ? [] : [{ id, from, to }]
  })

/** Marks positions as stored by the platform; unsaved moves stay. */
export const settled = (all: Arrangement, now: Target[]): Arrangement => ({
  ...all,
  saved: new Map([...all.saved, ...now.map(({ id, to }) => [id, to] as const)]),
})

/** Adopts a colleague's positions and removes the undo steps of those devices. */
export function taken(all: Arrangement, now: Target[]): Arrangement {
  const theirs = new Set(now.map(({ id }) => id))
  const without = (steps: readonly Step[]) =>
    steps
      .map((step) => ({ ...step, moves: step.moves.filter(({ id }) => !theirs.has(id)) }))
      .filter(({ moves }) => moves.length > 0)
  return {
    ...settled(all, now),
    at: new Map([...all.at, ...now.map(({ id, to }) => [id, to] as const)]),
    done: without(all.done),
    undone: without(all.undone),
  }
}

/**
 * Merges a new read of the floor. An unsaved move stays with the position it started from, even if its device left the
 * floor, until saving has reported that.
 * @param refused devices that could not be saved, with the reasons
 */
export function refreshed(
  all: Arrangement,
  saved: Places,
  refused: { has: (id: string) => boolean },
): Arrangement {
  const mine = unsaved(all).filter(({ id, to }) =>
    saved.has(id) ? !same(saved.get(id), to) : !refused.has(id),
  )
  return {
    ...all,
    saved: new Map([...saved, ...mine.map(({ id, from }) => [id, from] as const)]),
    at: new Map([...saved, ...mine.map(({ id, to }) => [id, to] as const)]),
  }
}

export type Point = { id: string; at: At }
export const alignments = {
  left: { text: '左对齐', least: 2 },
  top: { text: '顶对齐', least: 2 },
  across: { text: '水平等距', least: 3 },
  down: { text: '垂直等距', least: 3 },
}
export type Alignment = keyof typeof alignments

/** Aligns or distributes devices; when distributing, the two outermost stay in place. */
export function aligned(points: Point[], how: Alignment): Target[] {
  const way = how === 'left' || how === 'across' ? 'x' : 'y'
  const sorted = [...points].sort((a, b) => a.at[way] - b.at[way])
  const first = sorted[0]!.at[way]
  const spread = how === 'left' || how === 'top' ? 0 : sorted.at(-1)!.at[way] - first
  const step = spread / Math.max(1, sorted.length - 1)
  return sorted.map(({ id, at }, n) => ({ id, to: { ...at, [way]: share(first + step * n) } }))
}

/** Shifts devices together, but only as far as all of them stay on the plan. */
export function shifted(points: Point[], by: At): Target[] {
  const within = (way: 'x' | 'y') => {
    const values = points.map(({ at }) => at[way])
    return Math.max(-Math.min(...values), Math.min(1 - Math.max(...values), by[way]))
  }
  const [x, y] = [within('x'), within('y')]
  return points.map(({ id, at }) => ({ id, to: { x: share(at.x + x), y: share(at.y + y) } }))
}

/** Lays devices out in a grid that starts at a position; `step` is the distance between neighbours. */
export function laidOut(ids: string[], { x, y }: At, step: At): Target[] {
  const columns = Math.ceil(Math.sqrt(ids.length))
  const left = Math.min(x, Math.max(0, 1 - (columns - 1) * step.x))
  const top = Math.min(y, Math.max(0, 1 - (Math.ceil(ids.length / columns) - 1) * step.y))
  return ids.map((id, n) => ({
    id,
    to: {
      x: share(left + (n % columns) * step.x),
      y: share(top + Math.floor(n / columns) * step.y),
    },
  }))
}
