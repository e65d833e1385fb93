import { findIsolatedPoints, insertGaps, findReportGaps } from './reportGaps'

const minutesToSeconds = (...list: number[]) => list.map((minute) => minute * 60)

it('breaks the line where a device that reports every minute was silent for an hour', () => {
  const [times, values] = insertGaps([minutesToSeconds(0, 1, 2, 62, 63, 65), [1, 2, 3, 4, 5, 6]])
  expect(times).toEqual(minutesToSeconds(0, 1, 2, 32, 62, 63, 65))
  expect(values).toEqual([1, 2, 3, null, 4, 5, 6])
})
it('keeps the line for irregular or too few reports', () => {
  expect(findReportGaps(minutesToSeconds(0, 7, 9, 30, 31, 55, 90, 100))).toEqual([])
  expect(findReportGaps(minutesToSeconds(0, 600))).toEqual([])
  expect(findReportGaps([])).toEqual([])
})
it('finds points without a line to a neighbour', () => {
  expect(findIsolatedPoints([1, null, 2, 3, null, 4])).toEqual([0, 5])
})
