import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Tag from 'antd/es/tag'
import { useSetAtom } from 'jotai'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { createTree, type Tree } from '@iot/shared/contract/tree'
import type { View } from '@iot/shared/contract/project/view.schema'
import { viewApi } from '@iot/shared/contract/project/view.api'
import {
  validateViewParent,
  maxViewLevels,
  viewSearchFields,
} from '@iot/shared/contract/project/viewTree'
import { paths } from '@iot/shared/screens/paths'
import { isEditModeAtom } from '@iot/shared/session/application'
import { useCan, useOwnershipRefusal } from '@iot/shared/session/can'
import { BatchActions, useBatch, type Batch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { Panel } from '@iot/shared/ui/panel'
import { Can } from '@iot/shared/ui/right'
import { RowTree, useTreeSearch, type TreeColumn } from '@iot/shared/ui/rowTree'
import { StatusTag } from '@iot/shared/ui/status'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import type { NewView } from './ViewForm'

const ViewForm = lazyDialog(() => import('./ViewForm'))

const formatCount = (selectedIds: unknown[], allLabel: string, unit: string) =>
  selectedIds.length === 0 ? allLabel : `${selectedIds.length} ${unit}`

const viewColumns: TreeColumn<View>[] = [
  {
    key: 'path',
    title: '路径',
    width: 180,
    render: ({ path }) => <code title={path}>{path}</code>,
  },
  {
    key: 'roleIds',
    title: '可见角色',
    width: 100,
    render: ({ roleIds }) => formatCount(roleIds, '所有角色', '个角色'),
  },
  {
    key: 'projectIds',
    title: '可见项目',
    width: 100,
    render: ({ projectIds }) => formatCount(projectIds, '所有项目', '个项目'),
  },
  {
    key: 'status',
    title: '状态',
    width: 60,
    render: ({ status }) => <StatusTag status={status} />,
  },
]

export function Component() {
  const can = useCan()
  const refuseChange = useOwnershipRefusal()
  const request = useRequest(() => call(viewApi.list, {}, { inline: true }))
  const { data: rows = [], refresh } = request
  const batch = useBatch(refresh)
  const search = useTreeSearch<View>(viewSearchFields, '视图名称或路径')
  const tree = useMemo(() => createTree(rows), [rows])
  const [editing, setEditing, unsavedNotice] = useEditing<View | NewView | 'new'>('view', '视图')

  const remove = useRemoveRow(viewApi.remove, refresh)
  const listActions = useViewActions(tree, { onAdd: setEditing, onRemove: remove })

  const {
    columns,
    size,
    chooser: columnChooser,
  } = useColumns<View, TreeColumn<View>>('view', viewColumns)

  return (
    <Panel>
      {unsavedNotice}
      <Toolbar filters={search.filters} batch={<ViewBatch batch={batch} />}>
        {columnChooser}
        <ImportButton
          name="视图"
          to={viewApi.importRows}
          update={viewApi.update}
          note="上级写从顶级起的名称，空着就是顶级；角色、项目空着就是所有；卡片导入后在首页编排"
          onImported={refresh}
        />
        <ExportButton from={viewApi.exportRows} input={search.input} />
        <CreateButton to={viewApi.create} onClick={() => setEditing('new')} />
      </Toolbar>
      <RowTree<View>
        request={request}
        title="视图名称"
        name={({ icon, name, visible, isDefault }) => (
          <>
            <MenuIcon name={icon} />
            <span>{name}</span>
            {isDefault && <Tag>默认</Tag>}
            {!visible && <Tag>不显示</Tag>}
          </>
        )}
        columns={columns}
        size={size}
        batch={batch}
        link={(view) => (
          <Can to={viewApi.update} unless={refuseChange(view.projectIds)}>
            <Button type="link" size="small" onClick={() => setEditing(view)}>
              编辑
            </Button>
          </Can>
        )}
        more={listActions}
        move={viewApi.move}
        refuses={(rows, view, parentId) =>
          // Moving a view renumbers its siblings, so all of them must be editable.
          [view, ...rows.children(parentId)]
            .map(({ projectIds }) => refuseChange(projectIds))
            .find(Boolean) ?? validateViewParent(rows, parentId, view.id)
        }
        find={search.find}
        empty={
          search.asked
            ? '没有符合条件的视图'
            : can(viewApi.create)
              ? '还没有视图，点“新建视图”添加'
              : '还没有视图，请联系管理员添加'
        }
      />
      {!search.asked && (
        <span style={{ color: 'var(--ant-color-text-secondary)' }}>
          首页的视图以页签显示，卡片在首页编排
          {can(viewApi.move) &&
            rows.length > 1 &&
            `；拖动可调整顺序和上级，最多 ${maxViewLevels} 级`}
          。
        </span>
      )}
      {editing && (
        <ViewForm
          tree={tree}
          view={editing}
          onSaved={refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}

const ViewBatch = ({ batch }: { batch: Batch }) => (
  <BatchActions
    batch={batch}
    exporting={{ from: viewApi.exportRows }}
    of={[
      {
        label: '删除',
        to: viewApi.removeMany,
        danger: true,
        onClick: () => batch.confirmRun('删除', (ids) => call(viewApi.removeMany, { ids })),
      },
    ]}
  />
)

type ViewHandlers = { onAdd: (view: NewView) => void; onRemove: (view: View) => void }

/** Returns a function that lists the actions of a view, before and after those that move it. */
function useViewActions(tree: Tree<View>, { onAdd, onRemove }: ViewHandlers) {
  const refuseChange = useOwnershipRefusal()
  const navigate = useNavigate()
  const setEditMode = useSetAtom(isEditModeAtom)
  return (view: View) => ({
    first: [
      {
        label: '编排卡片',
        to: viewApi.arrange,
        unless:
          refuseChange(view.projectIds) ||
          (view.status === 'disabled' && '视图已禁用') ||
          (!view.visible && '不在首页显示'),
        onClick: () => {
          setEditMode(true)
          void navigate(paths.home({ view: view.path }))
        },
      },
      {
        label: '新建下级',
        to: viewApi.create,
        unless: tree.path(view.id).length >= maxViewLevels && '已是最深一级',
        onClick: () => onAdd({ parentId: view.id }),
      },
    ],
    last: [
      {
        label: '删除',
        to: viewApi.remove,
        danger: true,
        unless: refuseChange(view.projectIds),
        onClick: () => onRemove(view),
      },
    ],
  })
}
