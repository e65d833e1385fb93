import type { Project } from '@iot/shared/contract/project/managedProject.schema'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { toTextOptions } from '@iot/shared/contract/options'
import {
  projectStatusText,
  projectTypeText,
  validateProjectOperation,
  type ProjectStatus,
  type ProjectType,
} from '@iot/shared/contract/project/projectStatus'
import { paths } from '@iot/shared/screens/paths'
import { areaFilter } from '@iot/shared/ui/areaFilter'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { actionsColumn, RowLink } from '@iot/shared/ui/right'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { ProjectStatusText } from './ProjectStatusText'
import { useStatusActions } from './useStatusActions'
import { projectTitles } from '@iot/shared/contract/project/managedProject'

const ProjectForm = lazyDialog(() => import('./ProjectForm'))

export function Component() {
  const list = usePage(managedProjectApi.page, {
    empty: '还没有项目，点“新建项目”添加',
    create: managedProjectApi.create,
  })
  const [editing, setEditing, unsavedNotice] = useEditing<Project | 'new'>('project', '项目')
  const statusActions = useStatusActions(list.saved)

  const remove = useRemoveRow(managedProjectApi.remove, list.refresh)

  const columns = useColumns<Project>(
    'project',
    [
      {
        ...column(projectTitles, 'name'),
        ...list.sortable('name'),
        width: 150,
        render: (name: string, { id }) => (
          <RowLink to={managedProjectApi.get} at={`${paths.system.project()}/${id}`} name={name} />
        ),
      },
      { ...column(projectTitles, 'code'), ...list.sortable('code'), width: 130, ellipsis: true },
      {
        ...column(projectTitles, 'groupName'),
        ...list.sortable('groupName'),
        width: 110,
        ellipsis: true,
      },
      {
        ...column(projectTitles, 'type'),
        width: 100,
        render: (type: ProjectType) => projectTypeText[type],
      },
      { ...column(projectTitles, 'areaName'), width: 190, ellipsis: true },
      {
        ...column(projectTitles, 'status'),
        ...list.sortable('status'),
        width: 76,
        render: (status: ProjectStatus) => <ProjectStatusText status={status} />,
      },
      { ...column(projectTitles, 'manager'), width: 84, ellipsis: true },
      { ...column(projectTitles, 'phone'), width: 130 },
      { ...column(projectTitles, 'spaceCount'), width: 76, align: 'right' },
      { ...column(projectTitles, 'deviceCount'), width: 76, align: 'right' },
      {
        ...column(projectTitles, 'projectId'),
        ...list.sortable('projectId'),
        width: 84,
        align: 'right',
      },
      { ...column(projectTitles, 'updateTime'), ...list.sortable('updateTime'), width: 160 },
      actionsColumn<Project>({
        api: managedProjectApi,
        edit: setEditing,
        remove,
        unless: ({ status }) => validateProjectOperation(status, 'remove') ?? false,
        more: statusActions,
      }),
    ],
    ['code', 'phone', 'projectId', 'updateTime'],
  )

  return (
    <Panel>
      {unsavedNotice}
      <ListTable<Project>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '项目名称或编码', 160),
          choiceFilter('status', '状态', toTextOptions(projectStatusText), 100),
          choiceFilter('type', '项目类型', toTextOptions(projectTypeText), 120),
          areaFilter,
        ]}
      >
        <ExportButton from={managedProjectApi.exportRows} input={list.input} />
        <CreateButton to={managedProjectApi.create} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <ProjectForm
          project={editing === 'new' ? undefined : editing}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}
