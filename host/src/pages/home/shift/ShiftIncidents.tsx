import Button from 'antd/es/button'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import { useCan } from '@iot/shared/session/can'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { OpenIncidents } from '@iot/shared/ui/openIncidents'
import type { OpenIncidentsData } from '@iot/shared/ui/useOpenIncidents'
import * as styles from './shift.module.css'

const AckForm = lazyDialog(() => import('./AckForm'))

/** Lists the incidents that the next shift takes over, and acknowledges all that are listed with one note. */
export function ShiftIncidents({ incidents }: { incidents: OpenIncidentsData }) {
  const [idsToAcknowledge, setIdsToAcknowledge] = useState<string[]>()
  const [note, setNote] = useState('')
  const canAcknowledge = useCan()(incidentApi.acknowledge)
  const openIds = (incidents.list ?? [])
    .filter(({ status }) => status === 'open')
    .map(({ id }) => id)
  if (!incidents.canList)
    return <p className={styles.more}>您没有查看告警的权限，请联系平台管理员</p>
  return (
    <>
      {openIds.length > 1 && canAcknowledge && (
        <div className={styles.bar}>
          <span className={styles.grow} />
          <Button size="small" type="primary" onClick={() => setIdsToAcknowledge(openIds)}>
            确认 {openIds.length} 条
          </Button>
        </div>
      )}
      <OpenIncidents incidents={incidents} emptyText="没有未恢复的告警" />
      {idsToAcknowledge && (
        <AckForm
          what={`${idsToAcknowledge.length} 条告警`}
          to={incidentApi.acknowledge}
          send={(draft) => call(incidentApi.acknowledge, { ids: idsToAcknowledge, ...draft })}
          note={note}
          onDone={(_, remainingNote) => {
            setNote(remainingNote)
            incidents.refresh()
          }}
          onClose={() => setIdsToAcknowledge(undefined)}
        />
      )}
    </>
  )
}
