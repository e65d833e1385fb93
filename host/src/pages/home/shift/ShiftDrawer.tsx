import { Drawer, Segmented } from 'antd'
import { useState } from 'react'
import { useHolds } from '../useHolds'
import { kindText } from '../../../layout/alerts/useProblems'
import { HoldLine } from '../Holds'
import { FailedLine } from '@iot/shared/ui/usePage'
import type { ProblemKind } from '@iot/shared/contract/device'
import { serverNow } from '@iot/shared/client/serverClock'
import { beginOfToday, shortTime } from '@iot/shared/client/zone'
import { Changes } from './Changes'
import { Incidents } from './Incidents'
import { UnfinishedScenes } from './UnfinishedScenes'
import type { ShiftProps, useShift } from './useShift'
import * as styles from './shift.module.css'

const periods = { own: '上一班', today: '今天', day: '24 小时' }
type Period = keyof typeof periods

type ShiftDrawerProps = ShiftProps & { shift: ReturnType<typeof useShift>; onClose: () => void }

/** Shows unacknowledged incidents, lasting incidents, and changes by others since the user's last shift. */
export default function ShiftDrawer({
  projectId,
  tree,
  problems,
  shift,
  onLocate,
  onClose,
}: ShiftDrawerProps) {
  const [period, setPeriod] = useState<Period>('own')
  const [opened] = useState(() => ({ today: beginOfToday(), now: serverNow() }))
  const holds = useHolds(projectId, 0)
  const from = {
    own: shift.since,
    today: opened.today.toISOString(),
    day: new Date(opened.now - 24 * 3600_000).toISOString(),
  }[period]
  const counts = Object.entries(problems.counts ?? {}).filter(([, count]) => count > 0)
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  const locate = (deviceId: string, floorId: string) => {
    onClose()
    onLocate(deviceId, floorId)
  }
  const own = shift.isOwn ? '您上次退出以来' : '近 12 小时'

  return (
    <Drawer
      open
      title="交接"
      size={720}
      onClose={onClose}
      extra={
        <Segmented
          value={period}
          onChange={(value: Period) => setPeriod(value)}
          options={Object.entries(periods).map(([value, label]) => ({
            value: value as Period,
            label,
            ...(value === 'own' && { title: own }),
          }))}
        />
      }
    >
      {shift.error && (
        <FailedLine why={shift.error.message} hasRows={!!shift.since} onRetry={shift.refresh} />
      )}
      {from && (
        <p className={styles.since}>
          {shortTime(from)} 以来{period === 'own' && `（${own}）`}：
          <b className={shift.open ? styles.bad : undefined}>{shift.open ?? '—'}</b>{' '}
          条未确认，现在有问题 <b>{problems.counts ? total : '—'}</b>
          {total > 0 &&
            `（${counts.map(([kind, count]) => `${kindText[kind as ProblemKind]} ${count}`).join('、')}）`}
          ，人工保留 <b>{holds.data?.length ?? '—'}</b>
        </p>
      )}
      {from && (
        <>
          <UnfinishedScenes projectId={projectId} />
          <h2 className={styles.title}>设备事件</h2>
          <Incidents {...{ projectId, tree, from }} onLocate={locate} />
          <h2 className={styles.title}>还没有结束的人工保留</h2>
          {holds.error && (
            <FailedLine why={holds.error.message} hasRows={!!holds.data} onRetry={holds.refresh} />
          )}
          {holds.data?.length === 0 && <p className={styles.more}>没有人工保留</p>}
          {holds.data?.map((hold) => (
            <HoldLine key={hold.id} hold={hold} onChanged={holds.refresh} />
          ))}
          <h2 className={styles.title}>谁做了什么</h2>
          <Changes key={from} projectId={projectId} from={from} />
        </>
      )}
    </Drawer>
  )
}
