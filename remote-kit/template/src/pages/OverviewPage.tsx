import useRequest from 'ahooks/es/useRequest'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import { call } from '@iot/shared/client/call'
import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import { Panel } from '@iot/shared/ui/panel'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'

export function Component() {
  // This call to the platform has input and answer types from its contract.
  const { data, error, loading, refresh } = useRequest(() =>
    call(calendarApi.list, {}, { inline: true }),
  )
  return (
    <Panel>
      <Typography.Title level={5} style={{ margin: 0 }}>
        示例概览
      </Typography.Title>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table
        rowKey="id"
        size="small"
        loading={loading}
        pagination={false}
        dataSource={data}
        columns={[
          { title: '日历', dataIndex: 'name' },
          { title: '编码', dataIndex: 'code' },
        ]}
      />
    </Panel>
  )
}
