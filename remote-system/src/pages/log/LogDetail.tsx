import { useRequest } from 'ahooks'
import { Descriptions, Flex, Table } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { ActionLog, actionLogApi } from '@iot/shared/contract/actionLog'
import { column, shown } from '@iot/shared/ui/field'
import { FailedLine, whenEmpty } from '@iot/shared/ui/usePage'
import { targetOf } from './LogTarget'
import { wordsOf } from './wordsOf'

/** Shows the details of a log line below it. */
export default function LogDetail({ log }: { log: ActionLog }) {
  return log.parts ? <Parts of={log} /> : <Detail log={log} />
}

/** Lists the changes of one call row by row. */
function Parts({ of }: { of: ActionLog }) {
  const [pageNo, setPageNo] = useState(1)
  const { data, error, refresh } = useRequest(
    () =>
      call(
        actionLogApi.page,
        { partsOf: of.traceId, sort: 'id', pageNo, pageSize: 20 },
        { quiet: true },
      ),
    { refreshDeps: [pageNo] },
  )
  return (
    <>
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<ActionLog>
        size="small"
        rowKey="id"
        loading={!data && !error}
        dataSource={data?.list}
        locale={whenEmpty(data)}
        pagination={{
          current: pageNo,
          total: data?.total ?? 0,
          pageSize: 20,
          hideOnSinglePage: true,
          onChange: setPageNo,
        }}
        columns={[
          { ...column(ActionLog, 'entityName'), width: 200, ellipsis: true },
          { ...column(ActionLog, 'changes'), render: (_, { changes }) => wordsOf(changes) },
        ]}
      />
    </>
  )
}

function Detail({ log }: { log: ActionLog }) {
  const { changes, reason, traceId, entityId } = log
  const target = targetOf(log)
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
            { title: '修改前', dataIndex: 'before', render: shown },
            {
              title: '修改后',
              dataIndex: 'after',
              render: (after: string) => <strong>{shown(after)}</strong>,
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
          { key: 'id', label: '编号', children: shown(entityId) },
          { key: 'trace', label: '追踪号', children: shown(traceId) },
        ]}
      />
    </Flex>
  )
}
