import { DatePicker, Form, Input } from 'antd'
import dayjs from 'dayjs'
import type { Continued } from '@iot/shared/ui/onDemand'

const today = () => dayjs().startOf('day')
const presets = [
  { label: '今天', value: () => [today(), dayjs().endOf('day')] },
  { label: '最近 7 天', value: () => [today().subtract(6, 'day'), dayjs().endOf('day')] },
  { label: '最近 30 天', value: () => [today().subtract(29, 'day'), dayjs().endOf('day')] },
] as { label: string; value: () => [dayjs.Dayjs, dayjs.Dayjs] }[]

/** The filters `from` and `to` as one range. */
export default function TimeRange({ autoFocus, defaultOpen }: Continued) {
  const form = Form.useFormInstance<{ from?: string; to?: string }>()
  const from = Form.useWatch('from', form)
  const to = Form.useWatch('to', form)
  return (
    <>
      <Form.Item name="from" hidden>
        <Input />
      </Form.Item>
      <Form.Item name="to" hidden>
        <Input />
      </Form.Item>
      <DatePicker.RangePicker
        autoFocus={autoFocus}
        defaultOpen={defaultOpen}
        showTime={{ format: 'HH:mm', defaultValue: [today(), dayjs().endOf('day')] }}
        format="YYYY-MM-DD HH:mm"
        presets={presets}
        value={from && to ? [dayjs(from), dayjs(to)] : null}
        onChange={(range) =>
          form.setFieldsValue({ from: range?.[0]?.toISOString(), to: range?.[1]?.toISOString() })
        }
        style={{ width: 320 }}
      />
    </>
  )
}
