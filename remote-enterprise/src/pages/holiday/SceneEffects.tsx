import useRequest from 'ahooks/es/useRequest'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import type { TableColumnsType } from 'antd'
import { call } from '@iot/shared/client/call'
import { getWeekdayName } from '@iot/shared/contract/project/calendarDay'
import type { CalendarEffect } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'

const columns: TableColumnsType<CalendarEffect> = [
  {
    title: '日期',
    dataIndex: 'date',
    width: 150,
    render: (date: string) => `${date} ${getWeekdayName(date)}`,
  },
  { title: '场景', dataIndex: 'name', width: 180, ellipsis: true },
  { title: '项目', dataIndex: 'projectName', width: 160, ellipsis: true },
  {
    title: '变化',
    key: 'runs',
    width: 180,
    render: (_, { runs, times }) => `${times.join('、')} ${runs ? '执行' : '不执行'}`,
  },
  { title: '原因', dataIndex: 'reason' },
]

/** Shows the scene runs of the coming sixty days that a calendar changes; it reads again when `days` change. */
export default function SceneEffects({ calendarId, days }: { calendarId: string; days: unknown }) {
  const { data, error, loading, refresh } = useRequest(
    () => call(sceneApi.effects, { id: calendarId }, { quiet: true }),
    { refreshDeps: [calendarId, days] },
  )
  return (
    <section aria-label="未来 60 天受影响的场景">
      <Typography.Title level={2} style={{ fontSize: 14, margin: '12px 0' }}>
        未来 60 天受影响的场景
      </Typography.Title>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<CalendarEffect>
        size="small"
        rowKey={({ sceneId, date, runs }) => sceneId + date + String(runs)}
        columns={columns}
        dataSource={data}
        loading={loading && !data}
        scroll={{ x: 760 }}
        pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
        locale={buildEmptyLocale(
          data,
          '没有场景因为这个日历而改变。场景在首页按日历的日期类型执行。',
        )}
      />
    </section>
  )
}
