import {
  BulbOutlined,
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  DisconnectOutlined,
  ScheduleOutlined,
  ToolOutlined,
} from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import type { ActionMode, Problem, ProblemKind } from '@iot/shared/contract/device'
import { edgeHostApi } from '@iot/shared/contract/edgeHost'
import { rights } from '@iot/shared/contract/homeRights'
import type { Asked } from '@iot/shared/control/confirmControl'
import { lightSwitch } from '@iot/shared/contract/light'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { Right } from '@iot/shared/ui/right'
import { serverNow } from '@iot/shared/client/serverClock'
import { isStrictOf } from './actions'
import { AlertSettings } from '../../layout/alerts/AlertSettings'
import { ShiftButton } from './shift/ShiftButton'
import { kindText, type Problems } from '../../layout/alerts/useProblems'
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
  onAsk: (asked: Asked) => void
}

const icons: Record<ProblemKind, React.ReactNode> = {
  edge: <DisconnectOutlined />,
  fault: <ToolOutlined />,
  failed: <CloseCircleOutlined />,
  timeout: <ClockCircleOutlined />,
  scene: <ScheduleOutlined />,
  offline: <DisconnectOutlined />,
  lit: <BulbOutlined />,
}

const nothing = { name: '', spaceId: '', reason: '', since: null, deviceIds: [] }

/** `刚刚`, `8 分钟`, `3 小时`, `2 天` */
export function ageText(since: string | null, now: number) {
  if (!since) return ''
  const minutes = Math.floor((now - Date.parse(since)) / 60_000)
  if (minutes < 1) return '刚刚'
  if (minutes < 60) return `${minutes} 分钟`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} 小时`
  return `${Math.floor(minutes / 60 / 24)} 天`
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
  const { list, counts, error, refresh, inactive = 0, quietReason = '' } = problems
  const can = useCan()
  /** Returns the page of a device that is on no floor plan. */
  const pageOf = ({ kind, id }: Problem) => {
    if (kind === 'lit' || kind === 'scene') return undefined
    const [api, path] =
      kind === 'edge'
        ? [edgeHostApi, paths.deviceAccess.edgeHost()]
        : [managedDeviceApi, paths.deviceAccess.device()]
    return can(api.get) ? `${path}/${id}` : undefined
  }
  const [now, setNow] = useState(serverNow)
  const [isShiftOpen, setShiftOpen] = useState(false)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const of = where && `${where}：`
  const shift = !where && (
    <ShiftButton
      {...{ projectId, tree, problems }}
      isOpen={isShiftOpen}
      onOpen={setShiftOpen}
      onLocate={(id, floorId) => onShow({ ...nothing, kind: 'offline', id, floorId })}
    />
  )
  const total = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0)
  const unread = error && (
    <>
      <span className={styles.unread}>
        {total ? '没有读到最新的' : `${of ?? ''}没有读到现在的问题`}：{error.message}
      </span>
      <Button size="small" onClick={refresh}>
        重试
      </Button>
    </>
  )
  if (!list || !counts)
    return (
      <div className={styles.strip} aria-busy={!error}>
        {unread || <strong>{of}现在有问题</strong>}
        {error && shift}
      </div>
    )
  const placeOf = ({ spaceId, floorId }: Problem) => tree.nameOf(spaceId || floorId || '')
  const lit = list.filter(({ kind }) => kind === 'lit')
  const lamps = lit.flatMap(({ deviceIds }) => deviceIds)
  // The confirmation is the same as that of the button that switches lamps off.
  const isStrict = isStrictOf(modes, 'all_off')
  const off = (deviceIds: string[], name: string) =>
    onAsk({
      title: `关${name}的灯`,
      okText: '关灯',
      request: {
        kind: 'set',
        projectId,
        scope: { kind: 'devices', deviceIds },
        values: { [lightSwitch]: 0 },
      },
      spoken: { kind: 'all_off', name },
      ...(isStrict && { confirm: 'strict' }),
    })
  const rest = total - list.length

  return (
    <div className={`${styles.strip} ${wrapped ? styles.wrapped : ''}`}>
      {/* No incident in the last successful read says nothing about now, so the line is hidden after a failed read. */}
      {(total > 0 || !error) && (
        <strong className={styles.title}>
          {of}
          {total > 0 ? '现在有问题' : quietReason || '现在没有问题'}
          {total > 0 && <span className={styles.total}>{total}</span>}
        </strong>
      )}
      {total === 0 && !error && !quietReason && <CheckCircleOutlined className={styles.fine} />}
      {inactive > 0 && <Inactive count={inactive} isWhole={!where} />}
      {unread}
      <ul className={styles.list} aria-label="现在有问题">
        {list.map((problem) => {
          const { kind, id, name, reason, since, floorId } = problem
          const place = placeOf(problem)
          const age = ageText(since, now)
          const page = floorId ? undefined : pageOf(problem)
          const shown = {
            className: `${styles.problem} ${kind === 'lit' ? styles.mild : ''}`,
            title: [place, name, `${kindText[kind]}：${reason}`, age].filter(Boolean).join(' · '),
            children: (
              <>
                {icons[kind]}
                <b>{kind === 'lit' ? place : name}</b>
                <span>{reason}</span>
                {age && <time>{age}</time>}
              </>
            ),
          }
          return (
            <li key={kind + id}>
              {page ? (
                <Link {...shown} to={page} />
              ) : (
                <button
                  {...shown}
                  type="button"
                  disabled={!floorId && kind !== 'scene'}
                  onClick={() => (kind === 'scene' ? setShiftOpen(true) : onShow(problem))}
                />
              )}
            </li>
          )
        })}
        {rest > 0 && <li className={styles.rest}>还有 {rest} 个</li>}
      </ul>
      {lamps.length > 0 && (
        <div className={styles.off}>
          <Right to={rights.bulkControl} unless={busy && '编辑模式下不下发命令'}>
            <Button
              size="small"
              onClick={() =>
                off(lamps, lit.length === 1 ? placeOf(lit[0]!) : `无人的 ${lit.length} 处`)
              }
            >
              一键关 {lit.length} 处无人的灯
            </Button>
          </Right>
        </div>
      )}
      {shift}
      {!where && <AlertSettings />}
    </div>
  )
}

/** Counts devices that are registered but have never connected; this is open work, not an incident. */
function Inactive({ count, isWhole }: { count: number; isWhole: boolean }) {
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
