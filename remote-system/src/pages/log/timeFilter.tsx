import CalendarOutlined from '@ant-design/icons/CalendarOutlined'
import { formatValue } from '@iot/shared/ui/field'
import type { Filter } from '@iot/shared/ui/filters'
import { createLazyPicker } from '@iot/shared/ui/onDemand'
import type { TimeRangeProps } from './TimeRange'

const TimeRange = createLazyPicker<TimeRangeProps>(() => import('./TimeRange'), {
  isFilled: ({ from }) => !!from,
  placeholder: '时间范围',
  width: 320,
  icon: <CalendarOutlined />,
})

/** All logs share this filter, whose parameters are `from` and `to`. */
export const timeFilter: Filter = {
  names: ['from', 'to'],
  title: '时间',
  control: ({ from, to }, change) => <TimeRange from={from} to={to} onChange={change} />,
  shown: ({ from, to }) => `${formatValue(from).slice(0, 16)} 至 ${formatValue(to).slice(0, 16)}`,
}
