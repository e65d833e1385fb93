import { RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { useKeyPress, useMemoizedFn } from 'ahooks'
import { Button, Flex, Space } from 'antd'
import { useSetAtom } from 'jotai'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { managedDeviceApi, type FloorDevices } from '@iot/shared/contract/managedDevice'
import PlacingPlan, { type PlanHandle } from '@iot/shared/plan/placing/placingPlan'
import { paths } from '@iot/shared/screens/paths'
import { removeDraft, saveDraft, readDraft, unsavedFormPathsAtom } from '@iot/shared/session/drafts'
import { Can, useRefusalReason } from '@iot/shared/ui/right'
import { visuallyHidden } from '@iot/shared/ui/unseen'
import {
  undo,
  createArrangement,
  redo,
  layOutInGrid,
  moveDevices,
  mergeFreshPositions,
  shiftDevices,
  listUnsavedMoves,
  type PlanPosition,
  type DeviceMove,
  type MoveTarget,
} from './arrangement'
import { PlacingConflicts } from './PlacingConflicts'
import { getPlacingDraftKey } from './placingDraft'
import { PlacingNotices } from './PlacingNotices'
import { findRoom, measureRooms } from './rooms'
import { PlacingToolbar } from './PlacingToolbar'
import { DeviceTray } from './DeviceTray'
import { useSavePositions } from './useSavePositions'
import { useLeavePlacing } from './useLeavePlacing'
import * as styles from './placing.module.css'

const { place } = managedDeviceApi
type PlacingBoardProps = { data: FloorDevices; failure?: string; onRefresh: () => void }

const getPositions = ({ devices }: FloorDevices) =>
  new Map(devices.map(({ id, x, y }) => [id, x === null || y === null ? null : { x, y }]))
const listNames = ({ devices }: FloorDevices) =>
  new Map(devices.map(({ id, name }) => [id, name] as const))
const directionByKey: Record<string, PlanPosition> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
/** An arrow key moves a device by this share of the plan's width; with Shift ten times as far. */
const nudgeShare = 0.001
/** Devices that are dropped together lie apart by this share of the plan's width. */
const dropSpacing = 0.04

/**
 * Shows a floor plan and beside it the devices that are not on it yet. Unsaved positions are stored in this browser.
 */
export function PlacingBoard({ data, failure, onRefresh }: PlacingBoardProps) {
  const { floor, projectId } = data
  const refusal = useRefusalReason()
  const readOnly = refusal(place)
  const planRef = useRef<PlanHandle>(null)

  const draftKey = getPlacingDraftKey(floor.id)
  const [storedDraft, setStoredDraft] = useState(() =>
    readOnly ? undefined : readDraft(draftKey, String),
  )
  const [arrangement, setArrangement] = useState(() =>
    createArrangement(getPositions(data), storedDraft?.values.moves as DeviceMove[] | undefined),
  )
  const [lastReadData, setLastReadData] = useState(data)
  // Names are kept after a device has left the floor, so that a failed save can still name a device that a colleague
  // deleted.
  const [names, setNames] = useState(() => listNames(data))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isPicking, setPicking] = useState(false)
  const [announcement, announce] = useState('')

  const byId = useMemo(() => new Map(data.devices.map((one) => [one.id, one])), [data])
  const changes = useMemo(() => listUnsavedMoves(arrangement), [arrangement])
  const isDirty = changes.length > 0
  const unsavedIds = useMemo(() => new Set(changes.map(({ id }) => id)), [changes])
  const dots = useMemo(
    () =>
      data.devices.flatMap(({ id, name, state }) => {
        const at = arrangement.at.get(id)
        return at ? [{ id, name, state, at }] : []
      }),
    [data, arrangement],
  )
  const selectedDevices = [...selected].flatMap((id) => byId.get(id) ?? [])
  const points = selectedDevices.flatMap(({ id }) => {
    const at = arrangement.at.get(id)
    return at ? [{ id, at }] : []
  })
  const unplacedDevices = selectedDevices.filter(({ id }) => !arrangement.at.get(id))

  useEffect(() => {
    if (changes.length > 0) saveDraft(draftKey, floor.id, { moves: changes })
    else removeDraft(draftKey)
  }, [draftKey, floor.id, changes])
  const setUnfinished = useSetAtom(unsavedFormPathsAtom)
  useEffect(() => {
    if (!isDirty) return
    setUnfinished((before) => [...before, draftKey])
    return () => setUnfinished((before) => before.filter((one) => one !== draftKey))
  }, [isDirty, draftKey, setUnfinished])
  const leaveBoard = useLeavePlacing({
    floorId: floor.id,
    projectId,
    isDirty,
    onLeave: () => removeDraft(draftKey, paths.home()),
  })

  /** Rooms are measured from the devices that hang where they were read. */
  const rooms = useMemo(() => {
    const savedPoints = data.devices.flatMap(({ id, spaceId }) => {
      const at = arrangement.at.get(id)
      return at && !unsavedIds.has(id) ? [{ spaceId, at }] : []
    })
    return measureRooms(savedPoints, data.floor.id)
  }, [data, arrangement, unsavedIds])
  const findNewRoom = (id: string, to: PlanPosition) => {
    const room = findRoom(to, rooms)
    return room === byId.get(id)?.spaceId ? undefined : room
  }
  const getNewRoomName = (id: string, to: PlanPosition) => {
    const room = findNewRoom(id, to)
    return data.spaces.find((space) => space.id === room)?.name
  }
  const changePositions = (targets: MoveTarget[], isNudge = false) => {
    if (readOnly) return
    setArrangement((before) => moveDevices(before, targets, isNudge))
    const [first] = targets
    if (targets.length !== 1 || !first?.to) return
    const room = getNewRoomName(first.id, first.to)
    const roomText = room ? `，保存后归入“${room}”` : ''
    announce(`${byId.get(first.id)?.name ?? ''}：${describePosition(first.to)}${roomText}`)
  }
  /**
   * These devices would change their room; the number is shown beside 保存, because the room must not change unnoticed.
   */
  const roomChangeIds = changes.flatMap(({ id, to }) => (to && findNewRoom(id, to) ? [id] : []))
  const dropDevices = (ids: string[], dropPosition: PlanPosition) => {
    const step = {
      x: dropSpacing,
      y: (dropSpacing * (floor.planWidth ?? 1200)) / (floor.planHeight ?? 720),
    }
    changePositions(layOutInGrid(ids, dropPosition, step))
    setSelected(new Set(ids))
    planRef.current?.focus()
  }
  const removeFromPlan = () => {
    changePositions(points.map(({ id }) => ({ id, to: null })))
    announce(`${points.length} 台移回未摆放`)
  }
  const select = useMemoizedFn((ids: string[], isAdding: boolean) => {
    const [first] = ids
    // Devices on the plan and devices off the plan cannot be selected together.
    const isAlike = (id: string) => !arrangement.at.get(id) === !arrangement.at.get(first!)
    setSelected((before) => {
      const next = new Set(isAdding ? [...before].filter(isAlike) : [])
      for (const id of ids) {
        if (isAdding && ids.length === 1 && next.has(id)) next.delete(id)
        else next.add(id)
      }
      return next
    })
  })
  const onPress = (pressPosition: PlanPosition) => {
    if (unplacedDevices.length > 0 && !readOnly) {
      const ids = unplacedDevices.map(({ id }) => id)
      dropDevices(ids, pressPosition)
    } else setSelected(new Set())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directionByKey[event.key]
    if (direction && points.length > 0 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const step = nudgeShare * (event.shiftKey ? 10 : 1)
      const aspectRatio = (floor.planWidth ?? 1200) / (floor.planHeight ?? 720)
      changePositions(
        shiftDevices(points, { x: direction.x * step, y: direction.y * step * aspectRatio }),
        true,
      )
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && points.length > 0)
      removeFromPlan()
    else return
    event.preventDefault()
  }

  useShortcut(['ctrl.z', 'meta.z'], () => setArrangement(undo))
  useShortcut(['ctrl.shift.z', 'meta.shift.z'], () => setArrangement(redo))
  useShortcut(['esc'], () => (selected.size > 0 ? setSelected(new Set()) : leaveBoard()))

  const saving = useSavePositions({
    floorId: floor.id,
    all: arrangement,
    setAll: setArrangement,
    findNewRoom,
    getDeviceName: (id) => names.get(id) ?? '',
    onSaved() {
      setStoredDraft(undefined)
      onRefresh()
    },
  })
  const { save, isSaving, failed } = saving
  if (lastReadData !== data) {
    setLastReadData(data)
    setNames((before) => new Map([...before, ...listNames(data)]))
    setArrangement(mergeFreshPositions(arrangement, getPositions(data), failed))
  }

  const [firstPoint] = points
  return (
    <div className={styles.screen}>
      <Flex className={styles.bar} gap={8} wrap align="center" justify="space-between">
        <Space wrap>
          <strong className={styles.title}>摆放设备：{data.place}</strong>
          <Space.Compact>
            <Button
              icon={<UndoOutlined />}
              aria-label="撤销"
              title="撤销（Ctrl Z）"
              disabled={arrangement.done.length === 0}
              onClick={() => setArrangement(undo)}
            />
            <Button
              icon={<RedoOutlined />}
              aria-label="重做"
              title="重做（Ctrl Shift Z）"
              disabled={arrangement.undone.length === 0}
              onClick={() => setArrangement(redo)}
            />
          </Space.Compact>
        </Space>
        <Space>
          {isDirty && (
            <span className={styles.hint}>
              {changes.length} 台未保存
              {roomChangeIds.length > 0 && `，其中 ${roomChangeIds.length} 台改归所在房间`}
            </span>
          )}
          <Button onClick={leaveBoard}>返回</Button>
          <Can to={place} unless={!isDirty && '没有要保存的修改'}>
            <Button type="primary" loading={isSaving} onClick={save}>
              保存
            </Button>
          </Can>
        </Space>
      </Flex>
      <PlacingNotices
        {...{ data, failure, readOnly, isDirty, saving, onRefresh }}
        restored={storedDraft?.time}
        onSelect={(ids) => setSelected(new Set(ids))}
        onDiscard={() => {
          setStoredDraft(undefined)
          setArrangement(createArrangement(getPositions(data)))
        }}
      />
      <div className={styles.columns}>
        <section className={styles.panel} aria-label="平面图">
          <PlacingToolbar
            data={data}
            chosen={selectedDevices}
            points={points}
            isPicking={isPicking}
            onPicking={setPicking}
            onArrange={changePositions}
            onTakeOff={removeFromPlan}
          >
            <span className={`${styles.hint} ${styles.line}`}>
              {unplacedDevices.length > 0
                ? readOnly
                  ? `已选 ${unplacedDevices.length} 台`
                  : `已选 ${unplacedDevices.length} 台：点平面图放到那里，或按回车放到中间`
                : points.length === 1
                  ? `${selectedDevices[0]?.name}：${describePosition(firstPoint!.at)}`
                  : points.length > 1
                    ? `已选 ${points.length} 台`
                    : '拖动、方向键移动；Shift 多选'}
            </span>
          </PlacingToolbar>
          <PlacingPlan
            ref={planRef}
            floor={floor}
            dots={dots}
            selected={selected}
            unsaved={unsavedIds}
            failed={failed}
            isPicking={isPicking}
            isAiming={unplacedDevices.length > 0 && !readOnly}
            isReadOnly={!!readOnly}
            onSelect={select}
            onDrag={(by) => changePositions(shiftDevices(points, by))}
            onPress={onPress}
            onKeyDown={onKeyDown}
          />
        </section>
        <DeviceTray
          data={data}
          at={arrangement.at}
          selected={selected}
          unsaved={unsavedIds}
          failed={failed}
          isReadOnly={!!readOnly}
          onPlace={changePositions}
          onSelect={(ids) => setSelected(new Set(ids))}
          onDrop={(ids, client) => {
            const dropPosition = planRef.current?.pointAt(client)
            if (dropPosition) dropDevices(ids, dropPosition)
          }}
          onEnter={(ids) => {
            const [first] = ids
            const devicePosition = arrangement.at.get(first!)
            if (devicePosition) {
              planRef.current?.show(devicePosition)
              planRef.current?.focus()
            } else if (!readOnly) dropDevices(ids, planRef.current!.middle())
          }}
        />
      </div>
      <div role="status" style={visuallyHidden}>
        {announcement}
      </div>
      {saving.clashes.length > 0 && (
        <PlacingConflicts
          clashes={saving.clashes}
          onResolve={saving.resolve}
          onClose={saving.closeClashes}
        />
      )}
    </div>
  )
}

function useShortcut(keys: string[], runShortcut: () => void) {
  const isInDialogOrInput = (event: Event) =>
    (event.target as Element).closest('[role=dialog], input, textarea') !== null
  useKeyPress(
    keys,
    (event) => {
      if (isInDialogOrInput(event)) return
      event.preventDefault()
      runShortcut()
    },
    { exactMatch: true },
  )
}

const formatPercent = (share: number) => `${(share * 100).toFixed(1)}%`
const describePosition = ({ x, y }: PlanPosition) =>
  `距左边 ${formatPercent(x)}，距上边 ${formatPercent(y)}`
