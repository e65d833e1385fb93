import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { formatValues, formatValue } from '@iot/shared/contract/thingModel/thingText'
import { pageTimeZone } from '@iot/shared/session/timeZone'

/** Formats a value as text; dates use the time zone of the project. */
export const formatDeviceValue = (dataType: DataType | undefined, value: unknown) =>
  formatValue(dataType, value, pageTimeZone())
export const formatDeviceValues = (
  params: Parameters<typeof formatValues>[0],
  values: Record<string, unknown>,
) => formatValues(params, values, pageTimeZone())
