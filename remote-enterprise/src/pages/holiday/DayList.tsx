import { App, Button, Table, Tag, type TableColumnsType } from 'antd'
import { call } from '@iot/shared/client/call'
import { CalendarDay, daySourceText, holidayApi } from '@iot/shared/contract/calendar'
import { dayTypeText, weekdayNameOf } from '@iot/shared/contract/calendarDay'
import { quietly } from '@iot/shared/ui/batch'
import { column, shown } from '@iot/shared/ui/field'
import { Right, RowActions } from '@iot/shared/ui/right'
import { whenEmpty } from '@iot/shared/ui/usePage'

type DayListProps = {
  calendarId: string
  days: CalendarDay[]
  /** The user may not change the calendar for this reason. */
  why?: string
  isLoading: boolean
  failed: boolean
  onEdit: (range: { from: string; to: string }) => void
  onChanged: () => void
}

/** Lists the days of a year that differ from their weekday's default type. */
export function DayList({
  calendarId,
  days,
  why,
  isLoading,
  failed,
  onEdit,
  onChanged,
}: DayListProps) {
  const { message } = App.useApp()
  const clear = ({ date, version }: CalendarDay) =>
    call(holidayApi.clear, { id: calendarId, seen: { [date]: version } })
      .then(() => (message.success(`${date} 已恢复`), onChanged()))
      .catch(quietly)

  const columns: TableColumnsType<CalendarDay> = [
    {
      ...column(CalendarDay, 'date'),
      width: 150,
      render: (date: string) => `${date} ${weekdayNameOf(date)}`,
    },
    {
      ...column(CalendarDay, 'type'),
      width: 110,
      render: (type: CalendarDay['type'], { isOff }) =>
        isOff ? dayTypeText[type] : <Tag color="warning">{dayTypeText[type]}</Tag>,
    },
    { ...column(CalendarDay, 'name'), width: 180, ellipsis: true },
    {
      ...column(CalendarDay, 'source'),
      width: 150,
      render: (source: CalendarDay['source'], { inheritedFrom }) =>
        inheritedFrom ? `继承自${inheritedFrom}` : daySourceText[source],
    },
    { ...column(CalendarDay, 'updateBy'), width: 110, ellipsis: true },
    { ...column(CalendarDay, 'updateTime'), width: 160, render: shown },
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
              unless: why ?? (!!day.inheritedFrom && `继承自${day.inheritedFrom}，请到那里修改`),
              onClick: () => clear(day),
            },
          ]}
        >
          <Right to={holidayApi.set} unless={why}>
            <Button
              type="link"
              size="small"
              onClick={() => onEdit({ from: day.date, to: day.date })}
            >
              设置
            </Button>
          </Right>
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
      locale={whenEmpty(!failed, '这一年没有特殊的日期，都按每周休息')}
    />
  )
}
