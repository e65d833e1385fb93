import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Drawer from 'antd/es/drawer'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import { useEffect, useState } from 'react'
import { call } from '@iot/shared/client/call'
import {
  changeSign,
  maxPreviewLines,
  snapshotKindText,
  type SnapshotKind,
} from '@iot/shared/contract/control/snapshot'
import type {
  SnapshotChange,
  RestoreLine,
  Snapshot,
} from '@iot/shared/contract/control/snapshot.schema'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { Can } from '@iot/shared/ui/right'
import { useMyTasks } from '@iot/shared/ui/useMyTasks'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { FieldChanges } from './FieldChanges'
import * as styles from './project.module.css'

type RestoreDrawerProps = { snapshot: Snapshot; onRestored: () => void; onClose: () => void }

const columns: TableColumnsType<RestoreLine> = [
  {
    title: '',
    dataIndex: 'change',
    width: 44,
    render: (change: SnapshotChange, { reason }) =>
      reason ? '—' : <b className={styles[change]}>{changeSign[change]}</b>,
  },
  {
    title: '类型',
    dataIndex: 'type',
    width: 60,
    render: (type: SnapshotKind) => snapshotKindText[type],
  },
  { title: '名称', dataIndex: 'name', width: 150, ellipsis: true },
  { title: '所在', dataIndex: 'place', width: 160, ellipsis: true },
  {
    title: '会怎样',
    key: 'fields',
    render: (_, { reason, change, fields }) =>
      reason ||
      (change === 'added' ? (
        '恢复'
      ) : change === 'removed' ? (
        '删除'
      ) : (
        <FieldChanges fields={fields} />
      )),
  },
]

/** Previews all changes of a restore before it runs. */
export default function RestoreDrawer({ snapshot, onRestored, onClose }: RestoreDrawerProps) {
  const { message } = useFeedback()
  const { id, name } = snapshot
  const { data, error, loading, refresh } = useRequest(() =>
    call(snapshotApi.preview, { id }, { inline: true }),
  )
  const [startedTask, setStartedTask] = useState<Task>()
  const { tasks, refresh: refreshTasks } = useMyTasks()
  const finishedTask =
    startedTask &&
    [startedTask, ...tasks].find(
      (candidate) => candidate.id === startedTask.id && candidate.doneTime,
    )

  const finishedTaskId = finishedTask?.id
  const reportEnd = useMemoizedFn(() => {
    if (!finishedTask) return
    onRestored()
    onClose()
    if (finishedTask.status === 'done')
      message.success(`已恢复到“${name}”；恢复之前的样子在“恢复“${name}”之前”里，可以再恢复回去`, 6)
    else message.error(finishedTask.reason || '没有恢复')
  })
  useEffect(() => {
    if (finishedTaskId !== undefined) reportEnd()
  }, [finishedTaskId, reportEnd])

  const restore = () =>
    call(snapshotApi.restore, { id, state: data!.state }).then(
      (row) => {
        setStartedTask(row)
        refreshTasks()
      },
      (restoreError: unknown) => {
        ignoreHandled(restoreError)
        refresh()
      },
    )
  const { counts } = data ?? {}
  const changeCount = counts ? counts.added + counts.changed + counts.removed : 0

  return (
    <Drawer
      open
      size={820}
      title={`恢复到“${name}”`}
      onClose={onClose}
      footer={
        <Flex justify="end" gap={8}>
          <Button onClick={onClose}>取消</Button>
          <Can to={snapshotApi.restore}>
            <Button
              type="primary"
              danger
              loading={startedTask !== undefined}
              disabled={changeCount === 0}
              onClick={() => void restore().catch(ignoreHandled)}
            >
              恢复 {changeCount} 处
            </Button>
          </Can>
        </Flex>
      }
    >
      <Flex vertical gap={12}>
        {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
        {!data && loading && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
        {counts && changeCount > 0 && (
          <Alert
            type="warning"
            showIcon
            title={`将新增 ${counts.added}，修改 ${counts.changed}，删除 ${counts.removed}${counts.kept ? `；${counts.kept} 处保持原样` : ''}。恢复之前先自动拍一份快照，可以再恢复回去。`}
          />
        )}
        {counts && changeCount === 0 && (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="项目和快照一样，没有要恢复的" />
        )}
        {data && data.lines.length > 0 && (
          <Table<RestoreLine>
            size="small"
            rowKey="id"
            columns={columns}
            scroll={{ x: 640 }}
            dataSource={data.lines}
            pagination={{ pageSize: 50, hideOnSinglePage: true, showSizeChanger: false }}
            footer={
              data.lines.length === maxPreviewLines
                ? () => `只列出前 ${maxPreviewLines} 处`
                : undefined
            }
          />
        )}
      </Flex>
    </Drawer>
  )
}
