import useRequest from 'ahooks/es/useRequest'
import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import { serverNow } from '@iot/shared/client/serverClock'
import { severityText, type AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import { getPastTime, minuteMs } from '@iot/shared/contract/duration'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import type { AlarmIncident } from '@iot/shared/contract/alarm/incident.schema'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { userInfoAtom } from '@iot/shared/session/user'
import { alertsAtom, defaultSeverities } from './alerts'
import { useAnnounce, type Announcement } from './announce'

const pollIntervalMs = 10_000
/** An incident that opened while no page was open, as during a reload, is announced this long afterwards. */
const announceWithinMs = 10 * minuteMs
const maxIncidentsPerPoll = 50
/** Incidents of the platform itself belong to this project. */
const platformProjectId = 0

/** Sounds and notifies for new incidents of the chosen severities in the project, on every page. */
export default function Alerts() {
  const { severities = defaultSeverities, sound, notify } = useAtomValue(alertsAtom)
  const projectId = useAtomValue(currentProjectIdAtom)
  const hasProject = useAtomValue(projectsAtom).some(({ id }) => id === projectId)
  const canList = useCan()(incidentApi.page)
  const isOn = severities.length > 0 && (sound || notify)
  return (
    isOn &&
    hasProject &&
    canList && <AlertListener key={projectId} projectId={projectId} severities={severities} />
  )
}

type AlertListenerProps = { projectId: number; severities: AlarmSeverity[] }

function AlertListener({ projectId, severities }: AlertListenerProps) {
  const seesAllProjects = useAtomValue(userInfoAtom)?.seesAllProjects ?? false
  const { announce, forget } = useAnnounce()
  useRequest(
    async () => {
      const openedFrom = getPastTime(announceWithinMs, serverNow())
      const projectIds = seesAllProjects ? [projectId, platformProjectId] : [projectId]
      const pages = await Promise.all(
        projectIds.map((id) => readNewIncidents(id, severities, openedFrom)),
      )
      return pages.flat()
    },
    {
      refreshDeps: [seesAllProjects, severities],
      pollingInterval: pollIntervalMs,
      // An operator is alerted while another window is in front.
      pollingWhenHidden: true,
      onSuccess(incidents) {
        const announcements = incidents.map(toAnnouncement)
        const openKeys = new Set(announcements.map(({ key }) => key))
        forget(({ key }) => !openKeys.has(key))
        announce(announcements)
      },
      // Home and the list of incidents show that reading fails.
      onError: () => {},
    },
  )
  return null
}

async function readNewIncidents(projectId: number, severities: AlarmSeverity[], from: string) {
  const query = {
    projectId,
    status: 'open' as const,
    from,
    pageNo: 1,
    pageSize: maxIncidentsPerPoll,
  }
  const { list } = await call(incidentApi.page, query, { quiet: true })
  return list.filter(({ severity }) => severities.includes(severity))
}

const toAnnouncement = ({
  id,
  severity,
  title,
  place,
  projectName,
}: AlarmIncident): Announcement => ({
  key: id,
  subject: id,
  title: `【${severityText[severity]}】告警：${title}`,
  text: [place, projectName].filter(Boolean).join('\n'),
  path: `${paths.system.alarm.incident()}/${id}`,
  isOver: false,
})
