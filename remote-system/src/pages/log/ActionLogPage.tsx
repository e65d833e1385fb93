import { CalendarOutlined, DownloadOutlined } from '@ant-design/icons'
import { useRequest } from 'ahooks'
import { Button, Descriptions, Flex, Form, Input, Select, Space, Table, Tag } from 'antd'
import { call } from '@iot/shared/client/call'
import { ActionLog, actionLogApi } from '@iot/shared/contract/actionLog'
import { column, shown } from '@iot/shared/ui/field'
import { Filters } from '@iot/shared/ui/filters'
import { onDemand } from '@iot/shared/ui/onDemand'
import { Panel } from '@iot/shared/ui/panel'
import { Right } from '@iot/shared/ui/right'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'

const TimeRange = onDemand<{ from?: string }>(() => import('./TimeRange'), {
  isFilled: ({ from }) => !!from,
  placeholder: '时间范围',
  width: 320,
  icon: <CalendarOutlined />,
})
const results = [
  { value: 'true', label: '成功' },
  { value: 'false', label: '失败' },
]
const options = (values: string[] = []) => values.map((value) => ({ value, label: value }))

export function Component() {
  const { table, filters, input, search, sortable } = usePage(actionLogApi.page, {
    empty: '还没有操作记录；新建、修改、删除都会记在这里',
  })
  const { run: save, loading: saving } = useRequest(
    async () => {
      const [logs, { sheet }, { saveTable, tableOf }] = await Promise.all([
        call(actionLogApi.exportRows, input),
        import('./actionLogSheet'),
        import('@iot/shared/ui/sheet'),
      ])
      await saveTable('操作日志', 'xlsx', tableOf(sheet, logs))
    },
    { manual: true },
  )
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
        render: (ok: boolean) =>
          ok ? <Tag color="success">成功</Tag> : <Tag color="error">失败</Tag>,
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
      <Flex justify="space-between" align="start" gap={16}>
        <Filters filters={filters} search={search}>
          <Form.Item>
            <TimeRange from={filters.from} />
          </Form.Item>
          <Form.Item name="username">
            <Input allowClear placeholder="用户" style={{ width: 90 }} />
          </Form.Item>
          <Form.Item name="entity">
            <Select
              allowClear
              showSearch
              placeholder="对象"
              aria-label="对象"
              options={options(facets?.entities)}
              style={{ width: 90 }}
            />
          </Form.Item>
          <Form.Item name="field">
            <Select
              allowClear
              showSearch
              placeholder="字段"
              aria-label="字段"
              options={options(facets?.fields)}
              popupMatchSelectWidth={false}
              style={{ width: 110 }}
            />
          </Form.Item>
          <Form.Item name="ok">
            <Select
              allowClear
              placeholder="结果"
              aria-label="结果"
              options={results}
              style={{ width: 80 }}
            />
          </Form.Item>
        </Filters>
        <Space>
          {chooser}
          <Right to={actionLogApi.exportRows}>
            <Button
              icon={<DownloadOutlined />}
              aria-label="导出"
              title="导出 .xlsx"
              loading={saving}
              onClick={save}
            />
          </Right>
        </Space>
      </Flex>
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
          ? [{ key: 'none', label: '字段差异', children: '没有字段变化' }]
          : []),
        { key: 'id', label: '编号', children: shown(entityId) },
        { key: 'trace', label: '追踪号', children: shown(traceId) },
      ]}
    />
  </Flex>
)
