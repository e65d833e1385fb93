import Form from 'antd/es/form'
import type { Dayjs } from 'dayjs'
import type { z } from 'zod'
import { DatePicker } from './datePicker'
import { field } from './field'
import { serverNow } from '../client/serverClock'
import { fromPickerTime, toPickerTime } from '../client/zone'
import { platformTimeZone } from '../contract/timeZone'

type ExpiryDateItemProps<S extends z.ZodRawShape> = { of: z.ZodObject<S>; name: keyof S & string }

/**
 * Picker for the last day of validity; its value is the end of that day in the platform's zone as an ISO time, or null
 * for no expiry.
 */
export const ExpiryDateItem = <S extends z.ZodRawShape>({
  of: schema,
  name,
}: ExpiryDateItemProps<S>) => (
  <Form.Item
    {...field(schema, name)}
    getValueProps={(time: string | null) => ({
      value: time && toPickerTime(time, platformTimeZone),
    })}
    normalize={(day: Dayjs | null) =>
      day ? fromPickerTime(day.endOf('day'), platformTimeZone).toISOString() : null
    }
  >
    <DatePicker
      placeholder="长期有效"
      minDate={toPickerTime(serverNow(), platformTimeZone)}
      style={{ width: '100%' }}
    />
  </Form.Item>
)

/** @deprecated Use {@link ExpiryDateItem}; kept for remotes that were built before. */
export const UntilItem = ExpiryDateItem
