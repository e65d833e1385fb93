import {
  BulbOutlined,
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  DisconnectOutlined,
  SaveOutlined,
  ScheduleOutlined,
  ToolOutlined,
} from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import type { ActionMode, Problem, ProblemKind } from '@iot/shared/contract/device.schema'
import { edgeHostApi } from '@iot/shared/contract/edgeHost.api'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { lightSwitchIdentifier } from '@iot/shared/contract/light'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice.api'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { Can } from '@iot/shared/ui/right'
import { formatAge } from '@iot/shared/client/age'
import { serverNow } from '@iot/shared/client/serverClock'
import { hasStrictMode } from './bulkActions'
import { AlertSettings } from '../../layout/alerts/AlertSettings'
import { ShiftButton } from './shift/ShiftButton'
import { useUnreported } from './incidents/useUnreported'
import { problemKindText, type Problems } from '../../layout/alerts/useProblems'
import * as styles from './problems.module.css'

type ProblemStripProps = {
  problems: Problems
  projectId: number
  tree: SpaceTree
  busy: boolean
  /** Shows all incidents at once, on as many lines as needed. */
  wrapped?: boolean
  /** The strip covers only the part of the project with this name; incidents of the whole project are then left out. */
  where?: string
  modes: ActionMode[]
  onShow: (problem: Problem) => void
  onAsk: (action: ControlConfirmation) => void
}

const icons: Record<ProblemKind, React.ReactNode> = {
  edge: <DisconnectOutlined />,
  fault: <ToolOutlined />,
  failed: <CloseCircleOutlined />,
  timeout: <ClockCircleOutlined />,
  scene: <ScheduleOutlined />,
  backup: <SaveOutlined />,
  offline: <DisconnectOutlined />,
  lit: <BulbOutlined />,
}

const emptyProblem = {
  name: '',
  spaceId: '',
  reason: '',
  since: null,
  deviceIds: [],
  incidentId: null,
}

/** Lists the open incidents, the most severe first, each with a link to its location. */
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
  const [now, setNow] = useState(serverNow)
  const [isShiftOpen, setShiftOpen] = useState(false)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const areaPrefix = where && `${where}：`
  const shiftButton = !where && (
    <ShiftButton
      {...{ projectId, tree, problems }}
      isOpen={isShiftOpen}
      onOpen={setShiftOpen}
      onLocate={(id, floorId) => onShow({ ...emptyProblem, kind: 'offline', id, floorId })}
    />
  )
  const total = unreported.unreportedTotal + unreported.incidentTotal
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
  if (!list || !unreported.list)
    return (
      <div className={styles.strip} aria-busy={!error}>
        {readFailure || <strong>{areaPrefix}现在有问题</strong>}
        {error && shiftButton}
      </div>
    )
  const hiddenCount = unreported.unreportedTotal - unreported.list.length

  return (
    <div className={`${styles.strip} ${wrapped ? styles.wrapped : ''}`}>
      {/* No incident in the last successful read says nothing about now, so the line is hidden after a failed read. */}
      {(total > 0 || !error) && (
        <strong className={styles.title}>
          {areaPrefix}
          {total > 0 ? '现在有问题' : quietReason || '现在没有问题'}
          {total > 0 && <span className={styles.total}>{total}</span>}
        </strong>
      )}
      {total === 0 && !error && !quietReason && <CheckCircleOutlined className={styles.fine} />}
      {inactive > 0 && <InactiveCount count={inactive} isWhole={!where} />}
      {readFailure}
      <ul className={styles.list} aria-label="现在有问题">
        {unreported.list.map((problem) => (
          <li key={problem.kind + problem.id}>
            <ProblemEntry
              problem={problem}
              place={getPlaceName(problem, tree)}
              now={now}
              onPress={() => (problem.kind === 'scene' ? setShiftOpen(true) : onShow(problem))}
            />
          </li>
        ))}
        {hiddenCount > 0 && <li className={styles.rest}>还有 {hiddenCount} 个</li>}
      </ul>
      <SwitchOffLitPlaces {...{ list, projectId, tree, busy, modes, onAsk }} />
      {shiftButton}
      {!where && <AlertSettings />}
    </div>
  )
}

const getPlaceName = ({ spaceId, floorId }: Problem, tree: SpaceTree) =>
  tree.nameOf(spaceId || floorId || '')

type ProblemEntryProps = { problem: Problem; place: string; now: number; onPress: () => void }

/** Shows one incident; it leads to its place on the floor plan or, without one, to the page of the device. */
function ProblemEntry({ problem, place, now, onPress }: ProblemEntryProps) {
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
  const age = formatAge(since, now)
  const page = floorId ? undefined : getPage(problem)
  const entryProps = {
    className: `${styles.problem} ${kind === 'lit' ? styles.mild : ''}`,
    title: [place, name, `${problemKindText[kind]}：${reason}`, age].filter(Boolean).join(' · '),
    children: (
      <>
        {icons[kind]}
        <b>{kind === 'lit' ? place : name}</b>
        <span>{reason}</span>
        {age && <time>{age}</time>}
      </>
    ),
  }
  return page ? (
    <Link {...entryProps} to={page} />
  ) : (
    <button
      {...entryProps}
      type="button"
      disabled={!floorId && kind !== 'scene'}
      onClick={onPress}
    />
  )
}

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
  // The confirmation is the same as that of the button that switches lamps off.
  const isStrict = hasStrictMode(modes, 'all_off')
  const askToSwitchOff = (deviceIds: string[], name: string) =>
    onAsk({
      title: `关${name}的灯`,
      okText: '关灯',
      request: {
        kind: 'set',
        projectId,
        scope: { kind: 'devices', deviceIds },
        values: { [lightSwitchIdentifier]: 0 },
      },
      spoken: { kind: 'all_off', name },
      ...(isStrict && { confirm: 'strict' }),
    })
  if (lampIds.length === 0) return null
  return (
    <div className={styles.off}>
      <Can to={devicePermissions.bulkControl} unless={busy && '编辑模式下不下发命令'}>
        <Button
          size="small"
          onClick={() =>
            askToSwitchOff(
              lampIds,
              litProblems.length === 1
                ? getPlaceName(litProblems[0]!, tree)
                : `无人的 ${litProblems.length} 处`,
            )
          }
        >
          一键关 {litProblems.length} 处无人的灯
        </Button>
      </Can>
    </div>
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
