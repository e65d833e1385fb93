import { CalendarOutlined } from '@ant-design/icons'
import { shown } from '@iot/shared/ui/field'
import type { Filter } from '@iot/shared/ui/filters'
import { onDemand } from '@iot/shared/ui/onDemand'
import type { TimeRangeProps } from './TimeRange'

const TimeRange = onDemand<TimeRangeProps>(() => import('./TimeRange'), {
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
  shown: ({ from, to }) => `${shown(from).slice(0, 16)} 至 ${shown(to).slice(0, 16)}`,
}
