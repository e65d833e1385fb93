/** A gap counts as silence if it is longer than this multiple of the usual interval. */
const patience = 5
const mostly = 0.9

/** Returns the indexes of reports that were followed by a gap much longer than the usual interval (90th percentile). */
export function silencesIn(times: readonly number[]): number[] {
  const waits = times.slice(1).map((time, at) => time - times[at]!)
  const usual = waits.toSorted((a, b) => a - b)[Math.floor((waits.length - 1) * mostly)]
  return waits.flatMap((wait, at) => (usual !== undefined && wait > usual * patience ? at : []))
}

/** Inserts empty values into the columns of a chart within each silence, so that no line is drawn across it. */
export function broken([times, ...columns]: [number[], ...(number | null)[][]]) {
  const silent = silencesIn(times)
  if (silent.length === 0) return [times, ...columns]
  const after = new Set(silent)
  const spread = <T>(list: T[], between: (at: number) => T) =>
    list.flatMap((one, at) => (after.has(at) ? [one, between(at)] : one))
  return [
    spread(times, (at) => (times[at]! + times[at + 1]!) / 2),
    ...columns.map((column) => spread(column, () => null)),
  ]
}

/** Returns the indexes of values without neighbours, which no line reaches. */
export const aloneIn = (values: ArrayLike<number | null | undefined>) =>
  Array.from(values).flatMap((value, at) =>
    value != null && values[at - 1] == null && values[at + 1] == null ? at : [],
  )
