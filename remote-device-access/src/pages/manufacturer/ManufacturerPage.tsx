import { PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Form, Input, Select, Space, Table, type TableColumnsType } from 'antd'
import { lazy, Suspense } from 'react'
import { call } from '@iot/shared/client/call'
import type { Status } from '@iot/shared/contract/fields'
import { Manufacturer, manufacturerApi } from '@iot/shared/contract/manufacturer'
import { BatchBar, useBatch } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { Filters } from '@iot/shared/ui/filters'
import { Panel } from '@iot/shared/ui/panel'
import { RegionName } from '@iot/shared/ui/regionName'
import { Right } from '@iot/shared/ui/right'
import { StatusTag, statusOptions } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'

const RegionFilter = lazy(() => import('@iot/shared/ui/regionFilter'))
const ManufacturerForm = lazy(() => import('./ManufacturerForm'))

export function Component() {
  const confirmRemove = useConfirmRemove()
  const { table, filters, search, refresh, sortable } = usePage(manufacturerApi.page, { empty: '还没有厂商，点“新建厂商”添加，或导入表格' })
  const batch = useBatch(refresh)
  const [editing, setEditing] = useEditing<Manufacturer | 'new'>('manufacturer')

  const remove = ({ id, name }: Manufacturer) =>
    confirmRemove(name, (options) => call(manufacturerApi.remove, { id }, options).then(refresh))
  const setStatus = (status: Status) => (ids: string[]) => call(manufacturerApi.setStatus, { ids, status })

  const { columns, size, chooser } = useColumns<Manufacturer>('manufacturer', [
    { ...column(Manufacturer, 'name'), ...sortable('name'), width: 240, ellipsis: true },
    { ...column(Manufacturer, 'shortName'), width: 120 },
    { ...column(Manufacturer, 'code'), ...sortable('code'), width: 140 },
    { ...column(Manufacturer, 'areaCode'), width: 240, render: (code: string) => <RegionName code={code} /> },
    { ...column(Manufacturer, 'contact'), width: 100 },
    { ...column(Manufacturer, 'phone'), width: 140 },
    { ...column(Manufacturer, 'status'), width: 80, render: (status: Status) => <StatusTag status={status} /> },
    { ...column(Manufacturer, 'updateTime'), ...sortable('updateTime'), width: 180 },
    {
      title: <>操作</>, width: 180, fixed: 'right',
      render: (_, manufacturer) => (
        <Space size={0}>
          <Right to={manufacturerApi.update}><Button type="link" size="small" onClick={() => setEditing(manufacturer)}>编辑</Button></Right>
          <Right to={manufacturerApi.remove}><Button type="link" size="small" danger onClick={() => remove(manufacturer)}>删除</Button></Right>
        </Space>
      ),
    },
  ])

  return (
    <Panel>
      <Flex justify="space-between" gap={16} wrap>
        <Filters filters={filters} search={search}>
          <Form.Item name="name" label="厂商名称"><Input allowClear style={{ width: 160 }} /></Form.Item>
          <Form.Item name="code" label="编码"><Input allowClear style={{ width: 120 }} /></Form.Item>
          <Form.Item name="areaCode" label="地区">
            <Suspense fallback={<Input disabled style={{ width: 200 }} />}><RegionFilter /></Suspense>
          </Form.Item>
          <Form.Item name="status" label="状态"><Select allowClear options={statusOptions} style={{ width: 100 }} /></Form.Item>
        </Filters>
        <Space>
          {chooser}
          <Right to={manufacturerApi.create}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>新建厂商</Button>
          </Right>
        </Space>
      </Flex>
      <BatchBar count={batch.selected.length} onClear={batch.clear}>
        <Right to={manufacturerApi.setStatus}><Button onClick={() => batch.run('启用', setStatus('enabled'))}>启用</Button></Right>
        <Right to={manufacturerApi.setStatus}><Button onClick={() => batch.run('禁用', setStatus('disabled'))}>禁用</Button></Right>
        <Right to={manufacturerApi.removeMany}>
          <Button danger onClick={() => batch.confirmRun('删除', (ids) => call(manufacturerApi.removeMany, { ids }))}>删除</Button>
        </Right>
      </BatchBar>
      <Table<Manufacturer> size={size} columns={columns as TableColumnsType<Manufacturer>} rowSelection={batch.selection} {...table} />
      <Suspense>
        {editing && <ManufacturerForm manufacturer={editing === 'new' ? undefined : editing} onSaved={refresh} onClose={() => setEditing(undefined)} />}
      </Suspense>
    </Panel>
  )
}
