import useRequest from 'ahooks/es/useRequest'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Segmented from 'antd/es/segmented'
import Skeleton from 'antd/es/skeleton'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { getWeekdayName } from '@iot/shared/contract/project/calendarDay'
import { previewDays } from '@iot/shared/contract/control/scene'
import type { Timing, Trigger } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { listConditionDeviceIds, explainDeadTrigger } from '@iot/shared/contract/control/sceneText'
import { RetryAlert } from '@iot/shared/ui/retryAlert'
import * as styles from './scene.module.css'

const timingFields = [
  ...['triggers', 'calendarId', 'dayMode', 'dayTypes'],
  ...['silenceMinutes', 'quietFrom', 'quietTo'],
]

/** Previews the runs of the next sixty days with the current form values, and explains why there are none. */
export function SchedulePreview({ projectId, id }: { projectId: number; id?: string }) {
  const form = Form.useFormInstance()
  const values = Form.useWatch((all: Record<string, unknown>) => all, form) ?? {}
  const timing = Object.fromEntries(
    timingFields.map((name) => [name, values[name] ?? null]),
  ) as unknown as Timing
  const key = JSON.stringify(timing)
  const timeTriggers = (timing.triggers ?? []).filter(
    (trigger) => trigger && trigger.kind !== 'condition',
  )
  const deadCondition = useUnsatisfiableCondition(projectId, timing.triggers ?? [])
  const [rowFilter, setRowFilter] = useState<'all' | 'told'>('all')
  const { data, error, refresh } = useRequest(
    () =>
      call(sceneApi.preview, { ...timing, triggers: timeTriggers, projectId, id }, { quiet: true }),
    { refreshDeps: [key], debounceWait: 400, ready: timeTriggers.length > 0 },
  )
  if (timeTriggers.length === 0)
    return (
      <span className={styles.hint} role="status">
        没有定时触发：{deadCondition ? `${deadCondition}，只能手动执行` : '只按条件或手动执行'}
      </span>
    )
  if (error) return <RetryAlert type="info" title={error.message} onRetry={refresh} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />
  const list = data.list.filter(({ reason }) => rowFilter === 'all' || reason !== '')
  const isDisabled = values.status === 'disabled'
  const runCount = data.list.filter((candidate) => candidate.runs).length
  return (
    <Flex vertical gap={8}>
      <Flex gap={8} justify="space-between" align="center" wrap>
        <span role="status">
          {data.held && `${data.held}。${isDisabled ? '场景也已禁用；都解除后，' : '不受此限时，'}`}
          {isDisabled && !data.held && '已禁用，启用后'}未来 {previewDays} 天执行 {runCount}
          {data.more ? ' 次以上' : ' 次'}
          {deadCondition && `；${deadCondition}`}
          {data.unpublished.map((year) => `；本版本没有 ${year} 年的放假安排，暂按周末推算`)}
        </span>
        <Segmented
          size="small"
          value={rowFilter}
          onChange={setRowFilter}
          options={[
            { value: 'all', label: '全部' },
            { value: 'told', label: '有说明的' },
          ]}
        />
      </Flex>
      {list.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有特别的日子" />
      ) : (
        <ul className={styles.preview} aria-label="未来的执行" tabIndex={0}>
          {list.map(({ date, time, runs, reason }) => (
            <li key={date + time} className={runs ? undefined : styles.not}>
              <span>{date.slice(5)}</span>
              <span>{getWeekdayName(date)}</span>
              <span>{time}</span>
              <span>{runs ? '执行' : '不执行'}</span>
              <span>{reason}</span>
            </li>
          ))}
        </ul>
      )}
    </Flex>
  )
}

/** Finds a condition that can never hold with the current form values; it finds none until the devices are known. */
function useUnsatisfiableCondition(projectId: number, triggers: Trigger[]) {
  // A new row has no device yet, which its own field reports.
  const completeConditions = triggers.filter(
    (trigger) =>
      trigger?.kind === 'condition' && trigger.conditions.every((each) => each?.deviceId),
  )
  const ids = listConditionDeviceIds(completeConditions)
  const { data } = useRequest(() => call(sceneApi.devices, { projectId, ids }, { quiet: true }), {
    refreshDeps: [projectId, ids.join()],
    ready: ids.length > 0,
  })
  if (!data || ids.length === 0) return undefined
  const deviceById = new Map(data.map((device) => [device.id, device]))
  return completeConditions
    .map((condition) => explainDeadTrigger(condition, deviceById))
    .find(Boolean)
}
