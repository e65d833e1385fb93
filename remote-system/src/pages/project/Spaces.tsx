import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Tag from 'antd/es/tag'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { ManagedSpace } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import {
  validateSpaceParent,
  spaceSearchFields,
  spaceTypeText,
  listChildTypes,
} from '@iot/shared/contract/project/spaceTree'
import { createTree } from '@iot/shared/contract/tree'
import { getFloorPath, paths } from '@iot/shared/screens/paths'
import { BatchActions, useBatch, type Batch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can, useRefusalReason, type RowAction } from '@iot/shared/ui/right'
import { RowTree, type TreeColumn, useTreeSearch } from '@iot/shared/ui/rowTree'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import * as styles from './project.module.css'
import type { SpaceEditing } from './SpaceForm'

const SpaceForm = lazyDialog(() => import('./SpaceForm'))
const FloorPlan = lazyDialog(() => import('./FloorPlan'))
const MoveSpacesDialog = lazyDialog(() => import('./MoveSpacesDialog'))

const spaceColumns: TreeColumn<ManagedSpace>[] = [
  { key: 'type', title: '类型', width: 60, render: ({ type }) => spaceTypeText[type] },
  {
    key: 'metres',
    title: '图宽',
    width: 80,
    align: 'right',
    render: ({ metres }) => (metres === null ? '—' : `${metres} m`),
  },
  {
    key: 'deviceCount',
    title: '设备数',
    width: 60,
    align: 'right',
    render: (row) => row.deviceCount,
  },
]

type SpacesProps = { projectId: number; onChanged: () => void }

export default function Spaces({ projectId, onChanged }: SpacesProps) {
  const refusal = useRefusalReason()
  const search = useTreeSearch<ManagedSpace>(spaceSearchFields, '空间名称')
  const navigate = useNavigate()
  const request = useRequest(() => call(spaceApi.list, { projectId }, { inline: true }), {
    refreshDeps: [projectId],
  })
  const { data: rows = [] } = request
  const tree = useMemo(() => createTree(rows), [rows])
  const [spaceEditing, setEditing] = useState<SpaceEditing>()
  const [planFloorId, setPlanFloorId] = useState<string>()
  const [isMoving, setMoving] = useState(false)
  const floor = tree.get(planFloorId)

  const refresh = () => {
    request.refresh()
    onChanged()
  }
  const batch = useBatch(refresh)
  const remove = useRemoveRow(spaceApi.remove, refresh)

  const {
    columns,
    size,
    chooser: columnChooser,
  } = useColumns<ManagedSpace, TreeColumn<ManagedSpace>>('space', spaceColumns)

  return (
    <Flex vertical gap={12}>
      <Toolbar
        filters={search.filters}
        batch={<SpaceBatch batch={batch} projectId={projectId} onMove={() => setMoving(true)} />}
      >
        {columnChooser}
        <ImportButton
          name="空间"
          to={spaceApi.importRows}
          update={spaceApi.update}
          within={{ projectId }}
          note="上级写从楼栋起的名称，如“A 座 / 1 层”，楼栋空着；平面图在楼层里另外上传"
          onImported={refresh}
        />
        <ExportButton from={spaceApi.exportRows} input={{ projectId, ...search.input }} />
        <CreateButton
          to={{ ...spaceApi.create, title: '新建楼栋' }}
          onClick={() => setEditing({ kind: 'new' })}
        />
      </Toolbar>
      <RowTree<ManagedSpace>
        request={{ ...request, refresh }}
        title="名称"
        name={({ id, name, type, plan }) => (
          <>
            {type === 'floor' ? <Link to={getFloorPath(id)}>{name}</Link> : <span>{name}</span>}
            {type === 'floor' && !plan && <Tag>无平面图</Tag>}
          </>
        )}
        columns={columns}
        size={size}
        batch={batch}
        link={(space) => (
          <SpaceLink
            space={space}
            onPlan={() => setPlanFloorId(space.id)}
            onRename={() => setEditing({ kind: 'rename', space })}
          />
        )}
        more={(space) => ({
          first: listSpaceActions(space, {
            onEdit: setEditing,
            onPlace: () => navigate(paths.home({ placing: space.id })),
          }),
          last: [
            { label: '删除', to: spaceApi.remove, danger: true, onClick: () => remove(space) },
          ],
        })}
        move={spaceApi.move}
        refuses={validateSpaceParent}
        find={search.find}
        isClosedAtFirst={({ type }) => type === 'floor' || type === 'area'}
        empty={
          search.asked
            ? '没有符合条件的空间'
            : refusal(spaceApi.create)
              ? '还没有楼栋，请联系管理员添加'
              : '还没有楼栋，点“新建楼栋”开始，或从文件导入'
        }
      />
      {rows.length > 0 && (
        <span className={styles.hint}>
          楼栋 → 楼层 → 区域 → 房间，拖动可调整顺序和上级；设备随所在空间移动。
        </span>
      )}
      {spaceEditing && (
        <SpaceForm
          projectId={projectId}
          editing={spaceEditing}
          onSaved={refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
      {floor && (
        <FloorPlan floor={floor} onSaved={refresh} onClose={() => setPlanFloorId(undefined)} />
      )}
      {isMoving && (
        <MoveSpacesDialog
          projectId={projectId}
          rows={rows}
          batch={batch}
          onClose={() => setMoving(false)}
        />
      )}
    </Flex>
  )
}

type SpaceBatchProps = { batch: Batch; projectId: number; onMove: () => void }

const SpaceBatch = ({ batch, projectId, onMove }: SpaceBatchProps) => (
  <BatchActions
    batch={batch}
    exporting={{ from: spaceApi.exportRows, within: { projectId } }}
    of={[
      { label: '移动', to: spaceApi.moveMany, onClick: onMove },
      {
        label: '删除',
        to: spaceApi.removeMany,
        danger: true,
        onClick: () =>
          batch.confirmRun('删除', (ids) => call(spaceApi.removeMany, { projectId, ids })),
      },
    ]}
  />
)

type SpaceLinkProps = { space: ManagedSpace; onPlan: () => void; onRename: () => void }

const SpaceLink = ({ space, onPlan, onRename }: SpaceLinkProps) =>
  space.type === 'floor' ? (
    <Button type="link" size="small" onClick={onPlan}>
      平面图
    </Button>
  ) : (
    <Can to={spaceApi.update}>
      <Button type="link" size="small" onClick={onRename}>
        改名
      </Button>
    </Can>
  )

type SpaceHandlers = { onEdit: (editing: SpaceEditing) => void; onPlace: () => unknown }

/** Lists the actions of a space before those that move it; floors have more of them. */
const listSpaceActions = (space: ManagedSpace, { onEdit, onPlace }: SpaceHandlers): RowAction[] => [
  {
    label: '新建下级',
    to: spaceApi.create,
    unless: listChildTypes(space.type).length === 0 && '房间下面没有下级',
    onClick: () => onEdit({ kind: 'new', above: space }),
  },
  ...(space.type === 'floor'
    ? [
        {
          label: '摆放设备',
          to: managedDeviceApi.onFloor,
          onClick: onPlace,
        },
        {
          label: '改名',
          to: spaceApi.update,
          onClick: () => onEdit({ kind: 'rename', space }),
        },
        {
          label: '复制楼层',
          to: spaceApi.copy,
          onClick: () => onEdit({ kind: 'copy', space }),
        },
      ]
    : []),
]
