/** What is wrong first in a value, seen from one of its parts. */
export type Wrong = { path: readonly PropertyKey[]; code?: string } | undefined

/** The same, seen from further inside: nothing where it is elsewhere. */
export const inside = (wrong: Wrong, ...names: PropertyKey[]): Wrong =>
  wrong && names.every((name, at) => String(wrong.path[at]) === String(name))
    ? { ...wrong, path: wrong.path.slice(names.length) }
    : undefined

/** How an input shows that it is the one. */
export const marked = (isWrong: boolean) =>
  isWrong ? ({ status: 'error', 'aria-invalid': true } as const) : {}
