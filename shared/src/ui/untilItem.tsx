import { DatePicker, Form } from 'antd'
import type { Dayjs } from 'dayjs'
import type { z } from 'zod'
import { field } from './field'
import { serverNow } from '../client/serverClock'
import { fromPicker, toPicker } from '../client/zone'
import { platformTimeZone } from '../contract/timeZone'

type UntilItemProps<S extends z.ZodRawShape> = { of: z.ZodObject<S>; name: keyof S & string }

/** Date field for an end: the end of a future day in the platform's zone as an ISO time, or null for no end. */
export const UntilItem = <S extends z.ZodRawShape>({ of, name }: UntilItemProps<S>) => (
  <Form.Item
    {...field(of, name)}
    getValueProps={(time: string | null) => ({ value: time && toPicker(time, platformTimeZone) })}
    normalize={(day: Dayjs | null) =>
      day ? fromPicker(day.endOf('day'), platformTimeZone).toISOString() : null
    }
  >
    <DatePicker
      placeholder="长期有效"
      minDate={toPicker(serverNow(), platformTimeZone)}
      style={{ width: '100%' }}
    />
  </Form.Item>
)
