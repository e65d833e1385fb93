import Button from 'antd/es/button'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import type { TableColumnsType } from 'antd'
import { call } from '@iot/shared/client/call'
import { daySourceText, calendarDayTitles } from '@iot/shared/contract/project/calendar'
import type { CalendarDay } from '@iot/shared/contract/project/calendar.schema'
import { holidayApi } from '@iot/shared/contract/project/calendar.api'
import { dayTypeText, getWeekdayName } from '@iot/shared/contract/project/calendarDay'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { column, formatValue } from '@iot/shared/ui/field'
import { Can, RowActions } from '@iot/shared/ui/right'
import { buildEmptyLocale } from '@iot/shared/ui/usePage'

type DayListProps = {
  calendarId: string
  days: CalendarDay[]
  /** The user may not change the calendar for this reason. */
  disabledReason?: string
  isLoading: boolean
  hasFailed: boolean
  onEdit: (range: { from: string; to: string }) => void
  onChanged: () => void
}

/** Lists the days of a year that differ from their weekday's default type. */
export function DayList({
  calendarId,
  days,
  disabledReason,
  isLoading,
  hasFailed,
  onEdit,
  onChanged,
}: DayListProps) {
  const { message } = useFeedback()
  const clearDay = ({ date, version }: CalendarDay) =>
    call(holidayApi.clear, { id: calendarId, seen: { [date]: version } })
      .then(() => (message.success(`${date} 已恢复`), onChanged()))
      .catch(ignoreHandled)

  const columns: TableColumnsType<CalendarDay> = [
    {
      ...column(calendarDayTitles, 'date'),
      width: 150,
      render: (date: string) => `${date} ${getWeekdayName(date)}`,
    },
    {
      ...column(calendarDayTitles, 'type'),
      width: 110,
      render: (type: CalendarDay['type'], { isOff }) =>
        isOff ? dayTypeText[type] : <Tag color="warning">{dayTypeText[type]}</Tag>,
    },
    { ...column(calendarDayTitles, 'name'), width: 180, ellipsis: true },
    {
      ...column(calendarDayTitles, 'source'),
      width: 150,
      render: (source: CalendarDay['source'], { inheritedFrom }) =>
        inheritedFrom ? `继承自${inheritedFrom}` : daySourceText[source],
    },
    { ...column(calendarDayTitles, 'updateBy'), width: 110, ellipsis: true },
    { ...column(calendarDayTitles, 'updateTime'), width: 160, render: formatValue },
    {
      title: '操作',
      width: 94,
      fixed: 'right',
      render: (_, day) => (
        <RowActions
          name={day.date}
          more={[
            {
              label: '恢复',
              to: holidayApi.clear,
              unless:
                disabledReason ??
                (!!day.inheritedFrom && `继承自${day.inheritedFrom}，请到那里修改`),
              onClick: () => clearDay(day),
            },
          ]}
        >
          <Can to={holidayApi.set} unless={disabledReason}>
            <Button
              type="link"
              size="small"
              onClick={() => onEdit({ from: day.date, to: day.date })}
            >
              设置
            </Button>
          </Can>
        </RowActions>
      ),
    },
  ]
  return (
    <Table<CalendarDay>
      size="middle"
      rowKey="date"
      columns={columns}
      dataSource={days.filter(({ source }) => source !== 'week')}
      loading={isLoading}
      pagination={{ defaultPageSize: 50, showTotal: (total) => `共 ${total} 天` }}
      scroll={{ x: 'max-content' }}
      locale={buildEmptyLocale(!hasFailed, '这一年没有特殊的日期，都按每周休息')}
    />
  )
}
