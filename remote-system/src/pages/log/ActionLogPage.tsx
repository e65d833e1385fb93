import { CalendarOutlined } from '@ant-design/icons'
import { useRequest } from 'ahooks'
import { Descriptions, Flex, Table, Tag } from 'antd'
import { call } from '@iot/shared/client/call'
import { ActionLog, actionLogApi } from '@iot/shared/contract/actionLog'
import { column, shown } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter, type Filter } from '@iot/shared/ui/filters'
import { Export } from '@iot/shared/ui/importExport'
import { onDemand } from '@iot/shared/ui/onDemand'
import { Panel } from '@iot/shared/ui/panel'
import { useColumns } from '@iot/shared/ui/useColumns'
import { Toolbar } from '@iot/shared/ui/toolbar'
import { usePage } from '@iot/shared/ui/usePage'
import type { TimeRangeProps } from './TimeRange'

const TimeRange = onDemand<TimeRangeProps>(() => import('./TimeRange'), {
  isFilled: ({ from }) => !!from,
  placeholder: '时间范围',
  width: 320,
  icon: <CalendarOutlined />,
})
const timeFilter: Filter = {
  names: ['from', 'to'],
  title: '时间',
  control: ({ from, to }, change) => <TimeRange from={from} to={to} onChange={change} />,
  shown: ({ from, to }) => `${shown(from).slice(0, 16)} 至 ${shown(to).slice(0, 16)}`,
}
const results = [
  { value: 'true', label: '成功' },
  { value: 'false', label: '失败' },
]
const options = (values: string[] = []) => values.map((value) => ({ value, label: value }))

export function Component() {
  const { table, filters, input, search, sortable } = usePage(actionLogApi.page, {
    empty: '还没有操作记录；新建、修改、删除都会记在这里',
  })
  const { data: facets } = useRequest(() => call(actionLogApi.facets, {}))

  const { columns, size, scroll, chooser } = useColumns<ActionLog>(
    'actionLog',
    [
      { ...column(ActionLog, 'time'), ...sortable('time'), width: 152 },
      { ...column(ActionLog, 'username'), width: 84, ellipsis: true },
      { ...column(ActionLog, 'verb'), width: 120, ellipsis: true },
      { ...column(ActionLog, 'entity'), width: 76 },
      { ...column(ActionLog, 'entityName'), width: 164, ellipsis: true },
      {
        ...column(ActionLog, 'ok'),
        width: 66,
        render: (ok: boolean) => (ok ? '成功' : <Tag color="error">失败</Tag>),
      },
      {
        ...column(ActionLog, 'changes'),
        width: 180,
        ellipsis: true,
        render: (_, { changes }) => shown(changes.map(({ title }) => title).join('、')),
      },
      { ...column(ActionLog, 'duration'), ...sortable('duration'), width: 120, align: 'right' },
      { ...column(ActionLog, 'address'), width: 126, ellipsis: true },
    ],
    ['duration'],
  )

  return (
    <Panel>
      <Toolbar
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[
              timeFilter,
              { names: ['entityId'], title: '编号', shown: ({ entityId }) => entityId },
              textFilter('username', '用户', 90),
              choiceFilter('entity', '对象', options(facets?.entities), 100),
              choiceFilter('field', '修改内容', options(facets?.fields), 120),
              choiceFilter('ok', '结果', results, 80),
            ]}
          />
        }
      >
        {chooser}
        <Export from={actionLogApi.exportRows} input={input} />
      </Toolbar>
      <Table<ActionLog>
        size={size}
        columns={columns}
        {...table}
        scroll={scroll}
        expandable={{
          expandRowByClick: true,
          columnWidth: 40,
          expandedRowRender: (log) => <Detail log={log} />,
        }}
      />
    </Panel>
  )
}

const Detail = ({ log: { changes, reason, traceId, entityId } }: { log: ActionLog }) => (
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
        { key: 'id', label: '编号', children: shown(entityId) },
        { key: 'trace', label: '追踪号', children: shown(traceId) },
      ]}
    />
  </Flex>
)
