import type { Condition } from '@iot/shared/contract/control/scene.schema'
import { isConfirmed } from '@iot/shared/contract/thingModel/thingValue'

type Comparison = Pick<Condition, 'compare' | 'value'>

const comparators: Record<Condition['compare'], (value: never, expected: never) => boolean> = {
  eq: (value, expected) => isConfirmed(value, expected),
  ne: (value, expected) => !isConfirmed(value, expected),
  gt: (value, expected) => value > expected && !isConfirmed(value, expected),
  gte: (value, expected) => value >= expected || isConfirmed(value, expected),
  lt: (value, expected) => value < expected && !isConfirmed(value, expected),
  lte: (value, expected) => value <= expected || isConfirmed(value, expected),
}

/** A value of another type than the expected one meets no comparison. */
export const meetsComparison = ({ compare, value }: Comparison, reportedValue: unknown) =>
  typeof reportedValue === typeof value &&
  comparators[compare](reportedValue as never, value as never)

/** Lists the expected values and, for numbers, one between them and one beyond each. */
function listCandidates(one: Comparison['value'], other: Comparison['value']) {
  if (typeof one !== 'number' || typeof other !== 'number') return [one, other, `${one}${other}`]
  const [min, max] = [Math.min(one, other), Math.max(one, other)]
  return [min - 1, min, (min + max) / 2, max, max + 1]
}

/** True if some value meets both comparisons. */
const canMeetBoth = (one: Comparison, other: Comparison) =>
  listCandidates(one.value, other.value).some(
    (value) => meetsComparison(one, value) && meetsComparison(other, value),
  )

/**
 * Returns the index of a condition that no value meets together with an earlier one on the same property; -1 if there
 * is none.
 */
export const findContradiction = (conditions: readonly Condition[]) =>
  conditions.findIndex((condition, index) =>
    conditions
      .slice(0, index)
      .some(
        (earlier) =>
          earlier.deviceId === condition.deviceId &&
          earlier.identifier === condition.identifier &&
          !canMeetBoth(earlier, condition),
      ),
  )
