/** Locates the first error relative to one part of a value. */
export type Wrong = { path: readonly PropertyKey[]; code?: string } | undefined

/** Returns the error relative to an inner part, or `undefined` if it is elsewhere. */
export const inside = (wrong: Wrong, ...names: PropertyKey[]): Wrong =>
  wrong && names.every((name, at) => String(wrong.path[at]) === String(name))
    ? { ...wrong, path: wrong.path.slice(names.length) }
    : undefined

/** Returns the properties that mark an invalid input. */
export const marked = (isWrong: boolean) =>
  isWrong ? ({ status: 'error', 'aria-invalid': true } as const) : {}
