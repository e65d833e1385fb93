import { BulbOutlined, ExportOutlined, HistoryOutlined, ImportOutlined } from '@ant-design/icons'
import { useRequest } from 'ahooks'
import { Button, Empty, Progress } from 'antd'
import { call } from '@iot/shared/client/call'
import { doneOf, outcomeText, taskApi, type Task } from '@iot/shared/contract/task'
import { TakeSecrets } from '@iot/shared/ui/takeSecrets'
import { useTakeResult } from '@iot/shared/ui/useMyTasks'
import { FailedLine } from '@iot/shared/ui/usePage'
import { serverNow } from '@iot/shared/client/serverClock'
import { shortTime } from '@iot/shared/client/zone'
import * as styles from './tasks.module.css'

const icons = {
  control: BulbOutlined,
  import: ImportOutlined,
  export: ExportOutlined,
  restore: HistoryOutlined,
}
const shownCount = (count: number) => count.toLocaleString('zh-CN')

type TaskListProps = { tasks: Task[]; failed?: Error; refresh: () => void }

/** Lists the user's recent tasks with progress and result. */
export default function TaskList({ tasks, failed, refresh }: TaskListProps) {
  return (
    <div className={styles.list}>
      {failed && <FailedLine why={failed.message} hasRows={tasks.length > 0} onRetry={refresh} />}
      {tasks.length === 0 && !failed && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description="还没有任务；导入、导出和批量控制会列在这里"
        />
      )}
      <ul>
        {tasks.map((task) => (
          <Line key={task.id} task={task} refresh={refresh} />
        ))}
      </ul>
    </div>
  )
}

function Line({ task, refresh }: { task: Task; refresh: () => void }) {
  const { id, kind, title, status, total, reason, file, createTime, doneTime } = task
  const Icon = icons[kind]
  const take = useTakeResult()
  const isRunning = doneTime === null
  const { run: act, loading } = useRequest((work: () => Promise<unknown>) => work(), {
    manual: true,
    onError: () => {},
  })
  const cancel = () => act(() => call(taskApi.cancel, { id }).then(refresh))
  const isKept = file !== null && Date.parse(file.until) > serverNow()

  return (
    <li aria-label={title}>
      <Icon className={styles.icon} />
      <div className={styles.what}>
        <div className={styles.head}>
          <span className={styles.title} title={title}>
            {title}
          </span>
          <time className={styles.time} dateTime={createTime}>
            {shortTime(createTime)}
          </time>
        </div>
        {isRunning && (
          <Progress
            size="small"
            showInfo={false}
            aria-label="进度"
            percent={Math.floor((doneOf(task) / Math.max(1, total)) * 100)}
          />
        )}
        {reason && <div className={styles.reason}>{reason}</div>}
        <div className={styles.foot}>
          <span>{wordsOf(task)}</span>
          {isRunning && status === 'running' && (
            <Button type="link" size="small" loading={loading} onClick={cancel}>
              取消
            </Button>
          )}
          {isKept && (
            <Button
              type="link"
              size="small"
              loading={loading}
              onClick={() => act(() => take(task))}
            >
              下载结果
            </Button>
          )}
          {doneTime && <TakeSecrets task={task} type="link" size="small" />}
          {file && !isKept && <span>结果文件已过期</span>}
        </div>
      </div>
    </li>
  )
}

/** Describes the progress of a running task or the result of a finished one. */
function wordsOf({ kind, status, counts, total, doneTime }: Task) {
  const done = `${shownCount(doneOf({ counts }))} / ${shownCount(total)}`
  if (doneTime === null) return status === 'cancelled' ? `正在停止，${done}` : done
  const words = Object.entries(outcomeText).flatMap(([outcome, word]) =>
    counts[outcome] ? [`${word} ${shownCount(counts[outcome])}`] : [],
  )
  const outcome = kind === 'export' ? `${shownCount(counts.success ?? 0)} 条` : words.join('，')
  if (status === 'cancelled') return `已取消，完成 ${done}`
  return status === 'failed' ? `完成 ${done}` : outcome
}
