import Space from 'antd/es/space'
import Tag from 'antd/es/tag'
import {
  capabilityText,
  widgetText,
  controlTypeTitles,
} from '@iot/shared/contract/product/controlType'
import type {
  ControlType,
  Capability,
  Widget,
} from '@iot/shared/contract/product/controlType.schema'
import { controlTypeApi } from '@iot/shared/contract/product/controlType.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { statusColumn, statusOptions } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'

const ControlTypeForm = lazyDialog(() => import('./ControlTypeForm'))

const capabilityOptions = toTextOptions(capabilityText)

export function Component() {
  const list = useRecordList(controlTypeApi, {
    draft: 'controlType',
    title: '控制类型',
    empty: '还没有控制类型，点“新建控制类型”添加，或导入表格',
  })

  const columns = useColumns<ControlType>('controlType', [
    {
      ...column(controlTypeTitles, 'name'),
      ...list.sortable('name'),
      width: 150,
      ellipsis: true,
      render: createNameRenderer<ControlType>(controlTypeApi.update, list.edit),
    },
    { ...column(controlTypeTitles, 'code'), ...list.sortable('code'), width: 120, ellipsis: true },
    {
      ...column(controlTypeTitles, 'capability'),
      width: 96,
      render: (capability: Capability) => capabilityText[capability],
    },
    {
      ...column(controlTypeTitles, 'functions'),
      width: 220,
      render: (identifiers: string[]) =>
        identifiers.length === 0 ? (
          '—'
        ) : (
          <Space size={4} wrap>
            {identifiers.map((identifier) => (
              <Tag key={identifier}>{identifier}</Tag>
            ))}
          </Space>
        ),
    },
    {
      ...column(controlTypeTitles, 'widget'),
      width: 80,
      render: (widget: Widget) => widgetText[widget],
    },
    statusColumn<ControlType>(),
    { ...column(controlTypeTitles, 'updateTime'), ...list.sortable('updateTime'), width: 160 },
    actionsColumn<ControlType>(list),
  ])

  return (
    <Panel>
      <RecordList<ControlType>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '名称或编码'),
          choiceFilter('capability', '能力', capabilityOptions, 140),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        form={(type) => <ControlTypeForm type={type} onSaved={list.saved} onClose={list.close} />}
      />
    </Panel>
  )
}
