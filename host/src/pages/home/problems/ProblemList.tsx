import {
  BulbOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  DisconnectOutlined,
  SaveOutlined,
  ScheduleOutlined,
  ToolOutlined,
} from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { formatAge } from '@iot/shared/client/age'
import { severityText } from '@iot/shared/contract/alarmSeverity'
import type { ActionMode, Problem, ProblemKind } from '@iot/shared/contract/device.schema'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import { edgeHostApi } from '@iot/shared/contract/edgeHost.api'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice.api'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { Can } from '@iot/shared/ui/right'
import { problemKindText } from '../../../layout/alerts/useProblems'
import { createSwitchOffAction } from './createSwitchOffAction'
import { getPlaceName, problemAdvice } from './describeProblem'
import type { SeverityGroup } from './groupBySeverity'
import * as styles from './problems.module.css'

export const problemIcons: Record<ProblemKind, ReactNode> = {
  edge: <DisconnectOutlined />,
  fault: <ToolOutlined />,
  failed: <CloseCircleOutlined />,
  timeout: <ClockCircleOutlined />,
  scene: <ScheduleOutlined />,
  backup: <SaveOutlined />,
  offline: <DisconnectOutlined />,
  lit: <BulbOutlined />,
}

export type ProblemListProps = {
  groups: SeverityGroup[]
  projectId: number
  tree: SpaceTree
  modes: ActionMode[]
  busy: boolean
  now: number
  onShow: (problem: Problem) => void
  onAsk: (action: ControlConfirmation) => void
  /** Opens the hand-over, where scenes that did not run are acknowledged. */
  onShowShift: () => void
}

/** Lists the open incidents by severity: what, where, since when, and what helps. */
export const ProblemList = ({ groups, ...entryProps }: ProblemListProps) => (
  <div className={styles.groups} role="group" aria-label="现在有问题">
    {groups.map(({ severity, count, problems }) => (
      <section key={severity}>
        <h3 className={styles[severity]}>
          {severityText[severity]}
          <span className={styles.groupCount}>{count}</span>
        </h3>
        <ul className={styles.list} aria-label={severityText[severity]}>
          {problems.map((problem) => (
            <li key={problem.kind + problem.id}>
              <ProblemEntry {...entryProps} problem={problem} />
            </li>
          ))}
          {count > problems.length && (
            <li className={styles.rest}>还有 {count - problems.length} 个</li>
          )}
        </ul>
      </section>
    ))}
  </div>
)

/** Names the kind and the reason; an offline device has no reason beyond its kind. */
const describeReason = (kind: ProblemKind, reason: string) =>
  problemKindText[kind].endsWith(reason)
    ? problemKindText[kind]
    : `${problemKindText[kind]}：${reason}`

type ProblemEntryProps = Omit<ProblemListProps, 'groups'> & { problem: Problem }

/** Leads to the place on the floor plan or, without one, to the page of the device. */
function ProblemEntry({ problem, tree, now, onShow, onShowShift, ...control }: ProblemEntryProps) {
  const can = useCan()
  /** Returns the page of backups, or of a device that is on no floor plan. */
  const getPage = ({ kind, id }: Problem) => {
    if (kind === 'lit' || kind === 'scene') return undefined
    if (kind === 'backup') return paths.system.backup()
    const [api, path] =
      kind === 'edge'
        ? [edgeHostApi, paths.deviceAccess.edgeHost()]
        : [managedDeviceApi, paths.deviceAccess.device()]
    return can(api.get) ? `${path}/${id}` : undefined
  }
  const { kind, name, reason, since, floorId } = problem
  const place = getPlaceName(problem, tree)
  const age = formatAge(since, now)
  const page = floorId ? undefined : getPage(problem)
  const entryProps = {
    className: styles.problem,
    children: (
      <>
        {problemIcons[kind]}
        <span className={styles.what}>
          <span>
            <b>{kind === 'lit' ? place : name}</b>
            <span>{describeReason(kind, reason)}</span>
          </span>
          <small>
            {[kind === 'lit' ? '' : place, problemAdvice[kind]].filter(Boolean).join(' · ')}
          </small>
        </span>
        {age && <time>{age}</time>}
      </>
    ),
  }
  return (
    <div className={styles.entry}>
      {page ? (
        <Link {...entryProps} to={page} />
      ) : (
        <button
          {...entryProps}
          type="button"
          disabled={!floorId && kind !== 'scene'}
          onClick={() => (kind === 'scene' ? onShowShift() : onShow(problem))}
        />
      )}
      {problem.deviceIds.length > 0 && (
        <SwitchOffButton {...control} deviceIds={problem.deviceIds} place={place} />
      )}
    </div>
  )
}

type SwitchOffButtonProps = Pick<ProblemListProps, 'projectId' | 'modes' | 'busy' | 'onAsk'> & {
  deviceIds: string[]
  place: string
}

const SwitchOffButton = ({
  projectId,
  modes,
  busy,
  onAsk,
  deviceIds,
  place,
}: SwitchOffButtonProps) => (
  <Can to={devicePermissions.bulkControl} unless={busy && '编辑模式下不下发命令'}>
    <Button
      size="small"
      aria-label={`关灯，${place}`}
      onClick={() => onAsk(createSwitchOffAction(projectId, modes, deviceIds, place))}
    >
      关灯
    </Button>
  </Can>
)
