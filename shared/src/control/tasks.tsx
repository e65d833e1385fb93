import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Progress from 'antd/es/progress'
import Skeleton from 'antd/es/skeleton'
import Tag from 'antd/es/tag'
import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { ledgerStateText } from '../contract/control/control'
import type { ControlTask, LedgerState } from '../contract/control/control.schema'
import { holdApi } from '../contract/control/holdOffNote.api'
import { devicePermissions } from '../contract/device/devicePermissions'
import { formatDayTime } from '../plan/lights'
import { holdNoteRevisionAtom } from '../session/live'
import { inFlightText, type InFlightCommand } from '../session/outgoing'
import { Card } from '../ui/card'
import { MiddleEllipsis } from '../ui/choiceStrip'
import { lazyDialog } from '../ui/lazyPart'
import { Can } from '../ui/right'
import { LoadErrorAlert } from '../ui/usePage'
import { countFinishedEntries } from './result'
import { useCommandRefusalReason } from './sendCommand'
import { canUndoTask, type ControlTasks as TaskList } from './useTasks'
import * as styles from './tasks.module.css'

const HoldForm = lazyDialog(() => import('./holdForm'))
const Ledger = lazyDialog(() => import('./ledger'))
const maxShownTasks = 12

type ControlTaskListProps = {
  title?: string
  tasks: TaskList
  /** Shows a device on its floor plan. */
  onLocate?: (deviceId: string, floorId: string) => void
}

/** Lists recent control tasks with author, progress and available actions. */
export function ControlTaskList({
  title = '最近的控制',
  tasks: taskList,
  onLocate,
}: ControlTaskListProps) {
  const { tasks, outgoing, isKnown, failed, refresh, cancel, retry, undo } = taskList
  const [openedTaskId, setOpenedTaskId] = useState<string | null>(null)
  const [heldTask, setHeldTask] = useState<ControlTask>()
  const setHoldNoteRevision = useSetAtom(holdNoteRevisionAtom)
  const visibleTasks = tasks.slice(0, maxShownTasks)
  const ledgerTask = tasks.find(({ id }) => id === openedTaskId)

  return (
    <Card title={title} bodyClass={styles.list}>
      {failed && (
        <LoadErrorAlert why={failed.message} hasRows={visibleTasks.length > 0} onRetry={refresh} />
      )}
      {!isKnown && !failed && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      {isKnown && visibleTasks.length === 0 && outgoing.length === 0 && !failed && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有控制记录" />
      )}
      {outgoing.map((command) => (
        <UnansweredCommand key={command.key} command={command} />
      ))}
      {visibleTasks.map((task) => (
        <TaskCard
          key={task.id}
          task={task}
          onOpen={() => setOpenedTaskId(task.id)}
          onKeep={() => setHeldTask(task)}
          cancel={cancel}
          retry={retry}
          undo={undo}
        />
      ))}
      {heldTask && (
        <HoldForm
          task={heldTask}
          onSaved={() => setHoldNoteRevision((count) => count + 1)}
          onClose={() => setHeldTask(undefined)}
        />
      )}
      {ledgerTask && (
        <Ledger
          task={ledgerTask}
          onLocate={
            onLocate &&
            ((deviceId, floorId) => {
              setOpenedTaskId(null)
              onLocate(deviceId, floorId)
            })
          }
          onClose={() => setOpenedTaskId(null)}
        />
      )}
    </Card>
  )
}

type TaskCardProps = { task: ControlTask; onOpen: () => void; onKeep: () => void } & Pick<
  TaskList,
  'cancel' | 'retry' | 'undo'
>

function TaskCard({ task, onOpen, onKeep, cancel, retry, undo }: TaskCardProps) {
  const { counts, status, total, title, createTime, permission, reason, approvedBy } = task
  const { createBy, createByName, parentPlace } = task
  const failed = counts.failed + counts.timeout
  const isRunning = status === 'running'
  const refusal = useCommandRefusalReason()
  const requiredPermission = Object.values(devicePermissions).find(
    (rule) => rule.permission === permission,
  )!
  const { run: runAction, loading } = useRequest(
    (action: (task: ControlTask) => Promise<unknown>) => action(task),
    { manual: true, onError: () => {} },
  )

  return (
    <article className={styles.task} aria-label={title}>
      <strong className={styles.title} title={title}>
        {formatTaskHead(task)}
      </strong>
      <div className={styles.source}>
        {parentPlace && (
          <span className={styles.parent}>
            <MiddleEllipsis text={parentPlace} />
          </span>
        )}
        <span className={styles.person} title={createByName || createBy}>
          {createByName || createBy}
        </span>
        <span className={styles.time}>{formatDayTime(createTime)}</span>
      </div>
      {isRunning && total > 1 && (
        <Progress
          percent={Math.floor((countFinishedEntries(task) / Math.max(1, total)) * 100)}
          size="small"
          aria-label="进度"
        />
      )}
      <TaskResult task={task} />
      {approvedBy && (
        <div className={styles.reason}>
          {task.approvedByName || approvedBy} 同意，含受保护的设备
        </div>
      )}
      {reason && (
        <div className={styles.reason} title={reason}>
          {reason}
        </div>
      )}
      {(total > 1 || failed > 0 || canUndoTask(task) || task.undoneBy) && (
        <Flex wrap className={styles.actions}>
          {total > 1 && (
            <Button type="link" size="small" onClick={onOpen}>
              明细
            </Button>
          )}
          {isRunning && total > 1 && (
            <Can to={requiredPermission}>
              <Button type="link" size="small" loading={loading} onClick={() => runAction(cancel)}>
                取消
              </Button>
            </Can>
          )}
          {!isRunning && !task.undoneBy && failed + counts.unknown > 0 && (
            <Can to={requiredPermission} unless={refusal}>
              <Button type="link" size="small" disabled={loading} onClick={() => runAction(retry)}>
                重试失败
              </Button>
            </Can>
          )}
          {(canUndoTask(task) || task.undoneBy) && (
            <Can to={requiredPermission} unless={!task.undoneBy && refusal}>
              <Button
                type="link"
                size="small"
                disabled={loading || task.undoneBy !== null}
                onClick={() => runAction(undo)}
              >
                {task.undoneBy ? '已恢复' : '恢复原状'}
              </Button>
            </Can>
          )}
          {canUndoTask(task) && (
            <Can to={holdApi.create}>
              <Button type="link" size="small" title="给下一班的值班备注" onClick={onKeep}>
                备注
              </Button>
            </Can>
          )}
        </Flex>
      )}
    </article>
  )
}

/** Names what was done, the place first: `大堂 · 关 · 8 盏`. A task of an earlier version has only its title. */
export const formatTaskHead = ({ title, place, action, total, unit }: ControlTask) =>
  place ? [place, action, total > 1 && `${total} ${unit}`].filter(Boolean).join(' · ') : title

/** Shows an unanswered command at the place of its future task. */
const UnansweredCommand = ({ command: { title, state } }: { command: InFlightCommand }) => (
  <article className={styles.task} aria-label={title}>
    <strong className={styles.title} title={title}>
      {title}
    </strong>
    <div role="status">
      <Tag color={state === 'sending' ? 'processing' : 'warning'}>{inFlightText[state]}</Tag>
    </div>
  </article>
)

/** Shows the result of a task: the state of its only device, or how many devices ended in which state. */
export const TaskResult = ({ task }: { task: ControlTask }) =>
  task.total === 1 ? <SingleResult task={task} /> : <ResultCounts task={task} />

function ResultCounts({ task }: { task: ControlTask }) {
  const { counts, status, total } = task
  const failed = counts.failed + counts.timeout
  return (
    <Flex wrap gap={4} align="center">
      <Tag color="success">成功 {counts.success}</Tag>
      {counts.confirmed > 0 && <Tag color="warning">已确认（未上报） {counts.confirmed}</Tag>}
      {failed > 0 && <Tag color="error">失败 {failed}</Tag>}
      {counts.unknown > 0 && <Tag color="warning">结果未知 {counts.unknown}</Tag>}
      {counts.overridden > 0 && <Tag color="warning">被覆盖 {counts.overridden}</Tag>}
      {counts.skipped > task.held && <Tag>跳过 {counts.skipped - task.held}</Tag>}
      {task.held > 0 && <Tag>手动保持 {task.held}</Tag>}
      {counts.cancelled > 0 && <Tag>取消 {counts.cancelled}</Tag>}
      {status === 'running' && (
        <Tag color="processing">进行中 {total - countFinishedEntries(task)}</Tag>
      )}
    </Flex>
  )
}

/** Shows the result of a task with one device. */
function SingleResult({ task: { counts } }: { task: ControlTask }) {
  const states = Object.keys(ledgerStateText) as LedgerState[]
  const state = states.find((candidate) => counts[candidate] > 0)
  if (!state) return null
  const hasFailed = state === 'failed' || state === 'timeout'
  return (
    <div className={hasFailed ? styles.bad : styles.plain}>
      {ledgerStateText[state === 'queued' ? 'sent' : state]}
    </div>
  )
}

/** @deprecated Use {@link ControlTaskList}; kept for remotes that were built before. */
export const Tasks = ControlTaskList
