/** In shares of the plan. */
export type At = { x: number; y: number }
export type Move = { id: string; from: At | null; to: At | null }
export type Target = Pick<Move, 'id' | 'to'>
type Step = { moves: Move[]; isNudge: boolean }
type Places = ReadonlyMap<string, At | null>

/** Where devices hang: as the platform has it, as it is arranged here, and the steps that led there. */
export type Arrangement = {
  saved: Places
  at: Places
  done: readonly Step[]
  undone: readonly Step[]
}

const same = (a: At | null | undefined, b: At | null | undefined) => a?.x === b?.x && a?.y === b?.y
const share = (value: number) => Math.max(0, Math.min(1, Math.round(value * 1e5) / 1e5))

/** `kept`: moves that were not saved last time, from where the devices hung then. */
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

/** Nudges of the same devices one after the other are one step. */
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

/** What is to be sent: from where each was read. */
export const unsaved = ({ saved, at }: Arrangement): Move[] =>
  [...at].flatMap(([id, to]) => {
    const from = saved.get(id) ?? null
    return same(from, to) ? [] : [{ id, from, to }]
  })

/** The platform has them there. What is arranged here stays. */
export const settled = (all: Arrangement, now: Target[]): Arrangement => ({
  ...all,
  saved: new Map([...all.saved, ...now.map(({ id, to }) => [id, to] as const)]),
})

/** They hang where a colleague hung them; no step leads back from there. */
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
 * A new read of the floor: an unsaved move stays, with where its device hung when it was moved. That of a device which
 * left the floor stays too, until saving has said so.
 * @param refused devices that saving named with the reason why they were not saved
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

/** The outermost two stay where equal distances are made. */
export function aligned(points: Point[], how: Alignment): Target[] {
  const way = how === 'left' || how === 'across' ? 'x' : 'y'
  const sorted = [...points].sort((a, b) => a.at[way] - b.at[way])
  const first = sorted[0]!.at[way]
  const spread = how === 'left' || how === 'top' ? 0 : sorted.at(-1)!.at[way] - first
  const step = spread / Math.max(1, sorted.length - 1)
  return sorted.map(({ id, at }, n) => ({ id, to: { ...at, [way]: share(first + step * n) } }))
}

/** Together, and no further than all of them stay on the plan. */
export function shifted(points: Point[], by: At): Target[] {
  const within = (way: 'x' | 'y') => {
    const values = points.map(({ at }) => at[way])
    return Math.max(-Math.min(...values), Math.min(1 - Math.max(...values), by[way]))
  }
  const [x, y] = [within('x'), within('y')]
  return points.map(({ id, at }) => ({ id, to: { x: share(at.x + x), y: share(at.y + y) } }))
}

/** The first there, others beside and below it; `step` from one to the next. */
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
