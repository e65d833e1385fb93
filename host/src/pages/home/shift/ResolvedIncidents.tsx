import useRequest from 'ahooks/es/useRequest'
import Pagination from 'antd/es/pagination'
import Skeleton from 'antd/es/skeleton'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { formatShortTime } from '@iot/shared/client/zone'
import { severityText } from '@iot/shared/contract/alarm/alarmSeverity'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import type { AlarmIncident } from '@iot/shared/contract/alarm/incident.schema'
import { paths } from '@iot/shared/screens/paths'
import { RowLink } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import * as styles from './shift.module.css'

const pageSize = 20

/** Lists the incidents that were resolved since the given time, also those that nobody acknowledged. */
export function ResolvedIncidents({ projectId, from }: { projectId: number; from: string }) {
  const [pageNo, setPageNo] = useState(1)
  const { data, error, refresh } = useRequest(
    () =>
      call(
        incidentApi.page,
        { projectId, status: 'resolved', resolvedFrom: from, sort: '-lastTime', pageNo, pageSize },
        { quiet: true },
      ),
    { refreshDeps: [projectId, from, pageNo] },
  )
  return (
    <section aria-label="已恢复的告警">
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      {data?.total === 0 && <p className={styles.more}>这段时间没有恢复的告警</p>}
      {data?.list.map((incident) => (
        <ResolvedLine key={incident.id} incident={incident} />
      ))}
      <Pagination
        {...{ current: pageNo, pageSize, total: data?.total ?? 0, size: 'small', align: 'end' }}
        hideOnSinglePage
        showSizeChanger={false}
        onChange={setPageNo}
      />
    </section>
  )
}

function ResolvedLine({ incident }: { incident: AlarmIncident }) {
  const { id, title, severity, count, openedTime, resolvedTime, acknowledgedBy } = incident
  const facts = [
    severityText[severity],
    count > 1 && `${count} 次`,
    `${formatShortTime(openedTime)} – ${resolvedTime ? formatShortTime(resolvedTime) : ''}`,
    acknowledgedBy ? `${acknowledgedBy} 已确认` : '未确认',
    incident.resolveReason,
  ]
  return (
    <div className={styles.device}>
      <RowLink to={incidentApi.get} at={`${paths.system.alarm.incident()}/${id}`} name={title} />{' '}
      <span className={styles.more}>{facts.filter(Boolean).join(' · ')}</span>
    </div>
  )
}
