import useRequest from 'ahooks/es/useRequest'
import Drawer from 'antd/es/drawer'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { runStatusText } from '@iot/shared/contract/control/scene'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { LedgerTable } from '@iot/shared/control/ledger'
import { RetryAlert } from '@iot/shared/ui/retryAlert'
import * as styles from './scene.module.css'

const runIntervalMs = 1000

type TrialResultProps = {
  scene: { id: string; name: string }
  /** The first task of the run; a scene with delays has further ones. */
  taskId: string
  onClose: () => void
}

/** Says what a trial run does to each device, while it runs and afterwards. */
export default function TrialResult({ scene, taskId, onClose }: TrialResultProps) {
  const { run, error, refresh } = useRun(scene.id, taskId)
  return (
    <Drawer open title={`试运行场景“${scene.name}”的结果`} size={720} onClose={onClose}>
      {error && <RetryAlert type="warning" title={error.message} onRetry={refresh} />}
      {!run && !error && <Skeleton active paragraph={{ rows: 6 }} />}
      {run && (
        <Flex vertical gap={16}>
          <span role="status" className={run.status === 'failed' ? styles.bad : undefined}>
            {runStatusText[run.status]}
            {run.reason && `：${run.reason}`}
          </span>
          {run.tasks.map((task) => (
            <section key={task.id} aria-label={task.title}>
              {run.tasks.length > 1 && <p className={styles.hint}>{task.title}</p>}
              <LedgerTable task={task} />
            </section>
          ))}
        </Flex>
      )}
    </Drawer>
  )
}

/** Reads the run that a task belongs to, again and again until it has ended. */
function useRun(sceneId: string, taskId: string) {
  const [isOver, setOver] = useState(false)
  const { data, error, refresh } = useRequest(
    async () => {
      const { list } = await call(sceneApi.runs, { id: sceneId }, { quiet: true })
      return list.find(({ tasks }) => tasks.some(({ id }) => id === taskId))
    },
    {
      pollingInterval: isOver ? 0 : runIntervalMs,
      onSuccess: (run) => setOver(!!run?.doneTime),
    },
  )
  return { run: data, error, refresh }
}
