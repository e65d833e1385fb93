import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Drawer from 'antd/es/drawer'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import { runCauseText, runStatusText } from '@iot/shared/contract/control/scene'
import { SceneRun } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { column, formatValue } from '@iot/shared/ui/field'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { buildEmptyLocale, buildInnerPagination, LoadErrorAlert } from '@iot/shared/ui/usePage'
import * as styles from './scene.module.css'

const Ledger = lazyDialog(() => import('@iot/shared/control/ledger'))
const pageSize = 20

/** `成功 24，手动保持 3，失败 1`. */
export function formatCounts({
  counts,
  held = 0,
}: Pick<ControlTask, 'counts'> & Partial<Pick<ControlTask, 'held'>>) {
  const countWords: [string, number][] = [
    ['成功', counts.success],
    ['失败', counts.failed + counts.timeout],
    ['已确认（未上报）', counts.confirmed],
    ['结果未知', counts.unknown],
    ['被覆盖', counts.overridden],
    ['手动保持', held],
    ['跳过', counts.skipped - held],
    ['取消', counts.cancelled],
    ['执行中', counts.queued + counts.sent + counts.delivered],
  ]
  return countWords.flatMap(([word, count]) => (count ? `${word} ${count}` : [])).join('，')
}

/** `李工 2026-11-28 08:00 已确认：已手动执行`; without a person the note says why nobody has to. */
const describeAcknowledgement = ({
  acknowledgedBy,
  acknowledgedTime,
  note,
}: Pick<SceneRun, 'acknowledgedBy' | 'acknowledgedTime' | 'note'>) =>
  acknowledgedBy
    ? `${acknowledgedBy} ${formatValue(acknowledgedTime)} 已确认${note && `：${note}`}`
    : note

type RunLogProps = { scene: { id: string; name: string }; onClose: () => void }

/** Lists the runs and missed runs of a scene with their results. */
export default function RunLog({ scene, onClose }: RunLogProps) {
  const [pageNo, setPageNo] = useState(1)
  const [openTask, setOpenTask] = useState<ControlTask>()
  const { data, error, loading, refresh } = useRequest(
    () => call(sceneApi.runs, { id: scene.id, pageNo, pageSize }, { quiet: true }),
    { refreshDeps: [scene.id, pageNo], pollingInterval: 5000 },
  )
  const columns: TableColumnsType<SceneRun> = [
    {
      ...column(SceneRun, 'createTime'),
      width: 170,
      render: (_, { dueTime, createTime }) => formatValue(dueTime ?? createTime),
    },
    {
      ...column(SceneRun, 'status'),
      render: (_, { status, reason, tasks, ...acknowledgement }) => (
        <Flex vertical align="start">
          <span className={status === 'failed' || status === 'missed' ? styles.bad : undefined}>
            {runStatusText[status]}
            {reason && `：${reason}`}
          </span>
          {acknowledgement.acknowledgedTime && (
            <small>{describeAcknowledgement(acknowledgement)}</small>
          )}
          {tasks.map((task) => (
            <Button
              key={task.id}
              type="link"
              size="small"
              className={styles.task}
              aria-label={`${formatCounts(task)}，明细：${task.title}`}
              onClick={() => setOpenTask(task)}
            >
              {tasks.length > 1 && task.title.replace(/^.*（(.*)）$/, '$1 ')}
              {formatCounts(task)}
            </Button>
          ))}
        </Flex>
      ),
    },
    { ...column(SceneRun, 'cause'), width: 76, render: (_, { cause }) => runCauseText[cause] },
    {
      ...column(SceneRun, 'createBy'),
      width: 100,
      render: (_, { cause, createByName }) =>
        cause === 'manual' || cause === 'trial' ? createByName : '—',
    },
  ]
  return (
    <Drawer open title={`“${scene.name}”的执行记录`} size={720} onClose={onClose}>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<SceneRun>
        size="small"
        rowKey="id"
        columns={columns}
        dataSource={data?.list}
        loading={loading && !data}
        scroll={{ x: 520 }}
        locale={buildEmptyLocale(data, '还没有执行过')}
        pagination={buildInnerPagination({ pageNo, pageSize, total: data?.total }, setPageNo)}
      />
      {openTask && <Ledger task={openTask} onClose={() => setOpenTask(undefined)} />}
    </Drawer>
  )
}
