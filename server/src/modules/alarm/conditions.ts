import type { AlarmOperator, ThresholdSource } from '@iot/shared/contract/alarm/alarmRule.schema'
import type { DeviceState, Values } from '@iot/shared/contract/device/device.schema'
import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { isSameNumber, normalizeReportedNumber } from '@iot/shared/contract/thingModel/thingNumber'
import { isNumberType } from '@iot/shared/contract/thingModel/thingText'

/**
 * State of a condition by the values of a device: `between` lies between the limit and the recovery value. A missing,
 * stale or foreign value is `unknown`.
 */
export type Signal = 'met' | 'between' | 'over' | 'unknown'
export type ObservedDevice = {
  state: DeviceState
  reported: Values
  stale: Record<string, number>
}
type Value = number | string

/** Numbers are compared with the precision of a four-byte float, which many devices send. */
function compare(operator: AlarmOperator, value: Value, limit: Value) {
  const isEqual =
    typeof value === 'number' && typeof limit === 'number'
      ? isSameNumber(value, limit)
      : value === limit
  switch (operator) {
    case 'eq':
      return isEqual
    case 'ne':
      return !isEqual
    case 'gt':
      return value > limit && !isEqual
    case 'gte':
      return value > limit || isEqual
    case 'lt':
      return value < limit && !isEqual
    case 'lte':
      return value < limit || isEqual
  }
}

/** Compares a value that is known with the limit of a rule; the recovery value applies on the way back alone. */
export function judgeValue(
  { operator, value: limit, recoverValue }: ThresholdSource,
  dataType: DataType | undefined,
  reportedValue: unknown,
): Signal {
  if (typeof reportedValue !== typeof limit) return 'unknown'
  if (typeof reportedValue === 'number' && !Number.isFinite(reportedValue)) return 'unknown'
  const value =
    typeof reportedValue === 'number' && dataType && isNumberType(dataType)
      ? normalizeReportedNumber(dataType, reportedValue)
      : (reportedValue as Value)
  if (compare(operator, value, limit)) return 'met'
  if (recoverValue === null) return 'over'
  const isBelowLimit = operator === 'gt' || operator === 'gte'
  return compare(isBelowLimit ? 'lt' : 'gt', value, recoverValue) ? 'over' : 'between'
}

export function judgeThreshold(
  source: ThresholdSource,
  dataType: DataType | undefined,
  { state, reported, stale }: ObservedDevice,
): Signal {
  const { identifier } = source
  const isKnown = state === 'online' && identifier in reported && !(identifier in stale)
  return isKnown ? judgeValue(source, dataType, reported[identifier]) : 'unknown'
}

/** A device that never connected is not offline, and a disabled one is not missed. */
export const judgeOffline = ({ state }: Pick<ObservedDevice, 'state'>): Signal =>
  state === 'offline' ? 'met' : state === 'inactive' ? 'unknown' : 'over'
