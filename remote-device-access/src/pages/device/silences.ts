/** So many times as long as it mostly takes from one report to the next. */
const patience = 5
const mostly = 0.9

/** After which of its reports a device was silent for much longer than between most of them. */
export function silencesIn(times: readonly number[]): number[] {
  const waits = times.slice(1).map((time, at) => time - times[at]!)
  const usual = waits.toSorted((a, b) => a - b)[Math.floor((waits.length - 1) * mostly)]
  return waits.flatMap((wait, at) => (usual !== undefined && wait > usual * patience ? at : []))
}

/** The columns of a chart with nothing in the middle of each silence, so that no line is drawn across it. */
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

/** Values with nothing on either side: no line leads to them. */
export const aloneIn = (values: ArrayLike<number | null | undefined>) =>
  Array.from(values).flatMap((value, at) =>
    value != null && values[at - 1] == null && values[at + 1] == null ? at : [],
  )
