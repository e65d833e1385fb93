/** A gap counts as silence if it is longer than this multiple of the usual interval. */
const gapFactor = 5
const usualIntervalQuantile = 0.9

/** Returns the indexes of reports that were followed by a gap much longer than the usual interval (90th percentile). */
export function findReportGaps(times: readonly number[]): number[] {
  const intervals = times.slice(1).map((time, index) => time - times[index]!)
  const usualInterval = intervals.toSorted((a, b) => a - b)[
    Math.floor((intervals.length - 1) * usualIntervalQuantile)
  ]
  return intervals.flatMap((interval, index) =>
    usualInterval !== undefined && interval > usualInterval * gapFactor ? index : [],
  )
}

/** Inserts empty values into the columns of a chart within each silence, so that no line is drawn across it. */
export function insertGaps([times, ...columns]: [number[], ...(number | null)[][]]) {
  const gapIndexes = findReportGaps(times)
  if (gapIndexes.length === 0) return [times, ...columns]
  const gapIndexSet = new Set(gapIndexes)
  const insertBetween = <T>(list: T[], createBetween: (gapIndex: number) => T) =>
    list.flatMap((value, index) => (gapIndexSet.has(index) ? [value, createBetween(index)] : value))
  return [
    insertBetween(times, (gapIndex) => (times[gapIndex]! + times[gapIndex + 1]!) / 2),
    ...columns.map((column) => insertBetween(column, () => null)),
  ]
}

/** Returns the indexes of values without neighbours, which no line reaches. */
export const findIsolatedPoints = (values: ArrayLike<number | null | undefined>) =>
  Array.from(values).flatMap((value, index) =>
    value != null && values[index - 1] == null && values[index + 1] == null ? index : [],
  )
