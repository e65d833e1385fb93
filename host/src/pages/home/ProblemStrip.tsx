import { CheckCircleOutlined, RightOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { severityText } from '@iot/shared/contract/alarmSeverity'
import type { ActionMode, Problem } from '@iot/shared/contract/device.schema'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import type { AlarmIncident } from '@iot/shared/contract/incident.schema'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice.api'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { useServerTime } from '@iot/shared/ui/useServerTime'
import { formatAge } from '@iot/shared/client/age'
import { AlertSettings } from '../../layout/alerts/AlertSettings'
import { MaintenanceNote } from './MaintenanceNote'
import { ShiftButton } from './shift/ShiftButton'
import { useUnreported } from './incidents/useUnreported'
import type { Problems } from '../../layout/alerts/useProblems'
import { createSwitchOffAction } from './problems/createSwitchOffAction'
import { getPlaceName } from './problems/describeProblem'
import { groupBySeverity, type SeverityGroup } from './problems/groupBySeverity'
import { ProblemList, problemIcons } from './problems/ProblemList'
import * as styles from './problems/problems.module.css'

const ProblemDrawer = lazyDialog(() => import('./problems/ProblemDrawer'))

type ProblemStripProps = {
  problems: Problems
  projectId: number
  tree: SpaceTree
  busy: boolean
  /** Lists all incidents instead of the summary that opens them. */
  wrapped?: boolean
  /** The strip covers only the part of the project with this name; incidents of the whole project are then left out. */
  where?: string
  modes: ActionMode[]
  onShow: (problem: Problem) => void
  onAsk: (action: ControlConfirmation) => void
}

/** Sums up the open incidents in one line that opens them, or lists them all. */
export function ProblemStrip({
  problems,
  projectId,
  tree,
  busy,
  wrapped = false,
  where,
  modes,
  onShow,
  onAsk,
}: ProblemStripProps) {
  const { list, error, refresh, inactive = 0, quietReason = '' } = problems
  const unreported = useUnreported(problems, projectId, !where)
  const { counts, incidents, incidentTotal } = unreported
  const now = useServerTime()
  const [isShiftOpen, setShiftOpen] = useState(false)
  const [isListOpen, setListOpen] = useState(false)
  const areaPrefix = where && `${where}：`
  const shiftButton = !where && (
    <ShiftButton {...{ projectId, problems }} isOpen={isShiftOpen} onOpen={setShiftOpen} />
  )
  const total = unreported.unreportedTotal + incidentTotal
  const readFailure = error && (
    <>
      <span className={styles.unread}>
        {total ? '数据未更新' : `${areaPrefix ?? ''}没有读到当前问题`}：{error.message}
      </span>
      <Button size="small" onClick={refresh}>
        重试
      </Button>
    </>
  )
  if (!list || !unreported.list || !counts)
    return (
      <div className={styles.strip} aria-busy={!error}>
        {readFailure || <strong>{areaPrefix}现在有问题</strong>}
        {error && shiftButton}
      </div>
    )
  const groups = groupBySeverity(unreported.list, counts)
  const listProps = {
    groups,
    projectId,
    tree,
    modes,
    busy,
    now,
    onShow,
    onAsk,
    onShowShift: () => setShiftOpen(true),
  }
  const title = `${areaPrefix ?? ''}${total > 0 ? '现在有问题' : quietReason || '现在没有问题'}`

  return (
    <div className={`${styles.strip} ${wrapped ? styles.wrapped : ''}`}>
      {total > 0 && !wrapped ? (
        <ProblemSummary
          {...{ title, total, incidentTotal, groups, tree, now }}
          incident={incidents.list?.[0]}
          first={groups[0]?.problems[0]}
          onOpen={() => setListOpen(true)}
        />
      ) : (
        // No incident in the last successful read says nothing about now, so the line is hidden after a failed read.
        (total > 0 || !error) && (
          <strong className={styles.title}>
            {title}
            {total > 0 && <span className={styles.total}>{total}</span>}
          </strong>
        )
      )}
      {total === 0 && !error && !quietReason && <CheckCircleOutlined className={styles.fine} />}
      {!where && <MaintenanceNote projectId={projectId} />}
      {inactive > 0 && <InactiveCount count={inactive} isWhole={!where} />}
      {readFailure}
      {wrapped && total > 0 && <ProblemList {...listProps} />}
      <div className={styles.tools}>
        <SwitchOffLitPlaces {...{ list, projectId, tree, busy, modes, onAsk }} />
        {shiftButton}
        {!where && <AlertSettings />}
      </div>
      {isListOpen && (
        <ProblemDrawer
          {...listProps}
          incidents={where ? undefined : incidents}
          onClose={() => setListOpen(false)}
        />
      )}
    </div>
  )
}

type ProblemSummaryProps = {
  title: string
  total: number
  incidentTotal: number
  groups: SeverityGroup[]
  /** The most severe incident of the alarm rules. */
  incident?: AlarmIncident
  /** The most severe problem for which no rule has opened an incident. */
  first?: Problem
  tree: SpaceTree
  now: number
  onOpen: () => void
}

/** One line that counts the incidents, then the other problems by severity, and names the first. It opens the list. */
const ProblemSummary = ({
  title,
  total,
  incidentTotal,
  groups,
  incident,
  first,
  tree,
  now,
  onOpen,
}: ProblemSummaryProps) => (
  <button type="button" className={styles.summary} aria-haspopup="dialog" onClick={onOpen}>
    <strong>{title}</strong>
    <span className={styles.total}>{total}</span>
    {incidentTotal > 0 && <span className={styles.count}>告警 {incidentTotal}</span>}
    {groups.map(({ severity, count }) => (
      <span key={severity} className={`${styles.count} ${styles[severity]}`}>
        {severityText[severity]} {count}
      </span>
    ))}
    {incidentTotal > 0 && incident ? (
      <span className={styles.first}>
        <b>{incident.title}</b>
        <time>{formatAge(incident.openedTime, now)}</time>
      </span>
    ) : first ? (
      <span className={styles.first}>
        {problemIcons[first.kind]}
        <b>{first.kind === 'lit' ? getPlaceName(first, tree) : first.name}</b>
        <span>{first.reason}</span>
        <time>{formatAge(first.since, now)}</time>
      </span>
    ) : null}
    <RightOutlined />
  </button>
)

type SwitchOffLitPlacesProps = Pick<
  ProblemStripProps,
  'projectId' | 'tree' | 'busy' | 'modes' | 'onAsk'
> & { list: Problem[] }

/** Switches off the lamps of all places that are lit without anyone being there. */
function SwitchOffLitPlaces({
  list,
  projectId,
  tree,
  busy,
  modes,
  onAsk,
}: SwitchOffLitPlacesProps) {
  const litProblems = list.filter(({ kind }) => kind === 'lit')
  const lampIds = litProblems.flatMap(({ deviceIds }) => deviceIds)
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
              litProblems.length === 1
                ? getPlaceName(litProblems[0]!, tree)
                : `无人的 ${litProblems.length} 处`,
            ),
          )
        }
      >
        一键关 {litProblems.length} 处无人的灯
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
