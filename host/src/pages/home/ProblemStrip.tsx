import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import RightOutlined from '@ant-design/icons/RightOutlined'
import Button from 'antd/es/button'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { formatAge } from '@iot/shared/client/age'
import {
  severityRank,
  severityText,
  type AlarmSeverity,
} from '@iot/shared/contract/alarm/alarmSeverity'
import type { ActionMode, Problem } from '@iot/shared/contract/device/device.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { AlarmIncident } from '@iot/shared/contract/alarm/incident.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { userInfoAtom } from '@iot/shared/session/user'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { useOpenIncidents } from '@iot/shared/ui/useOpenIncidents'
import { useServerTime } from '@iot/shared/ui/useServerTime'
import { AlertSettings } from '../../layout/alerts/AlertSettings'
import type { Problems } from './useProblems'
import { MaintenanceNote } from './MaintenanceNote'
import { createSwitchOffAction } from './problems/createSwitchOffAction'
import { getPlaceName } from './problems/getPlaceName'
import * as styles from './problems/problems.module.css'
import { ShiftButton } from './shift/ShiftButton'

const ProblemDrawer = lazyDialog(() => import('./problems/ProblemDrawer'))
const OpenIncidents = lazyPart(async () => ({
  default: (await import('@iot/shared/ui/openIncidents')).OpenIncidents,
}))

export type ProblemStripProps = {
  problems: Problems
  projectId: number
  tree: SpaceTree
  busy: boolean
  /** Lists all incidents instead of the summary that opens them. */
  wrapped?: boolean
  /** Limits the strip to a space or group of the project; `where` is its name. */
  scope?: { spaceId?: string; groupId?: string }
  where?: string
  modes: ActionMode[]
  onLocate: (incident: AlarmIncident) => void
  onAsk: (action: ControlConfirmation) => void
}

/** Sums up the open incidents in one line that opens them, or lists them all. */
export function ProblemStrip({
  problems,
  projectId,
  tree,
  busy,
  wrapped = false,
  scope,
  where,
  modes,
  onLocate,
  onAsk,
}: ProblemStripProps) {
  const { inactive = 0, quietReason = '' } = problems
  const incidents = useOpenIncidents({ projectId, ...scope })
  const { canList, list, total = 0 } = incidents
  const error = incidents.error ?? problems.error
  const now = useServerTime()
  const [isShiftOpen, setShiftOpen] = useState(false)
  const [isListOpen, setListOpen] = useState(false)
  const areaPrefix = where ? `${where}：` : ''
  const litPlaces = problems.list?.filter(({ kind }) => kind === 'lit') ?? []
  const control = { projectId, tree, modes, busy, onAsk }
  const isQuiet = total === 0 && !error
  const title = `${areaPrefix}${total > 0 ? '现在有问题' : quietReason || '现在没有问题'}`

  return (
    <div
      className={`${styles.strip} ${wrapped ? styles.wrapped : ''}`}
      aria-busy={canList && !list && !error}
    >
      {!canList ? (
        <span className={styles.inactive}>{areaPrefix}您没有查看告警的权限，请联系平台管理员</span>
      ) : !list && !error ? (
        <strong>{areaPrefix}现在有问题</strong>
      ) : total > 0 && !wrapped ? (
        <IncidentSummary {...{ title, list, total, now }} onOpen={() => setListOpen(true)} />
      ) : (
        // No incident in the last successful read says nothing about now, so the line is hidden after a failed read.
        (total > 0 || !error) && (
          <strong className={styles.title}>
            {title}
            {total > 0 && <span className={styles.total}>{total}</span>}
          </strong>
        )
      )}
      {canList && list && isQuiet && !quietReason && (
        <CheckCircleOutlined className={styles.fine} />
      )}
      {!where && <MaintenanceNote projectId={projectId} />}
      {!where && <PlatformIncidents />}
      {inactive > 0 && <InactiveCount count={inactive} isWhole={!where} />}
      {error && (
        <>
          <span className={styles.unread}>
            {total ? '数据未更新' : `${areaPrefix}没有读到当前问题`}：{error.message}
          </span>
          <Button size="small" onClick={() => (incidents.refresh(), problems.refresh())}>
            重试
          </Button>
        </>
      )}
      {wrapped && canList && total > 0 && (
        <div className={styles.incidents} role="group" aria-label="现在有问题">
          <OpenIncidents incidents={incidents} onLocate={onLocate} />
        </div>
      )}
      <div className={styles.tools}>
        <SwitchOffLitPlaces places={litPlaces} {...control} />
        {!where && <ShiftButton projectId={projectId} isOpen={isShiftOpen} onOpen={setShiftOpen} />}
        {!where && <AlertSettings />}
      </div>
      {isListOpen && (
        <ProblemDrawer
          {...control}
          {...{ incidents, now, onLocate }}
          places={litPlaces}
          onClose={() => setListOpen(false)}
        />
      )}
    </div>
  )
}

type IncidentSummaryProps = {
  title: string
  /** The first incidents, the most severe before the others. */
  list?: AlarmIncident[]
  total: number
  now: number
  onOpen: () => void
}

/** One line that counts the incidents by severity and names the first. It opens the list. */
function IncidentSummary({ title, list = [], total, now, onOpen }: IncidentSummaryProps) {
  const [first] = list
  return (
    <button type="button" className={styles.summary} aria-haspopup="dialog" onClick={onOpen}>
      <strong>{title}</strong>
      <span className={styles.total}>{total}</span>
      {countBySeverity(list, total).map(([severity, count]) => (
        <span key={severity} className={`${styles.count} ${styles[severity]}`}>
          {severityText[severity]} {count}
        </span>
      ))}
      {first && (
        <span className={styles.first}>
          <b>{first.title}</b>
          <time>{formatAge(first.openedTime, now)}</time>
        </span>
      )}
      <RightOutlined />
    </button>
  )
}

/** Counts incidents by severity, the most severe first. Of a list that is cut, the last severity is not known. */
function countBySeverity(list: AlarmIncident[], total: number) {
  const counts = (Object.keys(severityRank) as AlarmSeverity[])
    .sort((a, b) => severityRank[a] - severityRank[b])
    .map((severity) => [severity, list.filter((row) => row.severity === severity).length] as const)
    .filter(([, count]) => count > 0)
  return list.length < total ? counts.slice(0, -1) : counts
}

/** Incidents of the platform itself belong to no project, so they are counted apart and listed elsewhere. */
function PlatformIncidents() {
  const seesAllProjects = useAtomValue(userInfoAtom)?.seesAllProjects ?? false
  const { total = 0 } = useOpenIncidents({ projectId: 0, ready: seesAllProjects })
  if (total === 0) return null
  return (
    <Link className={styles.platform} to={paths.system.alarm.incident({ projectId: 0 })}>
      平台告警 {total}
    </Link>
  )
}

type SwitchOffLitPlacesProps = Pick<
  ProblemStripProps,
  'projectId' | 'tree' | 'busy' | 'modes' | 'onAsk'
> & { places: Problem[] }

/** Switches off the lamps of all places that are lit without anyone being there. */
function SwitchOffLitPlaces({
  places,
  projectId,
  tree,
  busy,
  modes,
  onAsk,
}: SwitchOffLitPlacesProps) {
  const lampIds = places.flatMap(({ deviceIds }) => deviceIds)
  if (lampIds.length === 0) return null
  return (
    <Can to={devicePermissions.bulkControl} unless={busy && '编辑模式下不下发命令'}>
      <Button
        size="small"
        onClick={() =>
          onAsk(
            createSwitchOffAction(
              projectId,
              modes,
              lampIds,
              places.length === 1 ? getPlaceName(places[0]!, tree) : `无人的 ${places.length} 处`,
            ),
          )
        }
      >
        一键关 {places.length} 处无人的灯
      </Button>
    </Can>
  )
}

/** Counts devices that are registered but have never connected; this is open work, not an incident. */
function InactiveCount({ count, isWhole }: { count: number; isWhole: boolean }) {
  const can = useCan()
  const text = `未激活 ${count} 台`
  return isWhole && can(managedDeviceApi.page) ? (
    <Link className={styles.inactive} to={paths.deviceAccess.device({ state: 'inactive' })}>
      {text}
    </Link>
  ) : (
    <span className={styles.inactive}>{text}</span>
  )
}
