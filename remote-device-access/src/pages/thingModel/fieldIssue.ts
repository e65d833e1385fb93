/** Locates the first error relative to one part of a value. */
export type FieldIssue = { path: readonly PropertyKey[]; code?: string } | undefined

/** Returns the error relative to an inner part, or `undefined` if it is elsewhere. */
export const getInnerIssue = (issue: FieldIssue, ...parts: PropertyKey[]): FieldIssue =>
  issue && parts.every((name, index) => String(issue.path[index]) === String(name))
    ? { ...issue, path: issue.path.slice(parts.length) }
    : undefined

/** Returns the properties that mark an invalid input. */
export const getInvalidProps = (isWrong: boolean) =>
  isWrong ? ({ status: 'error', 'aria-invalid': true } as const) : {}
