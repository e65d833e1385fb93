import type { Values } from '@iot/shared/contract/device/device.schema'
import { isConfirmed } from '@iot/shared/contract/thingModel/thingValue'

/** Returns true if the reported values contain every requested value. */
export const matchesTargetValues = (reported: Values, target: Values) =>
  Object.entries(target).every(([identifier, value]) => isConfirmed(value, reported[identifier]))

/** Returns true if any value differs from the expected one; values without an expectation are ignored. */
export const contradicts = (values: Values, expectedValues: Values) =>
  Object.entries(values).some(
    ([identifier, value]) => !isConfirmed(expectedValues[identifier] ?? value, value),
  )
