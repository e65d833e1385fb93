import { useRequest } from 'ahooks'
import { Descriptions, Flex, Table } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { ActionLog } from '@iot/shared/contract/actionLog.schema'
import { actionLogApi } from '@iot/shared/contract/actionLog.api'
import { column, formatValue } from '@iot/shared/ui/field'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import { renderLogTarget } from './LogTarget'
import { describeChanges } from './describeChanges'

/** Shows the details of a log line below it. */
export default function LogDetail({ log }: { log: ActionLog }) {
  return log.parts ? <PartialLogs parentLog={log} /> : <LogFields log={log} />
}

/** Lists the changes of one call row by row. */
function PartialLogs({ parentLog }: { parentLog: ActionLog }) {
  const [pageNo, setPageNo] = useState(1)
  const { data, error, refresh } = useRequest(
    () =>
      call(
        actionLogApi.page,
        { partsOf: parentLog.traceId, sort: 'id', pageNo, pageSize: 20 },
        { quiet: true },
      ),
    { refreshDeps: [pageNo] },
  )
  return (
    <>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<ActionLog>
        size="small"
        rowKey="id"
        loading={!data && !error}
        dataSource={data?.list}
        locale={buildEmptyLocale(data)}
        pagination={{
          current: pageNo,
          total: data?.total ?? 0,
          pageSize: 20,
          hideOnSinglePage: true,
          onChange: setPageNo,
        }}
        columns={[
          { ...column(ActionLog, 'entityName'), width: 200, ellipsis: true },
          { ...column(ActionLog, 'changes'), render: (_, { changes }) => describeChanges(changes) },
        ]}
      />
    </>
  )
}

function LogFields({ log }: { log: ActionLog }) {
  const { changes, reason, traceId, entityId } = log
  const target = renderLogTarget(log)
  return (
    <Flex vertical gap={12}>
      {changes.length > 0 && (
        <Table
          size="small"
          rowKey="field"
          pagination={false}
          dataSource={changes}
          columns={[
            { title: '字段', dataIndex: 'title', width: 160 },
            { title: '修改前', dataIndex: 'before', render: formatValue },
            {
              title: '修改后',
              dataIndex: 'after',
              render: (after: string) => <strong>{formatValue(after)}</strong>,
            },
          ]}
        />
      )}
      <Descriptions
        size="small"
        column={1}
        items={[
          ...(reason ? [{ key: 'reason', label: '失败原因', children: reason }] : []),
          ...(changes.length === 0
            ? [{ key: 'none', label: '修改内容', children: '没有字段变化' }]
            : []),
          ...(target ? [{ key: 'target', label: '对象', children: target }] : []),
          { key: 'id', label: '编号', children: formatValue(entityId) },
          { key: 'trace', label: '追踪号', children: formatValue(traceId) },
        ]}
      />
    </Flex>
  )
}
