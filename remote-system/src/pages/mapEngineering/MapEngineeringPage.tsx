import Button from 'antd/es/button'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { mapStatusText, mapEngineeringTitles } from '@iot/shared/contract/project/mapEngineering'
import type { MapEngineering, MapStatus } from '@iot/shared/contract/project/mapEngineering.schema'
import { mapEngineeringApi } from '@iot/shared/contract/project/mapEngineering.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { useFeedback } from '@iot/shared/ui/feedback'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { createNameRenderer, Can, RowActions } from '@iot/shared/ui/right'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'

const MapForm = lazyDialog(() => import('./MapForm'))
const NewMapVersionForm = lazyDialog(() => import('./NewMapVersionForm'))
const MapVersionDrawer = lazyDialog(() => import('./MapVersionDrawer'))

const statusOptions = toTextOptions(mapStatusText)
const isDraft = ({ status }: MapEngineering) => status === 'draft'

/** Lists versions of the tree of groups and projects that all users see in the project switcher. */
export function Component() {
  const list = usePage(mapEngineeringApi.page, {
    empty: '还没有版本，点“新建地图工程版本”添加',
    create: mapEngineeringApi.create,
  })
  const [editing, setEditing, unsavedNotice] = useEditing<MapEngineering>(
    'mapEngineering',
    '地图工程',
  )
  const [versionToCopy, setVersionToCopy] = useState<MapEngineering | 'now'>()
  const [viewedVersion, setViewedVersion] = useState<MapEngineering>()

  const remove = useRemoveRow(mapEngineeringApi.remove, list.refresh)
  const publish = usePublication(list.refresh)
  const openVersion = (row: MapEngineering) =>
    isDraft(row) ? setEditing(row) : setViewedVersion(row)

  const columns = useColumns<MapEngineering>(
    'mapEngineering',
    [
      ...createVersionColumns(list.sortable, openVersion),
      {
        title: <>操作</>,
        width: 94,
        fixed: 'right',
        render: (_, row) => (
          <VersionActions
            row={row}
            onOpen={openVersion}
            onPublish={publish}
            onCopy={setVersionToCopy}
            onRemove={remove}
          />
        ),
      },
    ],
    ['engineeringId', 'updateTime'],
  )

  return (
    <Panel>
      {unsavedNotice}
      <ListTable<MapEngineering>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '版本号', 140),
          choiceFilter('status', '状态', statusOptions, 110),
        ]}
      >
        <CreateButton to={mapEngineeringApi.create} onClick={() => setVersionToCopy('now')} />
      </ListTable>
      {versionToCopy && (
        <NewMapVersionForm
          from={versionToCopy === 'now' ? undefined : versionToCopy}
          onMade={(row) => {
            list.saved(row)
            setEditing(row)
          }}
          onClose={() => setVersionToCopy(undefined)}
        />
      )}
      {editing && (
        <MapForm map={editing} onSaved={list.saved} onClose={() => setEditing(undefined)} />
      )}
      {viewedVersion && (
        <MapVersionDrawer map={viewedVersion} onClose={() => setViewedVersion(undefined)} />
      )}
    </Panel>
  )
}

/** Asks before a version is published, because it replaces the one that all users see. */
function usePublication(refresh: () => void) {
  const { modal, message } = useFeedback()
  return ({ id, version, name }: MapEngineering) =>
    modal.confirm({
      title: `发布“${name}”？`,
      content: '所有人的项目切换器按这个版本分组，项目的分组随之修改；现在的版本归档。',
      okText: '发布',
      onOk: () =>
        call(mapEngineeringApi.publish, { id, version })
          .then(() => (message.success(`已发布“${name}”`), refresh()))
          .catch((error) => (refresh(), ignoreHandled(error))),
    })
}

type Sortable = ReturnType<typeof usePage<typeof mapEngineeringApi.page>>['sortable']

const createVersionColumns = (
  sortable: Sortable,
  onOpen: (row: MapEngineering) => void,
): TableColumnType<MapEngineering>[] => [
  {
    ...column(mapEngineeringTitles, 'name'),
    ...sortable('name'),
    width: 150,
    ellipsis: true,
    render: createNameRenderer<MapEngineering>(mapEngineeringApi.page, onOpen),
  },
  {
    ...column(mapEngineeringTitles, 'status'),
    ...sortable('status'),
    width: 90,
    render: (status: MapStatus) => mapStatusText[status],
  },
  { ...column(mapEngineeringTitles, 'description'), width: 240, ellipsis: true },
  {
    ...column(mapEngineeringTitles, 'groups'),
    width: 80,
    align: 'right',
    render: (_, { groups }) => groups.length,
  },
  { ...column(mapEngineeringTitles, 'projectCount'), width: 80, align: 'right' },
  { ...column(mapEngineeringTitles, 'publishTime'), ...sortable('publishTime'), width: 160 },
  { ...column(mapEngineeringTitles, 'publishBy'), width: 110, ellipsis: true },
  { ...column(mapEngineeringTitles, 'engineeringId'), width: 80, align: 'right' },
  { ...column(mapEngineeringTitles, 'updateTime'), ...sortable('updateTime'), width: 160 },
]

type VersionActionsProps = {
  row: MapEngineering
  onOpen: (row: MapEngineering) => void
  onPublish: (row: MapEngineering) => void
  onCopy: (row: MapEngineering) => void
  onRemove: (row: MapEngineering) => void
}

const VersionActions = ({ row, onOpen, onPublish, onCopy, onRemove }: VersionActionsProps) => (
  <RowActions
    name={row.name}
    more={[
      {
        label: '发布',
        to: mapEngineeringApi.publish,
        unless: !isDraft(row) && '只有草稿可以发布，请复制为草稿',
        onClick: () => onPublish(row),
      },
      {
        label: '复制为草稿',
        to: mapEngineeringApi.create,
        onClick: () => onCopy(row),
      },
      {
        label: '删除',
        to: mapEngineeringApi.remove,
        unless: row.status === 'published' && '正在使用，不能删除',
        danger: true,
        onClick: () => onRemove(row),
      },
    ]}
  >
    <Can to={isDraft(row) ? mapEngineeringApi.update : mapEngineeringApi.page}>
      <Button type="link" size="small" onClick={() => onOpen(row)}>
        {isDraft(row) ? '编辑' : '查看'}
      </Button>
    </Can>
  </RowActions>
)
