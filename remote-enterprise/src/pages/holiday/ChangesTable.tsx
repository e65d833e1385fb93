import Alert from 'antd/es/alert'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import type { TableColumnsType, TableProps } from 'antd'
import type { DaysImportResult, ImportChange } from '@iot/shared/contract/project/calendar.schema'
import { dayTypeText, getWeekdayName } from '@iot/shared/contract/project/calendarDay'

const describeDay = (day: ImportChange['after'], fallback: string) =>
  day ? `${dayTypeText[day.type]} ${day.name}` : fallback

const columns: TableColumnsType<ImportChange> = [
  {
    title: '日期',
    dataIndex: 'date',
    width: 150,
    render: (date: string) => `${date} ${getWeekdayName(date)}`,
  },
  {
    title: '现在',
    dataIndex: 'before',
    render: (day: ImportChange['before']) => describeDay(day, '—'),
  },
  {
    title: '导入后',
    dataIndex: 'after',
    render: (day: ImportChange['after'], { isKept }) =>
      isKept ? <Tag>手动设置，保留</Tag> : describeDay(day, '不再特殊'),
  },
]

/** Lists the days that an import left as they are. */
export const RefusedDays = ({ days }: { days: DaysImportResult['refused'] }) =>
  days.length > 0 && (
    <Alert
      type="warning"
      showIcon
      title={`${days.length} 天没有导入`}
      description={days.map(({ date, reason }) => (
        <div key={date}>
          {date}：{reason}
        </div>
      ))}
      style={{ marginBlockEnd: 12, maxBlockSize: 160, overflow: 'auto' }}
    />
  )

/** Shows what an import would change, date by date. */
export const ChangesTable = (
  props: Pick<TableProps<ImportChange>, 'dataSource' | 'loading' | 'locale'>,
) => (
  <Table<ImportChange>
    size="small"
    rowKey="date"
    columns={columns}
    pagination={false}
    scroll={{ y: 'min(360px, calc(100vh - 320px))' }}
    {...props}
  />
)
