import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Skeleton from 'antd/es/skeleton'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { formatAge } from '../client/age'
import { call, ignoreHandled } from '../client/call'
import { formatShortTime } from '../client/zone'
import { severityText, type AlarmSeverity } from '../contract/alarm/alarmSeverity'
import { incidentApi } from '../contract/alarm/incident.api'
import type { AlarmIncident } from '../contract/alarm/incident.schema'
import { paths } from '../screens/paths'
import { useCan } from '../session/can'
import { userInfoAtom } from '../session/user'
import { useFeedback } from './feedback'
import { lazyDialog } from './lazyPart'
import { Can, RowActions, RowLink, type RowAction } from './right'
import { maxListedIncidents, type OpenIncidentsData } from './useOpenIncidents'
import { LoadErrorAlert } from './usePage'
import { useServerTime } from './useServerTime'
import * as styles from './openIncidents.module.css'

const NoteDialog = lazyDialog(() => import('./noteDialog'))

const snoozeChoices = { 30: '30 分钟', 120: '2 小时', 480: '8 小时', 1440: '1 天' }

type OpenIncidentsProps = {
  incidents: OpenIncidentsData
  /** Stands instead of the list if there is no incident; without it nothing does. */
  emptyText?: string
  /** A wall display offers no actions. */
  isReadOnly?: boolean
  /** Shows the subject of an incident on the floor plan. */
  onLocate?: (incident: AlarmIncident) => void
}

/** Lists incidents by severity with what they affect, and lets the user acknowledge, snooze and take them. */
export function OpenIncidents({
  incidents,
  emptyText,
  isReadOnly = false,
  onLocate,
}: OpenIncidentsProps) {
  const { canList, list, total = 0, error, refresh } = incidents
  const now = useServerTime()
  if (!canList) return null
  if (!list && !error) return emptyText ? <Skeleton active title={false} /> : null
  if (list?.length === 0 && !error && !emptyText) return null
  return (
    <section aria-label="告警" className={styles.incidents}>
      {error && <LoadErrorAlert why={error.message} hasRows={!!list} onRetry={refresh} />}
      {list?.length === 0 && !error && <p className={styles.facts}>{emptyText}</p>}
      {(Object.keys(severityText) as AlarmSeverity[]).map((severity) => {
        const rows = list?.filter((row) => row.severity === severity) ?? []
        return (
          rows.length > 0 && (
            <div key={severity} className={styles.group}>
              <h3 className={severity === 'critical' || severity === 'major' ? styles.bad : ''}>
                {severityText[severity]} {rows.length}
              </h3>
              <ul>
                {rows.map((row) => (
                  <IncidentLine key={row.id} {...{ row, now, isReadOnly, refresh, onLocate }} />
                ))}
              </ul>
            </div>
          )
        )
      })}
      {total > maxListedIncidents && (
        <p className={styles.facts}>
          还有 {total - maxListedIncidents} 条，
          <RowLink to={incidentApi.page} at={paths.system.alarm.incident()} name="查看全部" />
        </p>
      )}
    </section>
  )
}

type IncidentLineProps = Required<Pick<OpenIncidentsProps, 'isReadOnly'>> &
  Pick<OpenIncidentsProps, 'onLocate'> & { row: AlarmIncident; now: number; refresh: () => void }

function IncidentLine({ row, now, isReadOnly, refresh, onLocate }: IncidentLineProps) {
  const { id, title, status, place, deviceCount, openedTime, assigneeName, snoozedUntil } = row
  const { acknowledge, actions, addNote, isSending } = useIncidentActions(row, refresh)
  const [isNoting, setNoting] = useState(false)
  const can = useCan()
  // Users who may only read incidents get no actions, because every row would show only disabled ones.
  const canHandle = can(incidentApi.acknowledge) || can(incidentApi.addNote)
  const noteAction = { label: '加备注', to: incidentApi.addNote, onClick: () => setNoting(true) }
  const menu: RowAction[] = [
    ...(onLocate && row.floorId
      ? [{ label: '在平面图上查看', to: incidentApi.get, onClick: () => onLocate(row) }]
      : []),
    ...(canHandle ? [...actions, noteAction] : []),
  ]
  const facts = [
    place && !title.startsWith(place) && place,
    deviceCount > 1 && `影响 ${deviceCount} 台`,
    formatAge(openedTime, now),
    status === 'acknowledged' && `${row.acknowledgedBy} 已确认`,
    assigneeName && `负责人 ${assigneeName}`,
    snoozedUntil && `暂停提醒至 ${formatShortTime(snoozedUntil)}`,
  ]
  return (
    <li className={styles.line} data-status={status}>
      <div className={styles.what}>
        {isReadOnly ? (
          <b>{title}</b>
        ) : (
          <RowLink
            to={incidentApi.get}
            at={`${paths.system.alarm.incident()}/${id}`}
            name={title}
          />
        )}{' '}
        <span className={styles.facts}>{facts.filter(Boolean).join(' · ')}</span>
      </div>
      {!isReadOnly && (
        <RowActions name={title} more={menu}>
          {canHandle && status === 'open' && (
            <Can to={incidentApi.acknowledge}>
              <Button
                type="link"
                size="small"
                aria-label={`确认 ${title}`}
                loading={isSending}
                onClick={acknowledge}
              >
                确认
              </Button>
            </Can>
          )}
        </RowActions>
      )}
      {isNoting && (
        <NoteDialog
          title={`备注 ${title}`}
          okText="加上"
          label="备注"
          isRequired
          onSubmit={addNote}
          onClose={() => setNoting(false)}
        />
      )}
    </li>
  )
}

function useIncidentActions(
  { id, version, assigneeId, snoozedUntil }: AlarmIncident,
  refresh: () => void,
) {
  const { message } = useFeedback()
  const user = useAtomValue(userInfoAtom)
  const { run, loading } = useRequest(
    // The list is read again after a failure, too, because somebody else may have been faster.
    (send: () => Promise<unknown>) => send().catch(ignoreHandled).finally(refresh),
    { manual: true },
  )
  const acknowledge = () =>
    run(async () => {
      const [answer] = await call(incidentApi.acknowledge, { ids: [id] })
      if (answer && !answer.ok) message.warning(answer.reason)
    })
  const snooze = (minutes: number) => () =>
    run(() => call(incidentApi.snooze, { id, version, minutes }))
  const assign = (nextAssigneeId: string | null) => () =>
    run(() => call(incidentApi.assign, { id, version, assigneeId: nextAssigneeId }))
  const isMine = user !== null && assigneeId === user.id
  const actions: RowAction[] = [
    {
      label: isMine ? '不再由我负责' : '由我负责',
      to: incidentApi.assign,
      onClick: assign(isMine || !user ? null : user.id),
    },
    ...(snoozedUntil
      ? [{ label: '恢复提醒', to: incidentApi.snooze, onClick: snooze(0) }]
      : Object.entries(snoozeChoices).map(([minutes, text]) => ({
          label: `暂停提醒 ${text}`,
          to: incidentApi.snooze,
          onClick: snooze(Number(minutes)),
        }))),
  ]
  const addNote = (note: string) => call(incidentApi.addNote, { id, note }).finally(refresh)
  return { acknowledge, actions, addNote, isSending: loading }
}
