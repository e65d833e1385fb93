import type { DataType } from '@iot/shared/contract/thingModel'
import { valuesWords, valueWords } from '@iot/shared/contract/thingText'
import { pageTimeZone } from '@iot/shared/session/timeZone'

/** Formats a value as text; dates use the time zone of the project. */
export const valueText = (dataType: DataType | undefined, value: unknown) =>
  valueWords(dataType, value, pageTimeZone())
export const valuesText = (
  known: Parameters<typeof valuesWords>[0],
  values: Record<string, unknown>,
) => valuesWords(known, values, pageTimeZone())
