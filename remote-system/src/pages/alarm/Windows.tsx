import { useAtomValue } from 'jotai'
import { maintenanceWindowApi } from '@iot/shared/contract/alarm/incident.api'
import { MaintenanceWindowRow } from '@iot/shared/contract/alarm/incident.schema'
import { formatRecurrence } from '@iot/shared/contract/alarm/maintenanceWindow'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { choiceFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'

const WindowForm = lazyDialog(() => import('./WindowForm'))

const statusOptions = [
  { value: 'current', label: '未结束' },
  { value: 'ended', label: '已结束' },
]

/** Lists maintenance windows, during which the incidents of a place are not opened. */
export default function Windows() {
  const list = usePage(maintenanceWindowApi.page, {
    empty: '还没有维护窗口；窗口期间，所选位置不报告告警',
    create: maintenanceWindowApi.create,
  })
  const remove = useRemoveRow(maintenanceWindowApi.remove, list.refresh)
  const [editing, setEditing, unsavedNotice] = useEditing<MaintenanceWindowRow | 'new'>(
    'maintenanceWindow',
    '维护窗口',
  )
  const projects = useAtomValue(projectOptionsAtom)
  const columns = useColumns<MaintenanceWindowRow>('maintenanceWindow', [
    {
      ...column(MaintenanceWindowRow, 'name'),
      ...list.sortable('name'),
      width: 180,
      ellipsis: true,
      render: createNameRenderer<MaintenanceWindowRow>(maintenanceWindowApi.update, setEditing),
    },
    { ...column(MaintenanceWindowRow, 'projectName'), width: 140, ellipsis: true },
    { ...column(MaintenanceWindowRow, 'place'), width: 200, ellipsis: true },
    { ...column(MaintenanceWindowRow, 'startTime'), ...list.sortable('startTime'), width: 152 },
    { ...column(MaintenanceWindowRow, 'endTime'), ...list.sortable('endTime'), width: 152 },
    {
      ...column(MaintenanceWindowRow, 'weekdays'),
      width: 200,
      render: (_, row) => formatRecurrence(row) || '不重复',
    },
    { ...column(MaintenanceWindowRow, 'heldCount'), width: 80, align: 'right' },
    { ...column(MaintenanceWindowRow, 'createBy'), width: 100, ellipsis: true },
    actionsColumn<MaintenanceWindowRow>({ api: maintenanceWindowApi, edit: setEditing, remove }),
  ])
  return (
    <>
      {unsavedNotice}
      <ListTable<MaintenanceWindowRow>
        list={list}
        columns={columns}
        filters={[
          choiceFilter('status', '状态', statusOptions, 110),
          choiceFilter(
            'projectId',
            '项目',
            projects.map(({ value, label }) => ({ value: String(value), label })),
            150,
          ),
        ]}
      >
        <CreateButton to={maintenanceWindowApi.create} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <WindowForm
          window={editing === 'new' ? undefined : editing}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}
