import Flex from 'antd/es/flex'
import type { TableColumnType } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import {
  deviceImportMax,
  deviceStateText,
  managedDeviceTitles,
} from '@iot/shared/contract/device/managedDevice'
import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { toRowOptions, toTextOptions } from '@iot/shared/contract/options'
import { productApi } from '@iot/shared/contract/product/product.api'
import { useManualOverrides } from '@iot/shared/control/useManualOverrides'
import { TypeIcon } from '@iot/shared/plan/typeIcon'
import { useTypeLooks } from '@iot/shared/plan/typeLooks'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { useBatch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { renderCode, column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { actionsColumn, RowLink, type RowAction } from '@iot/shared/ui/right'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { GuideLink } from '../guide/GuideLink'
import { DeviceBatch } from './DeviceBatch'
import { DeviceStateText } from './DeviceStateText'
import { ProjectFilters } from './ProjectFilters'
import { useDeviceActions } from './useDeviceActions'
import { useNoProjectHint } from './useNoProjectHint'
import { useSpaceOptions } from './useSpaceOptions'

const DeviceForm = lazyDialog(() => import('./DeviceForm'))
const ChangeProductDialog = lazyDialog(() => import('./ChangeProductDialog'))
const MoveDialog = lazyDialog(() => import('./MoveDialog'))
const stateOptions = toTextOptions(deviceStateText)
const { create, remove, move, changeProduct } = managedDeviceApi

export function Devices() {
  const projectId = useAtomValue(currentProjectIdAtom)
  const noProjectHint = useNoProjectHint()
  const typeLooks = useTypeLooks()
  const list = usePage(managedDeviceApi.page, {
    empty: '当前项目还没有设备，点“登记设备”添加',
    emptyAction: <GuideLink />,
    create,
    within: { projectId },
    unless: noProjectHint,
  })
  const batch = useBatch(list)
  const removeDevice = useRemoveRow(remove, list.refresh)
  const actions = useDeviceActions(batch)
  const [editing, setEditing, unsavedNotice] = useEditing<ManagedDevice | 'new'>('device', '设备')
  const [pendingMove, setPendingMove] = useState<{
    what: string
    ids: string[]
    at?: { spaceId: string | null; name: string }
  }>()
  const [pendingChange, setPendingChange] = useState<{ what: string; ids: string[] }>()
  useManualOverrides(projectId)
  const filterFields = useDeviceFilters(projectId, !!list.filters.groupId)

  const selectionText = batch.describeSelected('台', '设备')

  const columns = useColumns<ManagedDevice>(
    'device',
    createListColumns({
      sortable: list.sortable,
      onEdit: setEditing,
      onRemove: removeDevice,
      listActions: (device) =>
        actions.more(device, {
          onMove: () =>
            setPendingMove({
              what: `“${device.name}”`,
              ids: [device.id],
              at: { spaceId: device.spaceId, name: device.place },
            }),
          onChangeProduct: () => setPendingChange({ what: `“${device.name}”`, ids: [device.id] }),
        }),
      typeLooks,
    }),
    ['gatewayName', 'createTime'],
  )

  return (
    <Flex vertical gap={12}>
      {unsavedNotice}
      <ListTable<ManagedDevice>
        list={list}
        columns={columns}
        filters={filterFields}
        filterBar={ProjectFilters}
        selection={batch.selection}
        batchActions={
          <DeviceBatch
            batch={batch}
            projectId={projectId}
            onMove={() => setPendingMove({ what: selectionText, ids: batch.selected })}
            onChangeProduct={() => setPendingChange({ what: selectionText, ids: batch.selected })}
          />
        }
      >
        <ImportButton
          name="设备"
          to={managedDeviceApi.importRows}
          update={managedDeviceApi.update}
          within={{ projectId }}
          unless={noProjectHint}
          most={deviceImportMax}
          onImported={list.refresh}
        />
        <ExportButton from={managedDeviceApi.exportRows} input={list.input} />
        <CreateButton to={create} unless={noProjectHint} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <DeviceForm
          projectId={projectId}
          device={editing === 'new' ? undefined : editing}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
      {pendingChange && (
        <ChangeProductDialog
          subject={pendingChange.what}
          ids={pendingChange.ids}
          onChange={(productId) =>
            batch.run(
              '更换产品',
              (ids) => call(changeProduct, { ids, productId }),
              pendingChange.ids,
            )
          }
          onClose={() => setPendingChange(undefined)}
        />
      )}
      {pendingMove && (
        <MoveDialog
          subject={pendingMove.what}
          currentPlace={pendingMove.at}
          projectId={projectId}
          onMove={(target) =>
            batch.run('移动', (ids) => call(move, { ids, ...target }), pendingMove.ids)
          }
          onClose={() => setPendingMove(undefined)}
        />
      )}
    </Flex>
  )
}

type DeviceColumnsOptions = {
  sortable: ReturnType<typeof usePage<typeof managedDeviceApi.page>>['sortable']
  typeLooks: ReturnType<typeof useTypeLooks>
  onEdit: (device: ManagedDevice) => void
  onRemove: (device: ManagedDevice) => void
  listActions: (device: ManagedDevice) => RowAction[]
}

const createListColumns = ({
  sortable,
  typeLooks,
  onEdit,
  onRemove,
  listActions,
}: DeviceColumnsOptions): TableColumnType<ManagedDevice>[] => [
  {
    ...column(managedDeviceTitles, 'name'),
    ...sortable('name'),
    width: 160,
    ellipsis: true,
    render: (name: string, { id, state, productType }) => (
      <>
        <TypeIcon
          look={typeLooks.get(productType)}
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
    ...column(managedDeviceTitles, 'deviceName'),
    ...sortable('deviceName'),
    width: 132,
    ellipsis: true,
    render: renderCode,
  },
  { ...column(managedDeviceTitles, 'productName'), width: 112, ellipsis: true },
  { ...column(managedDeviceTitles, 'place'), width: 176, ellipsis: true },
  {
    ...column(managedDeviceTitles, 'state'),
    ...sortable('state'),
    width: 96,
    render: (_, device) => <DeviceStateText device={device} />,
  },
  { ...column(managedDeviceTitles, 'gatewayName'), width: 140, ellipsis: true },
  { ...column(managedDeviceTitles, 'reportedTime'), ...sortable('reportedTime'), width: 152 },
  { ...column(managedDeviceTitles, 'createTime'), ...sortable('createTime'), width: 160 },
  actionsColumn<ManagedDevice>({
    api: managedDeviceApi,
    edit: onEdit,
    remove: onRemove,
    more: listActions,
  }),
]

/** Returns the filters of the list; the one for groups is hidden while a project has none. */
function useDeviceFilters(projectId: number, isGroupChosen: boolean) {
  const spaceOptions = useSpaceOptions(projectId)
  const { data: products } = usePickerOptions(productApi.list)
  const { data: groups } = usePickerOptions(deviceGroupApi.list, { input: { projectId } })
  return [
    textFilter('name', '设备名称或 DeviceName', 190),
    choiceFilter('productId', '产品', toRowOptions(products)),
    choiceFilter('spaceId', '位置', spaceOptions),
    choiceFilter('state', '状态', stateOptions, 90),
    ...(groups?.length || isGroupChosen
      ? [choiceFilter('groupId', '设备组', toRowOptions(groups), 160)]
      : []),
  ]
}
