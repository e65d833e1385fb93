import CaretRightOutlined from '@ant-design/icons/CaretRightOutlined'
import CloseOutlined from '@ant-design/icons/CloseOutlined'
import PauseOutlined from '@ant-design/icons/PauseOutlined'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import Button from 'antd/es/button'
import ConfigProvider from 'antd/es/config-provider'
import Input from 'antd/es/input'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { formatPageTime } from '@iot/shared/client/zone'
import { formatPower, formatTemperature } from '@iot/shared/contract/control/measuredText'
import type { FloorMeasure, SpaceLights } from '@iot/shared/contract/device/device.schema'
import type { Space } from '@iot/shared/contract/project/project.schema'
import type { LightStateCounts } from '@iot/shared/plan/lights'
import { sumLightCounts, type SpaceTree } from '@iot/shared/plan/spaces'
import { maxChoicesWithoutSearch } from '@iot/shared/ui/choiceStrip'
import { OpenIncidents } from '@iot/shared/ui/openIncidents'
import { useComposedText } from '@iot/shared/ui/composition'
import { Select } from '@iot/shared/ui/select'
import { useOpenIncidents, type OpenIncidentsData } from '@iot/shared/ui/useOpenIncidents'
import { useServerTime } from '@iot/shared/ui/useServerTime'
import { matchesWords } from '@iot/shared/contract/matchesWords'
import { AlertSettings } from '../../layout/alerts/AlertSettings'
import { LitBar, useFloorMeasures } from './FloorMatrix'
import * as styles from './wall.module.css'

type WallDisplayProps = {
  projectId: number
  projectName: string
  tree: SpaceTree
  floor?: Space
  counts: ReadonlyMap<string, SpaceLights>
  /** Why the project reports no alarms at all. */
  quietReason?: string
  onShow: (floorId: string) => void
  onClose: () => void
  children: ReactNode
}

const paceOptions = [10, 20, 30, 60]
const openPopupSelector = '.ant-popover, .ant-popover-open, .ant-select-open'

/** Shows one floor after another with its incidents on a wall display. Nothing can be switched here. */
export default function WallDisplay({
  projectId,
  projectName,
  tree,
  floor,
  counts,
  quietReason,
  onShow,
  onClose,
  children,
}: WallDisplayProps) {
  const wallRef = useRef<HTMLDivElement>(null)
  const measures = useFloorMeasures(projectId)
  const [paceSeconds, setPaceSeconds] = useState(20)
  const [isPaused, setPaused] = useState(false)
  const now = useServerTime(1000)
  const floors = tree.children(null).flatMap(({ id }) => tree.floorsOf(id))
  useFloorTour({ floors, floor, paceSeconds, isPaused, onShow })
  useFullScreen(wallRef, onClose)

  const incidents = useOpenIncidents({ projectId })

  return (
    <div
      ref={wallRef}
      className={styles.wall}
      role="dialog"
      aria-label="大屏"
      tabIndex={-1}
      onKeyDown={({ key, target }) =>
        // Escape first closes an open popup, and leaves the wall only if there is none.
        key === 'Escape' && !(target as Element).closest(openPopupSelector) && onClose()
      }
    >
      <header className={styles.head}>
        <h2>
          {projectName}
          {floor && <small>{tree.nameOf(floor.id)}</small>}
        </h2>
        <Metrics
          lights={sumLightCounts(tree, counts)}
          measure={floor && measures.of(floor.id)}
          incidentCount={incidents.total}
        />
        <time>{formatPageTime(now, 'HH:mm')}</time>
        <Select
          aria-label="每层停留"
          value={paceSeconds}
          onChange={setPaceSeconds}
          getPopupContainer={() => wallRef.current!}
          options={paceOptions.map((value) => ({ value, label: `${value} 秒` }))}
        />
        <Button
          icon={isPaused ? <CaretRightOutlined /> : <PauseOutlined />}
          aria-label={isPaused ? '继续巡游' : '停在这一层'}
          onClick={() => setPaused(!isPaused)}
        />
        <ConfigProvider getPopupContainer={() => wallRef.current!}>
          <AlertSettings />
        </ConfigProvider>
        <Button icon={<CloseOutlined />} aria-label="退出大屏" onClick={onClose} />
      </header>
      <div className={styles.plan}>{children}</div>
      <div className={styles.side}>
        <FloorList {...{ tree, floor, floors, counts, onShow }} />
        <IncidentList {...{ incidents, quietReason }} />
      </div>
    </div>
  )
}

type FloorTourOptions = Pick<WallDisplayProps, 'floor' | 'onShow'> & {
  floors: Space[]
  paceSeconds: number
  isPaused: boolean
}

/** Shows the next floor after each pace, and the first one if no floor is shown. */
function useFloorTour({ floors, floor, paceSeconds, isPaused, onShow }: FloorTourOptions) {
  const floorIndex = floors.findIndex(({ id }) => id === floor?.id)
  const nextId = floors[(floorIndex + 1) % floors.length]?.id
  const showFloor = useMemoizedFn(onShow)
  useEffect(() => {
    if (floorIndex < 0 && nextId) showFloor(nextId)
    if (isPaused || !nextId) return
    const timer = setTimeout(() => showFloor(nextId), paceSeconds * 1000)
    return () => clearTimeout(timer)
  }, [floorIndex, nextId, paceSeconds, isPaused, showFloor])
}

/** Fills the screen and keeps it awake; leaving full screen closes the wall display. */
function useFullScreen(wallRef: RefObject<HTMLDivElement | null>, onClose: () => void) {
  // Full screen and the wake lock are optional, because a browser may refuse both.
  useEffect(() => {
    wallRef.current?.focus()
    wallRef.current?.requestFullscreen?.().catch(() => {})
    const wakeLockRequest = navigator.wakeLock?.request('screen').catch(() => undefined)
    return () => {
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
      wakeLockRequest?.then((sentinel) => sentinel?.release()).catch(() => {})
    }
  }, [wallRef])
  const closeWall = useMemoizedFn(onClose)
  useEffect(() => {
    let wasFullScreen = false
    const onFullScreenChange = () => {
      if (document.fullscreenElement) wasFullScreen = true
      else if (wasFullScreen) closeWall()
    }
    document.addEventListener('fullscreenchange', onFullScreenChange)
    return () => document.removeEventListener('fullscreenchange', onFullScreenChange)
  }, [closeWall])
}

type MetricsProps = {
  lights: LightStateCounts
  measure?: FloorMeasure
  incidentCount?: number
}

/** Shows the figures of the project and of the shown floor. */
function Metrics({ lights, measure, incidentCount }: MetricsProps) {
  const metrics = [
    ['亮', `${lights.on}/${lights.total}`],
    ['未知', lights.unknown],
    ['离线', lights.offline],
    ['问题', incidentCount ?? '未知'],
    ['本层温度', measure?.temperature == null ? '未知' : formatTemperature(measure.temperature)],
    ['本层功率', measure?.power == null ? '未知' : formatPower(measure.power)],
  ] as const
  return (
    <dl>
      {metrics.map(([name, value]) => (
        <div
          key={name}
          className={(name === '离线' || name === '问题') && value !== 0 ? styles.bad : ''}
        >
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type FloorListProps = Pick<WallDisplayProps, 'tree' | 'floor' | 'counts' | 'onShow'> & {
  floors: Space[]
}

/** Lists all floors with their lit lamps; a press shows a floor at once. */
function FloorList({ tree, floor, floors, counts, onShow }: FloorListProps) {
  const floorListRef = useRef<HTMLDivElement>(null)
  const [searchText, setSearchText] = useState('')
  const searchWords = useComposedText(searchText)
  const matchingFloors = floors.filter(({ id }) => matchesWords(tree.nameOf(id), searchWords))
  useEffect(() => {
    floorListRef.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [floor?.id])

  return (
    <section aria-label="楼层">
      {floors.length > maxChoicesWithoutSearch && (
        <Input
          className={styles.find}
          allowClear
          prefix={<SearchOutlined />}
          aria-label="查找楼层"
          placeholder={`在 ${floors.length} 层里查找`}
          value={searchText}
          onChange={({ target }) => setSearchText(target.value)}
        />
      )}
      <div ref={floorListRef} className={styles.floors}>
        {matchingFloors.map((matchingFloor) => {
          const lights = sumLightCounts(tree, counts, matchingFloor.id)
          return (
            <button
              key={matchingFloor.id}
              type="button"
              className={matchingFloor.id === floor?.id ? styles.here : ''}
              aria-current={matchingFloor.id === floor?.id || undefined}
              onClick={() => onShow(matchingFloor.id)}
            >
              <span title={tree.nameOf(matchingFloor.id)}>{tree.nameOf(matchingFloor.id)}</span>
              <LitBar {...lights} />
            </button>
          )
        })}
        {matchingFloors.length === 0 && <p>没有找到“{searchText}”</p>}
      </div>
    </section>
  )
}

type IncidentListProps = Pick<WallDisplayProps, 'quietReason'> & { incidents: OpenIncidentsData }

/** Lists the open incidents. Many scroll, which the keyboard reaches only if the region takes the focus. */
function IncidentList({ incidents, quietReason }: IncidentListProps) {
  const { canList, error, total } = incidents
  return (
    <section aria-label="现在有问题" tabIndex={0}>
      <h3>{error ? '数据未更新' : total === 0 ? quietReason || '现在没有问题' : '现在有问题'}</h3>
      {!canList && <p>您没有查看告警的权限，请联系平台管理员</p>}
      <OpenIncidents incidents={incidents} isReadOnly />
    </section>
  )
}
