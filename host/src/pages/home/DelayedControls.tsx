import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Tag from 'antd/es/tag'
import { serverNow } from '@iot/shared/client/serverClock'
import { delayedControlStatusText, formatDelay } from '@iot/shared/contract/control/delayedControl'
import type { DelayedControl } from '@iot/shared/contract/control/delayedControl.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { minuteMs } from '@iot/shared/contract/duration'
import { formatDayTime } from '@iot/shared/plan/lights'
import { Card } from '@iot/shared/ui/card'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import type { DelayedControls as Delayed } from './useDelayedControls'
import { NoteLine } from './NoteLine'
import * as styles from './noteLine.module.css'

type DelayedControlsProps = { delayed: Delayed }

/** Lists the commands that wait for their time, and those of the last day that were not carried out. */
export default function DelayedControls({ delayed }: DelayedControlsProps) {
  const { list = [], error, refresh, cancel } = delayed
  return (
    <Card title="延时控制" bodyClass={styles.list}>
      {error && <LoadErrorAlert why={error.message} hasRows={list.length > 0} onRetry={refresh} />}
      {list.map((one) => (
        <DelayedControlLine key={one.id} delayed={one} onCancel={cancel} />
      ))}
    </Card>
  )
}

type DelayedControlLineProps = {
  delayed: DelayedControl
  onCancel: (id: string) => Promise<unknown>
}

function DelayedControlLine({ delayed, onCancel }: DelayedControlLineProps) {
  const { id, title, status, dueTime, createByName, reason, isSingle } = delayed
  const { run, loading } = useRequest(() => onCancel(id), { manual: true, onError: () => {} })
  const isWaiting = status === 'waiting'
  return (
    <NoteLine
      title={title}
      kind="延时控制"
      reason={reason}
      action={
        isWaiting ? (
          <Can to={isSingle ? devicePermissions.control : devicePermissions.bulkControl}>
            <Button
              type="link"
              size="small"
              loading={loading}
              aria-label={`取消“${title}”`}
              onClick={run}
            >
              取消
            </Button>
          </Can>
        ) : (
          <Tag color="error">{delayedControlStatusText[status]}</Tag>
        )
      }
    >
      <div>
        {formatDayTime(dueTime)} 执行{isWaiting && `，${formatRemainingTime(dueTime)}`} ·{' '}
        {createByName}
      </div>
    </NoteLine>
  )
}

/** Says when a command starts by the server's clock: `9 分钟后`; `即将执行` in its last minute. */
function formatRemainingTime(dueTime: string) {
  const minutes = Math.floor((Date.parse(dueTime) - serverNow()) / minuteMs)
  return minutes > 0 ? `${formatDelay(minutes)}后` : '即将执行'
}
