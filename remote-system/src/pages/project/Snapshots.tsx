import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import { useState } from 'react'
import { Snapshot } from '@iot/shared/contract/control/snapshot.schema'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can, RowActions } from '@iot/shared/ui/right'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import * as styles from './project.module.css'

const TakeSnapshotForm = lazyDialog(() => import('./TakeSnapshotForm'))
const ScheduleForm = lazyDialog(() => import('./ScheduleForm'))
const CloneForm = lazyDialog(() => import('./CloneForm'))
const CompareDrawer = lazyDialog(() => import('./CompareDrawer'))
const RestoreDrawer = lazyDialog(() => import('./RestoreDrawer'))

type SnapshotsProps = { projectId: number; onChanged: () => void }

export default function Snapshots({ projectId, onChanged }: SnapshotsProps) {
  const {
    table,
    rows,
    refresh,
    saved: showSavedRow,
    sortable,
  } = usePage(snapshotApi.page, {
    empty: '还没有快照，改动之前点“拍摄快照”留一份',
    create: snapshotApi.take,
    within: { projectId },
  })
  const [isTaking, setTaking] = useState(false)
  const [comparedSnapshot, setComparedSnapshot] = useState<Snapshot>()
  const [restoredSnapshot, setRestoredSnapshot] = useState<Snapshot>()

  const [clonedSnapshot, setClonedSnapshot] = useState<Snapshot>()
  const [isScheduling, setScheduling] = useState(false)

  const remove = useRemoveRow(snapshotApi.remove, refresh)

  const {
    columns,
    size,
    scroll,
    chooser: columnChooser,
  } = useColumns<Snapshot>('snapshot', [
    { ...column(Snapshot, 'name'), width: 240, ellipsis: true },
    {
      ...column(Snapshot, 'automatic'),
      width: 100,
      render: (isAutomatic: boolean, { scheduled }) =>
        scheduled ? '定时' : isAutomatic ? '自动' : '手动',
    },
    { ...column(Snapshot, 'spaceCount'), width: 70, align: 'right' },
    { ...column(Snapshot, 'deviceCount'), width: 70, align: 'right' },
    { ...column(Snapshot, 'sceneCount'), width: 70, align: 'right' },
    { ...column(Snapshot, 'createBy'), width: 100, ellipsis: true },
    { ...column(Snapshot, 'createTime'), ...sortable('createTime'), width: 160 },
    {
      title: <>操作</>,
      width: 94,
      fixed: 'right',
      render: (_, row) => (
        <RowActions
          name={row.name}
          more={[
            { label: '恢复', to: snapshotApi.restore, onClick: () => setRestoredSnapshot(row) },
            { label: '以此新建项目', to: snapshotApi.clone, onClick: () => setClonedSnapshot(row) },
            { label: '删除', to: snapshotApi.remove, danger: true, onClick: () => remove(row) },
          ]}
        >
          <Can to={snapshotApi.page}>
            <Button type="link" size="small" onClick={() => setComparedSnapshot(row)}>
              比较
            </Button>
          </Can>
        </RowActions>
      ),
    },
  ])

  return (
    <Flex vertical gap={12}>
      <Toolbar
        filters={
          <span className={styles.hint}>
            快照留下项目资料、空间、设备位置和场景；可以比较，也可以恢复。
          </span>
        }
      >
        {columnChooser}
        <Can to={snapshotApi.setSchedule}>
          <Button onClick={() => setScheduling(true)}>定时拍摄</Button>
        </Can>
        <CreateButton to={snapshotApi.take} onClick={() => setTaking(true)} />
      </Toolbar>
      <Table<Snapshot> size={size} columns={columns} {...table} scroll={scroll} />
      {isTaking && (
        <TakeSnapshotForm
          projectId={projectId}
          onSaved={showSavedRow}
          onClose={() => setTaking(false)}
        />
      )}
      {isScheduling && (
        <ScheduleForm
          projectId={projectId}
          onSaved={onChanged}
          onClose={() => setScheduling(false)}
        />
      )}
      {clonedSnapshot && (
        <CloneForm snapshot={clonedSnapshot} onClose={() => setClonedSnapshot(undefined)} />
      )}
      {comparedSnapshot && (
        <CompareDrawer
          snapshot={comparedSnapshot}
          snapshots={rows}
          onClose={() => setComparedSnapshot(undefined)}
        />
      )}
      {restoredSnapshot && (
        <RestoreDrawer
          snapshot={restoredSnapshot}
          onRestored={() => {
            refresh()
            onChanged()
          }}
          onClose={() => setRestoredSnapshot(undefined)}
        />
      )}
    </Flex>
  )
}
