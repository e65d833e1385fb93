import Flex from 'antd/es/flex'
import type { TableColumnType } from 'antd'
import { useAtomValue } from 'jotai'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { groupKindText } from '@iot/shared/contract/device/deviceGroup'
import { DeviceGroup, type GroupKind } from '@iot/shared/contract/device/deviceGroup.schema'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { BatchActions, useBatch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { actionsColumn } from '@iot/shared/ui/right'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { ProjectFilters } from './ProjectFilters'
import { useNoProjectHint } from './useNoProjectHint'

const GroupForm = lazyDialog(() => import('./GroupForm'))
const { removeMany } = deviceGroupApi
const kindOptions = toTextOptions(groupKindText)

/** Lists the groups of the current project; a name opens home with the group as scope. */
export default function Groups() {
  const projectId = useAtomValue(currentProjectIdAtom)
  const noProjectHint = useNoProjectHint()
  const list = usePage(deviceGroupApi.page, {
    empty: '当前项目还没有设备组，点“新建设备组”把要一起控制的设备放进一组',
    create: deviceGroupApi.create,
    within: { projectId },
    unless: noProjectHint,
  })
  const batch = useBatch(list)
  const draftName = `deviceGroup-${projectId}`
  const [editing, setEditing, unsavedNotice] = useEditing<DeviceGroup | 'new'>(draftName, '设备组')

  const remove = useRemoveRow(deviceGroupApi.remove, list.refresh)

  const columns = useColumns<DeviceGroup>('deviceGroup', [
    ...createGroupColumns(list.sortable),
    actionsColumn<DeviceGroup>({
      api: deviceGroupApi,
      edit: setEditing,
      remove,
    }),
  ])

  return (
    <Flex vertical gap={12}>
      {unsavedNotice}
      <ListTable<DeviceGroup>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '设备组名称', 160),
          choiceFilter('kind', '成员方式', kindOptions),
        ]}
        filterBar={ProjectFilters}
        selection={batch.selection}
        batchActions={
          <BatchActions
            batch={batch}
            exporting={{ from: deviceGroupApi.exportRows, within: { projectId } }}
            of={[
              {
                label: '删除',
                to: removeMany,
                danger: true,
                onClick: () => batch.confirmRun('删除', (ids) => call(removeMany, { ids })),
              },
            ]}
          />
        }
      >
        <ImportButton
          name="设备组"
          to={deviceGroupApi.importRows}
          update={deviceGroupApi.update}
          within={{ projectId }}
          unless={noProjectHint}
          onImported={list.refresh}
        />
        <ExportButton from={deviceGroupApi.exportRows} input={list.input} />
        <CreateButton
          to={deviceGroupApi.create}
          unless={noProjectHint}
          onClick={() => setEditing('new')}
        />
      </ListTable>
      {editing && (
        <GroupForm
          projectId={projectId}
          group={editing === 'new' ? undefined : editing}
          draft={draftName}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Flex>
  )
}

type Sortable = ReturnType<typeof usePage<typeof deviceGroupApi.page>>['sortable']

const createGroupColumns = (sortable: Sortable): TableColumnType<DeviceGroup>[] => [
  {
    ...column(DeviceGroup, 'name'),
    ...sortable('name'),
    width: 180,
    ellipsis: true,
    render: (name: string, { id }) => <Link to={`${paths.home()}?group=${id}`}>{name}</Link>,
  },
  {
    ...column(DeviceGroup, 'kind'),
    title: '成员方式',
    width: 104,
    render: (kind: GroupKind) => groupKindText[kind],
  },
  {
    ...column(DeviceGroup, 'memberText'),
    title: '规则',
    ellipsis: true,
    render: (text: string) => text || '—',
  },
  {
    ...column(DeviceGroup, 'deviceCount'),
    width: 96,
    align: 'right',
    render: (count: number, { id }) => (
      <Link to={`${paths.deviceAccess.device()}?groupId=${id}`}>{count} 台</Link>
    ),
  },
  { ...column(DeviceGroup, 'description'), width: 180, ellipsis: true },
  { ...column(DeviceGroup, 'updateTime'), ...sortable('updateTime'), width: 160 },
]
