import { useRequest } from 'ahooks'
import { Button, Empty, Flex, Progress, Skeleton, Tag } from 'antd'
import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { ledgerStateText, type ControlTask, type LedgerState } from '../contract/control'
import { holdApi } from '../contract/hold'
import { rights } from '../contract/homeRights'
import { whenText } from '../plan/lights'
import { holdsChangedAtom } from '../session/live'
import { outgoingText, type Outgoing } from '../session/outgoing'
import { Card } from '../ui/card'
import { lazyPart } from '../ui/lazyPart'
import { Right } from '../ui/right'
import { FailedLine } from '../ui/usePage'
import { doneCount } from './result'
import { useCommandRefusal } from './sendCommand'
import { isUndoable, type Tasks as TaskList } from './useTasks'
import * as styles from './tasks.module.css'

const HoldForm = lazyPart(() => import('./holdForm'))
const Ledger = lazyPart(() => import('./ledger'))
const most = 12

type TasksProps = {
  title?: string
  tasks: TaskList
  /** Shows a device on its floor plan. */
  onLocate?: (deviceId: string, floorId: string) => void
}

/** Lists recent control tasks with author, progress and available actions. */
export function Tasks({ title = '最近的控制', tasks: of, onLocate }: TasksProps) {
  const { tasks, outgoing, isKnown, failed, refresh, cancel, retry, undo } = of
  const [opened, setOpened] = useState<string | null>(null)
  const [kept, setKept] = useState<ControlTask>()
  const setChanged = useSetAtom(holdsChangedAtom)
  const shown = tasks.slice(0, most)
  const ledgerOf = tasks.find(({ id }) => id === opened)

  return (
    <Card title={title} bodyClass={styles.list}>
      {failed && <FailedLine why={failed.message} hasRows={shown.length > 0} onRetry={refresh} />}
      {!isKnown && !failed && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      {isKnown && shown.length === 0 && outgoing.length === 0 && !failed && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有控制记录" />
      )}
      {outgoing.map((command) => (
        <Unanswered key={command.key} command={command} />
      ))}
      {shown.map((task) => (
        <Task
          key={task.id}
          task={task}
          onOpen={() => setOpened(task.id)}
          onKeep={() => setKept(task)}
          cancel={cancel}
          retry={retry}
          undo={undo}
        />
      ))}
      {kept && (
        <HoldForm
          task={kept}
          onSaved={() => setChanged((count) => count + 1)}
          onClose={() => setKept(undefined)}
        />
      )}
      {ledgerOf && (
        <Ledger
          task={ledgerOf}
          onLocate={
            onLocate &&
            ((deviceId, floorId) => {
              setOpened(null)
              onLocate(deviceId, floorId)
            })
          }
          onClose={() => setOpened(null)}
        />
      )}
    </Card>
  )
}

type TaskProps = { task: ControlTask; onOpen: () => void; onKeep: () => void } & Pick<
  TaskList,
  'cancel' | 'retry' | 'undo'
>

function Task({ task, onOpen, onKeep, cancel, retry, undo }: TaskProps) {
  const { counts, status, total, title, createTime, createBy, permission, reason } = task
  const { approvedBy } = task
  const failed = counts.failed + counts.timeout
  const isRunning = status === 'running'
  const refusal = useCommandRefusal()
  const right = Object.values(rights).find((one) => one.permission === permission)!
  const { run: act, loading } = useRequest(
    (action: (task: ControlTask) => Promise<unknown>) => action(task),
    { manual: true, onError: () => {} },
  )

  return (
    <article className={styles.task} aria-label={title}>
      <Flex justify="space-between" gap={8}>
        <strong className={styles.title} title={title}>
          {title}
        </strong>
        <span className={styles.time}>
          {whenText(createTime)} {createBy}
        </span>
      </Flex>
      {isRunning && total > 1 && (
        <Progress
          percent={Math.floor((doneCount(task) / Math.max(1, total)) * 100)}
          size="small"
          aria-label="进度"
        />
      )}
      {total === 1 ? <Single task={task} /> : <Counts task={task} />}
      {approvedBy && <div className={styles.reason}>{approvedBy} 同意，含受保护的设备</div>}
      {reason && (
        <div className={styles.reason} title={reason}>
          {reason}
        </div>
      )}
      {(total > 1 || failed > 0 || isUndoable(task) || task.undoneBy) && (
        <Flex wrap className={styles.actions}>
          {total > 1 && (
            <Button type="link" size="small" onClick={onOpen}>
              逐台结果
            </Button>
          )}
          {isRunning && total > 1 && (
            <Right to={right}>
              <Button type="link" size="small" loading={loading} onClick={() => act(cancel)}>
                取消
              </Button>
            </Right>
          )}
          {!isRunning && !task.undoneBy && failed + counts.unknown > 0 && (
            <Right to={right} unless={refusal}>
              <Button type="link" size="small" disabled={loading} onClick={() => act(retry)}>
                重试失败
              </Button>
            </Right>
          )}
          {(isUndoable(task) || task.undoneBy) && (
            <Right to={right} unless={!task.undoneBy && refusal}>
              <Button
                type="link"
                size="small"
                disabled={loading || task.undoneBy !== null}
                onClick={() => act(undo)}
              >
                {task.undoneBy ? '已恢复' : '恢复原状'}
              </Button>
            </Right>
          )}
          {isUndoable(task) && (
            <Right to={holdApi.create}>
              <Button type="link" size="small" onClick={onKeep}>
                保留
              </Button>
            </Right>
          )}
        </Flex>
      )}
    </article>
  )
}

/** Shows an unanswered command at the place of its future task. */
const Unanswered = ({ command: { title, state } }: { command: Outgoing }) => (
  <article className={styles.task} aria-label={title}>
    <strong className={styles.title} title={title}>
      {title}
    </strong>
    <div role="status">
      <Tag color={state === 'sending' ? 'processing' : 'warning'}>{outgoingText[state]}</Tag>
    </div>
  </article>
)

function Counts({ task }: { task: ControlTask }) {
  const { counts, status, total } = task
  const failed = counts.failed + counts.timeout
  return (
    <Flex wrap gap={4} align="center">
      <Tag color="success">成功 {counts.success}</Tag>
      {counts.confirmed > 0 && <Tag color="warning">已确认（未上报） {counts.confirmed}</Tag>}
      {failed > 0 && <Tag color="error">失败 {failed}</Tag>}
      {counts.unknown > 0 && <Tag color="warning">结果未知 {counts.unknown}</Tag>}
      {counts.overridden > 0 && <Tag color="warning">被覆盖 {counts.overridden}</Tag>}
      {counts.skipped > 0 && <Tag>跳过 {counts.skipped}</Tag>}
      {counts.cancelled > 0 && <Tag>取消 {counts.cancelled}</Tag>}
      {status === 'running' && <Tag color="processing">进行中 {total - doneCount(task)}</Tag>}
    </Flex>
  )
}

/** Shows the result of a task with one device. */
function Single({ task: { counts } }: { task: ControlTask }) {
  const states = Object.keys(ledgerStateText) as LedgerState[]
  const state = states.find((one) => counts[one] > 0)
  if (!state) return null
  const isBad = state === 'failed' || state === 'timeout'
  return (
    <div className={isBad ? styles.bad : styles.plain}>
      {ledgerStateText[state === 'queued' ? 'sent' : state]}
    </div>
  )
}
