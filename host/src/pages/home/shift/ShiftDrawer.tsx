import { dayMs } from '@iot/shared/contract/duration'
import Drawer from 'antd/es/drawer'
import Segmented from 'antd/es/segmented'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { manualOverridesAtom } from '@iot/shared/session/overrides'
import { useHoldOffNotes } from '../useHoldOffNotes'
import { HeldPlaceLine } from '../HeldPlaces'
import { HoldOffNoteLine } from '../HoldOffNotes'
import { useOpenIncidents } from '@iot/shared/ui/useOpenIncidents'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { serverNow } from '@iot/shared/client/serverClock'
import { startOfToday, formatShortTime } from '@iot/shared/client/zone'
import { ShiftChanges } from './ShiftChanges'
import { HandoverSection } from './HandoverSection'
import { ResolvedIncidents } from './ResolvedIncidents'
import { ShiftIncidents } from './ShiftIncidents'
import { UnfinishedScenes } from './UnfinishedScenes'
import type { ShiftProps, useShift } from './useShift'
import * as styles from './shift.module.css'

const periods = { own: '上一班', today: '今天', day: '24 小时' }
type ShiftPeriod = keyof typeof periods

type ShiftDrawerProps = ShiftProps & { shift: ReturnType<typeof useShift>; onClose: () => void }

/** Shows open and resolved incidents, and changes by others since the user's last shift. */
export default function ShiftDrawer({ projectId, shift, onClose }: ShiftDrawerProps) {
  const [period, setPeriod] = useState<ShiftPeriod>('own')
  const [timesOnOpen] = useState(() => ({ today: startOfToday(), now: serverNow() }))
  const notes = useHoldOffNotes(projectId, 0)
  const overrides = useAtomValue(manualOverridesAtom)
  const from = {
    own: shift.since,
    today: timesOnOpen.today.toISOString(),
    day: new Date(timesOnOpen.now - dayMs).toISOString(),
  }[period]
  const incidents = useOpenIncidents({ projectId })
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
      <HandoverSection projectId={projectId} />
      {shift.error && (
        <LoadErrorAlert why={shift.error.message} hasRows={!!shift.since} onRetry={shift.refresh} />
      )}
      {from && (
        <p className={styles.since}>
          {formatShortTime(from)} 以来{period === 'own' && `（${ownPeriodText}）`}：
          <b className={shift.open ? styles.bad : undefined}>{shift.open ?? '—'}</b>{' '}
          条未确认，未恢复的告警 <b>{incidents.total ?? '—'}</b>
          ，手动保持 <b>{overrides.length}</b>，值班备注 <b>{notes.data?.length ?? '—'}</b>
        </p>
      )}
      {from && (
        <>
          <h2 className={styles.title}>未恢复的告警</h2>
          <ShiftIncidents incidents={incidents} />
          <UnfinishedScenes projectId={projectId} />
          {incidents.canList && (
            <>
              <h2 className={styles.title}>已恢复的告警</h2>
              <ResolvedIncidents key={`resolved ${from}`} projectId={projectId} from={from} />
            </>
          )}
          <h2 className={styles.title}>手动保持</h2>
          {overrides.length === 0 && <p className={styles.more}>没有手动保持</p>}
          {overrides.map((override) => (
            <HeldPlaceLine key={override.id} override={override} />
          ))}
          <h2 className={styles.title}>未解除的值班备注</h2>
          {notes.error && (
            <LoadErrorAlert
              why={notes.error.message}
              hasRows={!!notes.data}
              onRetry={notes.refresh}
            />
          )}
          {notes.data?.length === 0 && <p className={styles.more}>没有值班备注</p>}
          {notes.data?.map((note) => (
            <HoldOffNoteLine key={note.id} hold={note} onChanged={notes.refresh} />
          ))}
          <h2 className={styles.title}>操作记录</h2>
          <ShiftChanges key={from} projectId={projectId} from={from} />
        </>
      )}
    </Drawer>
  )
}
