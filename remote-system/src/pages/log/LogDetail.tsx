import { useRequest } from 'ahooks'
import { Descriptions, Flex, Table } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { ActionLog, actionLogApi, type FieldChange } from '@iot/shared/contract/actionLog'
import { column, shown } from '@iot/shared/ui/field'
import { FailedLine, whenEmpty } from '@iot/shared/ui/usePage'
import { targetOf } from './LogTarget'

/** “名称：厂商管理 → 厂商”; of what is new or gone only what it holds. */
export function wordsOf(changes: FieldChange[]) {
  const isOneSided = changes.every(({ before }) => !before) || changes.every(({ after }) => !after)
  const words = changes.flatMap(({ title, before, after }) =>
    isOneSided
      ? before || after
        ? [`${title}：${before || after}`]
        : []
      : [`${title}：${shown(before)} → ${shown(after)}`],
  )
  return shown(words.join('；'))
}

/** Row by row what one call changed. */
export function Parts({ of }: { of: ActionLog }) {
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

export function Detail({ log }: { log: ActionLog }) {
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
