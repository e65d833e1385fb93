import BulbOutlined from '@ant-design/icons/BulbOutlined'
import ExportOutlined from '@ant-design/icons/ExportOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import ImportOutlined from '@ant-design/icons/ImportOutlined'
import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Progress from 'antd/es/progress'
import { call } from '@iot/shared/client/call'
import { countFinishedItems, outcomeText } from '@iot/shared/contract/sheet/task'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import { DownloadSecrets } from '@iot/shared/ui/takeSecrets'
import { UndoImport } from '@iot/shared/ui/undoImport'
import { useDownloadResult } from '@iot/shared/ui/useMyTasks'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { serverNow } from '@iot/shared/client/serverClock'
import { formatShortTime } from '@iot/shared/client/zone'
import * as styles from './tasks.module.css'

const icons = {
  control: BulbOutlined,
  import: ImportOutlined,
  export: ExportOutlined,
  restore: HistoryOutlined,
}
const formatCount = (count: number) => count.toLocaleString('zh-CN')

type TaskListProps = { tasks: Task[]; failed?: Error; refresh: () => void }

/** Lists the user's recent tasks with progress and result. */
export default function TaskList({ tasks, failed, refresh }: TaskListProps) {
  return (
    // A long list scrolls, so the keyboard must reach it even when no task in it has a button.
    <section className={styles.list} tabIndex={0} aria-label="最近的任务">
      {failed && (
        <LoadErrorAlert why={failed.message} hasRows={tasks.length > 0} onRetry={refresh} />
      )}
      {tasks.length === 0 && !failed && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description="还没有任务；导入、导出和批量控制会列在这里"
        />
      )}
      <ul>
        {tasks.map((task) => (
          <TaskLine key={task.id} task={task} refresh={refresh} />
        ))}
      </ul>
    </section>
  )
}

function TaskLine({ task, refresh }: { task: Task; refresh: () => void }) {
  const { id, kind, title, status, total, reason, file, createTime, doneTime } = task
  const Icon = icons[kind]
  const takeResult = useDownloadResult()
  const isRunning = doneTime === null
  const { run: runAction, loading } = useRequest(
    (sendRequest: () => Promise<unknown>) => sendRequest(),
    {
      manual: true,
      onError: () => {},
    },
  )
  const cancel = () => runAction(() => call(taskApi.cancel, { id }).then(refresh))
  const isFileAvailable = file !== null && Date.parse(file.until) > serverNow()

  return (
    <li aria-label={title}>
      <Icon className={styles.icon} />
      <div className={styles.what}>
        <div className={styles.head}>
          <span className={styles.title} title={title}>
            {title}
          </span>
          <time className={styles.time} dateTime={createTime}>
            {formatShortTime(createTime)}
          </time>
        </div>
        {isRunning && (
          <Progress
            size="small"
            showInfo={false}
            aria-label="进度"
            percent={Math.floor((countFinishedItems(task) / Math.max(1, total)) * 100)}
          />
        )}
        {reason && <div className={styles.reason}>{reason}</div>}
        <div className={styles.foot}>
          <span>{describeTask(task)}</span>
          {isRunning && status === 'running' && (
            <Button type="link" size="small" loading={loading} onClick={cancel}>
              取消
            </Button>
          )}
          {isFileAvailable && (
            <Button
              type="link"
              size="small"
              loading={loading}
              onClick={() => runAction(() => takeResult(task))}
            >
              下载结果
            </Button>
          )}
          {doneTime && <DownloadSecrets task={task} type="link" size="small" />}
          <UndoImport task={task} type="link" size="small" onUndone={refresh} />
          {file && !isFileAvailable && <span>结果文件已过期</span>}
        </div>
      </div>
    </li>
  )
}

/** Describes the progress of a running task or the result of a finished one. */
function describeTask({ kind, status, counts, total, doneTime }: Task) {
  const progressText = `${formatCount(countFinishedItems({ counts }))} / ${formatCount(total)}`
  if (doneTime === null) return status === 'cancelled' ? `正在停止，${progressText}` : progressText
  const outcomeWords = Object.entries(outcomeText).flatMap(([outcome, word]) =>
    counts[outcome] ? [`${word} ${formatCount(counts[outcome])}`] : [],
  )
  const outcome =
    kind === 'export' && !counts.failed
      ? `${formatCount(counts.success ?? 0)} 条`
      : outcomeWords.join('，')
  if (status === 'cancelled') return `已取消，完成 ${progressText}`
  return status === 'failed' ? `完成 ${progressText}` : outcome
}
