import useRequest from 'ahooks/es/useRequest'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { ActionLog, type FieldChange } from '@iot/shared/contract/access/actionLog.schema'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { paths } from '@iot/shared/screens/paths'
import { describeChanges, listChangedEntries } from '@iot/shared/ui/describeChanges'
import { column, formatValue } from '@iot/shared/ui/field'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import { renderLogTarget } from './LogTarget'

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

/** A list that changed shows its gained and lost entries across both columns, instead of two long texts. */
const changeColumns: TableColumnsType<FieldChange> = [
  { title: '字段', dataIndex: 'title', width: 160 },
  {
    title: '修改前',
    dataIndex: 'before',
    onCell: (change) => ({ colSpan: hasChangedEntries(change) ? 2 : 1 }),
    render: (before: string, change) =>
      hasChangedEntries(change) ? <ChangedEntries change={change} /> : formatValue(before),
  },
  {
    title: '修改后',
    dataIndex: 'after',
    onCell: (change) => ({ colSpan: hasChangedEntries(change) ? 0 : 1 }),
    render: (after: string) => <strong>{formatValue(after)}</strong>,
  },
]
const hasChangedEntries = (change: FieldChange) => listChangedEntries(change).length > 0

const ChangedEntries = ({ change }: { change: FieldChange }) => (
  <Flex gap="4px 16px" wrap>
    {listChangedEntries(change).map((entry) => (
      <span key={entry}>{entry}</span>
    ))}
  </Flex>
)

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
          columns={changeColumns}
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
          {
            key: 'id',
            label: '编号',
            children: entityId ? (
              <Flex gap={16} wrap>
                {entityId}
                <Link to={paths.system.log.actionLog({ entityId })}>这个对象的全部操作</Link>
              </Flex>
            ) : (
              '—'
            ),
          },
          { key: 'trace', label: '追踪号', children: formatValue(traceId) },
        ]}
      />
    </Flex>
  )
}
