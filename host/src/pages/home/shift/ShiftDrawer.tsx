import { dayMs } from '@iot/shared/contract/duration'
import { Drawer, Segmented } from 'antd'
import { useState } from 'react'
import { useManualOverrides } from '../useManualOverrides'
import { useUnreported } from '../incidents/useUnreported'
import { problemKindText } from '../../../layout/alerts/useProblems'
import { ManualOverrideLine } from '../ManualOverrides'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import type { ProblemKind } from '@iot/shared/contract/device.schema'
import { serverNow } from '@iot/shared/client/serverClock'
import { startOfToday, formatShortTime } from '@iot/shared/client/zone'
import { ShiftChanges } from './ShiftChanges'
import { ResolvedIncidents } from './ResolvedIncidents'
import { ShiftIncidents } from './ShiftIncidents'
import { UnfinishedScenes } from './UnfinishedScenes'
import type { ShiftProps, useShift } from './useShift'
import * as styles from './shift.module.css'

const periods = { own: '上一班', today: '今天', day: '24 小时' }
type ShiftPeriod = keyof typeof periods

type ShiftDrawerProps = ShiftProps & { shift: ReturnType<typeof useShift>; onClose: () => void }

/** Shows open and resolved incidents, and changes by others since the user's last shift. */
export default function ShiftDrawer({ projectId, problems, shift, onClose }: ShiftDrawerProps) {
  const [period, setPeriod] = useState<ShiftPeriod>('own')
  const [timesOnOpen] = useState(() => ({ today: startOfToday(), now: serverNow() }))
  const overrides = useManualOverrides(projectId, 0)
  const from = {
    own: shift.since,
    today: timesOnOpen.today.toISOString(),
    day: new Date(timesOnOpen.now - dayMs).toISOString(),
  }[period]
  const unreported = useUnreported(problems, projectId)
  const counts = Object.entries(unreported.counts ?? {}).filter(([, count]) => count > 0)
  const total = unreported.unreportedTotal + unreported.incidentTotal
  const totalTexts = [
    unreported.incidentTotal > 0 && `告警 ${unreported.incidentTotal}`,
    ...counts.map(([kind, count]) => `${problemKindText[kind as ProblemKind]} ${count}`),
  ]
  const ownPeriodText = shift.isOwn ? '您上次退出以来' : '近 12 小时'

  return (
    <Drawer
      open
      title="交接"
      size={720}
      onClose={onClose}
      extra={
        <Segmented
          value={period}
          onChange={(value: ShiftPeriod) => setPeriod(value)}
          options={Object.entries(periods).map(([value, label]) => ({
            value: value as ShiftPeriod,
            label,
            ...(value === 'own' && { title: ownPeriodText }),
          }))}
        />
      }
    >
      {shift.error && (
        <LoadErrorAlert why={shift.error.message} hasRows={!!shift.since} onRetry={shift.refresh} />
      )}
      {from && (
        <p className={styles.since}>
          {formatShortTime(from)} 以来{period === 'own' && `（${ownPeriodText}）`}：
          <b className={shift.open ? styles.bad : undefined}>{shift.open ?? '—'}</b>{' '}
          条未确认，现在有问题 <b>{problems.counts ? total : '—'}</b>
          {total > 0 && `（${totalTexts.filter(Boolean).join('、')}）`}
          ，值班备注 <b>{overrides.data?.length ?? '—'}</b>
        </p>
      )}
      {from && (
        <>
          <h2 className={styles.title}>未恢复的告警</h2>
          <ShiftIncidents incidents={unreported.incidents} />
          <UnfinishedScenes projectId={projectId} />
          {unreported.incidents.canList && (
            <>
              <h2 className={styles.title}>已恢复的告警</h2>
              <ResolvedIncidents key={`resolved ${from}`} projectId={projectId} from={from} />
            </>
          )}
          <h2 className={styles.title}>未解除的值班备注</h2>
          {overrides.error && (
            <LoadErrorAlert
              why={overrides.error.message}
              hasRows={!!overrides.data}
              onRetry={overrides.refresh}
            />
          )}
          {overrides.data?.length === 0 && <p className={styles.more}>没有值班备注</p>}
          {overrides.data?.map((override) => (
            <ManualOverrideLine key={override.id} hold={override} onChanged={overrides.refresh} />
          ))}
          <h2 className={styles.title}>操作记录</h2>
          <ShiftChanges key={from} projectId={projectId} from={from} />
        </>
      )}
    </Drawer>
  )
}
