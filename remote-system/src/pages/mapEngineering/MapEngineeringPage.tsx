import { App, Button, Table } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import {
  MapEngineering,
  mapEngineeringApi,
  mapStatusText,
  type MapStatus,
} from '@iot/shared/contract/mapEngineering'
import { optionsOf } from '@iot/shared/contract/options'
import { quietly } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter } from '@iot/shared/ui/filters'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { opens, Right, RowActions } from '@iot/shared/ui/right'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'

const MapForm = lazyPart(() => import('./MapForm'))
const NewVersion = lazyPart(() => import('./NewVersion'))
const ShowMap = lazyPart(() => import('./ShowMap'))

const statuses = optionsOf(mapStatusText)
const isDraft = ({ status }: MapEngineering) => status === 'draft'

/** Lists versions of the tree of groups and projects that all users see in the project switcher. */
export function Component() {
  const { modal, message } = App.useApp()
  const confirmRemove = useConfirmRemove()
  const { table, filters, search, refresh, saved, sortable } = usePage(mapEngineeringApi.page, {
    empty: '还没有版本，点“新建地图工程版本”添加',
    create: mapEngineeringApi.create,
  })
  const [editing, setEditing, unsaved] = useEditing<MapEngineering>('mapEngineering', '地图工程')
  const [source, setSource] = useState<MapEngineering | 'now'>()
  const [shown, setShown] = useState<MapEngineering>()

  const remove = ({ id, name }: MapEngineering) =>
    confirmRemove(name, (options) => call(mapEngineeringApi.remove, { id }, options).then(refresh))
  const publish = ({ id, version, name }: MapEngineering) =>
    modal.confirm({
      title: `发布“${name}”？`,
      content: '所有人的项目切换器按这个版本分组，项目的分组随之修改；现在的版本归档。',
      okText: '发布',
      onOk: () =>
        call(mapEngineeringApi.publish, { id, version })
          .then(() => (message.success(`已发布“${name}”`), refresh()))
          .catch((error) => (refresh(), quietly(error))),
    })

  const open = (row: MapEngineering) => (isDraft(row) ? setEditing(row) : setShown(row))

  const { columns, size, scroll, chooser } = useColumns<MapEngineering>(
    'mapEngineering',
    [
      {
        ...column(MapEngineering, 'name'),
        ...sortable('name'),
        width: 150,
        ellipsis: true,
        render: opens<MapEngineering>(mapEngineeringApi.page, open),
      },
      {
        ...column(MapEngineering, 'status'),
        ...sortable('status'),
        width: 90,
        render: (status: MapStatus) => mapStatusText[status],
      },
      { ...column(MapEngineering, 'description'), width: 240, ellipsis: true },
      {
        ...column(MapEngineering, 'groups'),
        width: 80,
        align: 'right',
        render: (_, { groups }) => groups.length,
      },
      { ...column(MapEngineering, 'projectCount'), width: 80, align: 'right' },
      { ...column(MapEngineering, 'publishTime'), ...sortable('publishTime'), width: 160 },
      { ...column(MapEngineering, 'publishBy'), width: 110, ellipsis: true },
      { ...column(MapEngineering, 'engineeringId'), width: 80, align: 'right' },
      { ...column(MapEngineering, 'updateTime'), ...sortable('updateTime'), width: 160 },
      {
        title: <>操作</>,
        width: 94,
        fixed: 'right',
        render: (_, row) => (
          <RowActions
            name={row.name}
            more={[
              {
                label: '发布',
                to: mapEngineeringApi.publish,
                unless: !isDraft(row) && '只有草稿可以发布，请复制为草稿',
                onClick: () => publish(row),
              },
              { label: '复制为草稿', to: mapEngineeringApi.create, onClick: () => setSource(row) },
              {
                label: '删除',
                to: mapEngineeringApi.remove,
                unless: row.status === 'published' && '正在使用，不能删除',
                danger: true,
                onClick: () => remove(row),
              },
            ]}
          >
            <Right to={isDraft(row) ? mapEngineeringApi.update : mapEngineeringApi.page}>
              <Button type="link" size="small" onClick={() => open(row)}>
                {isDraft(row) ? '编辑' : '查看'}
              </Button>
            </Right>
          </RowActions>
        ),
      },
    ],
    ['engineeringId', 'updateTime'],
  )

  return (
    <Panel>
      {unsaved}
      <Toolbar
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[textFilter('name', '版本号', 140), choiceFilter('status', '状态', statuses, 110)]}
          />
        }
      >
        {chooser}
        <CreateButton to={mapEngineeringApi.create} onClick={() => setSource('now')} />
      </Toolbar>
      <Table<MapEngineering> size={size} columns={columns} {...table} scroll={scroll} />
      {source && (
        <NewVersion
          from={source === 'now' ? undefined : source}
          onMade={(row) => {
            saved(row)
            setEditing(row)
          }}
          onClose={() => setSource(undefined)}
        />
      )}
      {editing && <MapForm map={editing} onSaved={saved} onClose={() => setEditing(undefined)} />}
      {shown && <ShowMap map={shown} onClose={() => setShown(undefined)} />}
    </Panel>
  )
}
