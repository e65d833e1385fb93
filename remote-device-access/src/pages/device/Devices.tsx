import { Flex, Table, type TableColumnsType } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { deviceGroupApi } from '@iot/shared/contract/deviceGroup'
import {
  deviceImportMax,
  ManagedDevice,
  managedDeviceApi,
  deviceStateText,
} from '@iot/shared/contract/managedDevice'
import { namedOptions, optionsOf } from '@iot/shared/contract/options'
import { productApi } from '@iot/shared/contract/product'
import { TypeIcon } from '@iot/shared/plan/typeIcon'
import { useTypeLooks } from '@iot/shared/plan/typeLooks'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { useBatch } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { asCode, column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { Export, Import } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { actionsColumn, RowLink } from '@iot/shared/ui/right'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { useListed } from '@iot/shared/ui/useListed'
import { DeviceBatch } from './DeviceBatch'
import { DeviceStateText } from './DeviceStateText'
import { ProjectFilters } from './ProjectFilters'
import { useDeviceActions } from './useDeviceActions'
import { useNoProject } from './useNoProject'
import { usePlaces } from './usePlaces'

const DeviceForm = lazyPart(() => import('./DeviceForm'))
const MoveDialog = lazyPart(() => import('./MoveDialog'))
const states = optionsOf(deviceStateText)
const { create, remove, move } = managedDeviceApi

export function Devices() {
  const projectId = useAtomValue(currentProjectIdAtom)
  const noProject = useNoProject()
  const looks = useTypeLooks()
  const { filters, input, refresh, saved, sortable, ...list } = usePage(managedDeviceApi.page, {
    empty: '当前项目还没有设备，点“登记设备”添加',
    create,
    within: { projectId },
    unless: noProject,
  })
  const batch = useBatch(refresh)
  const confirmRemove = useConfirmRemove()
  const actions = useDeviceActions(batch)
  const [editing, setEditing, unsaved] = useEditing<ManagedDevice | 'new'>('device', '设备')
  const [moving, setMoving] = useState<{
    what: string
    ids: string[]
    at?: { spaceId: string | null; name: string }
  }>()
  const places = usePlaces(projectId)
  const { data: products } = useListed(productApi.list)
  const { data: groups } = useListed(deviceGroupApi.list, { input: { projectId } })

  const many = `选中的 ${batch.selected.length} 台设备`

  const { columns, size, scroll, chooser } = useColumns<ManagedDevice>(
    'device',
    [
      {
        ...column(ManagedDevice, 'name'),
        ...sortable('name'),
        width: 160,
        ellipsis: true,
        render: (name: string, { id, state, productType }) => (
          <>
            <TypeIcon
              look={looks.get(productType)}
              variant={state === 'online' ? 'on' : 'offline'}
            />
            <RowLink
              to={managedDeviceApi.get}
              at={`${paths.deviceAccess.device()}/${id}`}
              name={name}
            />
          </>
        ),
      },
      {
        ...column(ManagedDevice, 'deviceName'),
        ...sortable('deviceName'),
        width: 132,
        ellipsis: true,
        render: asCode,
      },
      { ...column(ManagedDevice, 'productName'), width: 112, ellipsis: true },
      { ...column(ManagedDevice, 'place'), width: 176, ellipsis: true },
      {
        ...column(ManagedDevice, 'state'),
        ...sortable('state'),
        width: 90,
        render: (_, device) => <DeviceStateText device={device} />,
      },
      { ...column(ManagedDevice, 'gatewayName'), width: 140, ellipsis: true },
      { ...column(ManagedDevice, 'reportedTime'), ...sortable('reportedTime'), width: 152 },
      { ...column(ManagedDevice, 'createTime'), ...sortable('createTime'), width: 160 },
      actionsColumn<ManagedDevice>({
        api: managedDeviceApi,
        edit: setEditing,
        remove: ({ id, name }) =>
          confirmRemove(name, (options) => call(remove, { id }, options).then(refresh)),
        more: (device) =>
          actions.more(device, () =>
            setMoving({
              what: `“${device.name}”`,
              ids: [device.id],
              at: { spaceId: device.spaceId, name: device.place },
            }),
          ),
      }),
    ],
    ['gatewayName', 'createTime'],
  )

  return (
    <Flex vertical gap={12}>
      {unsaved}
      <Toolbar
        filters={
          <ProjectFilters
            filters={filters}
            search={list.search}
            of={[
              textFilter('name', '设备名称或 DeviceName', 190),
              choiceFilter('productId', '产品', namedOptions(products)),
              choiceFilter('spaceId', '位置', places),
              choiceFilter('state', '状态', states, 90),
              ...(groups?.length || filters.groupId
                ? [choiceFilter('groupId', '设备组', namedOptions(groups), 160)]
                : []),
            ]}
          />
        }
        batch={
          <DeviceBatch
            batch={batch}
            projectId={projectId}
            onMove={() => setMoving({ what: many, ids: batch.selected })}
          />
        }
      >
        {chooser}
        <Import
          name="设备"
          to={managedDeviceApi.importRows}
          update={managedDeviceApi.update}
          within={{ projectId }}
          unless={noProject}
          most={deviceImportMax}
          onImported={refresh}
        />
        <Export from={managedDeviceApi.exportRows} input={input} />
        <CreateButton to={create} unless={noProject} onClick={() => setEditing('new')} />
      </Toolbar>
      <Table<ManagedDevice>
        size={size}
        columns={columns as TableColumnsType<ManagedDevice>}
        rowSelection={batch.selection}
        {...list.table}
        scroll={scroll}
      />
      {editing && (
        <DeviceForm
          projectId={projectId}
          device={editing === 'new' ? undefined : editing}
          onSaved={saved}
          onClose={() => setEditing(undefined)}
        />
      )}
      {moving && (
        <MoveDialog
          what={moving.what}
          at={moving.at}
          projectId={projectId}
          onMove={(to) => batch.run('移动', (ids) => call(move, { ids, ...to }), moving.ids)}
          onClose={() => setMoving(undefined)}
        />
      )}
    </Flex>
  )
}
