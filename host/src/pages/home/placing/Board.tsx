import { RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { useKeyPress, useMemoizedFn } from 'ahooks'
import { Button, Flex, Space } from 'antd'
import { useSetAtom } from 'jotai'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { managedDeviceApi, type FloorDevices } from '@iot/shared/contract/managedDevice'
import PlacingPlan, { type PlanHandle } from '@iot/shared/plan/placing/placingPlan'
import { paths } from '@iot/shared/screens/paths'
import { dropDraft, keepDraft, readDraft, unfinishedAtom } from '@iot/shared/session/drafts'
import { Right, useRefusal } from '@iot/shared/ui/right'
import { unseen } from '@iot/shared/ui/unseen'
import {
  back,
  begun,
  forth,
  laidOut,
  moved,
  refreshed,
  shifted,
  unsaved,
  type At,
  type Move,
  type Target,
} from './arrangement'
import { Clashes } from './Clashes'
import { draftOf } from './draft'
import { Notices } from './Notices'
import { findRoom, measureRooms } from './rooms'
import { Toolbar } from './Toolbar'
import { Tray } from './Tray'
import { useSaving } from './useSaving'
import { useStaying } from './useStaying'
import * as styles from './placing.module.css'

const { place } = managedDeviceApi
type BoardProps = { data: FloorDevices; failure?: string; onRefresh: () => void }

const placesOf = ({ devices }: FloorDevices) =>
  new Map(devices.map(({ id, x, y }) => [id, x === null || y === null ? null : { x, y }]))
const listNames = ({ devices }: FloorDevices) =>
  new Map(devices.map(({ id, name }) => [id, name] as const))
const arrows: Record<string, At> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
/** An arrow key moves a device by this share of the plan's width; with Shift ten times as far. */
const nudge = 0.001
/** Devices that are dropped together lie apart by this share of the plan's width. */
const apart = 0.04

/**
 * Shows a floor plan and beside it the devices that are not on it yet. Unsaved positions are stored in this browser.
 */
export function Board({ data, failure, onRefresh }: BoardProps) {
  const { floor, projectId } = data
  const refusal = useRefusal()
  const readOnly = refusal(place)
  const plan = useRef<PlanHandle>(null)

  const draft = draftOf(floor.id)
  const [kept, setKept] = useState(() => (readOnly ? undefined : readDraft(draft, String)))
  const [all, setAll] = useState(() =>
    begun(placesOf(data), kept?.values.moves as Move[] | undefined),
  )
  const [read, setRead] = useState(data)
  // Names are kept after a device has left the floor, so that a failed save can still name a device that a colleague
  // deleted.
  const [names, setNames] = useState(() => listNames(data))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isPicking, setPicking] = useState(false)
  const [said, say] = useState('')

  const byId = useMemo(() => new Map(data.devices.map((one) => [one.id, one])), [data])
  const changes = useMemo(() => unsaved(all), [all])
  const isDirty = changes.length > 0
  const unsavedIds = useMemo(() => new Set(changes.map(({ id }) => id)), [changes])
  const dots = useMemo(
    () =>
      data.devices.flatMap(({ id, name, state }) => {
        const at = all.at.get(id)
        return at ? [{ id, name, state, at }] : []
      }),
    [data, all],
  )
  const chosen = [...selected].flatMap((id) => byId.get(id) ?? [])
  const points = chosen.flatMap(({ id }) => {
    const at = all.at.get(id)
    return at ? [{ id, at }] : []
  })
  const waiting = chosen.filter(({ id }) => !all.at.get(id))

  useEffect(() => {
    if (changes.length > 0) keepDraft(draft, floor.id, { moves: changes })
    else dropDraft(draft)
  }, [draft, floor.id, changes])
  const setUnfinished = useSetAtom(unfinishedAtom)
  useEffect(() => {
    if (!isDirty) return
    setUnfinished((before) => [...before, draft])
    return () => setUnfinished((before) => before.filter((one) => one !== draft))
  }, [isDirty, draft, setUnfinished])
  const leave = useStaying({
    floorId: floor.id,
    projectId,
    isDirty,
    onLeave: () => dropDraft(draft, paths.home()),
  })

  /** Rooms are measured from the devices that hang where they were read. */
  const rooms = useMemo(() => {
    const stays = data.devices.flatMap(({ id, spaceId }) => {
      const at = all.at.get(id)
      return at && !unsavedIds.has(id) ? [{ spaceId, at }] : []
    })
    return measureRooms(stays, data.floor.id)
  }, [data, all, unsavedIds])
  const roomOf = (id: string, to: At) => {
    const room = findRoom(to, rooms)
    return room === byId.get(id)?.spaceId ? undefined : room
  }
  const roomName = (id: string, to: At) => {
    const room = roomOf(id, to)
    return data.spaces.find((space) => space.id === room)?.name
  }
  const change = (targets: Target[], isNudge = false) => {
    if (readOnly) return
    setAll((before) => moved(before, targets, isNudge))
    const [first] = targets
    if (targets.length !== 1 || !first?.to) return
    const room = roomName(first.id, first.to)
    const named = room ? `，保存后归入“${room}”` : ''
    say(`${byId.get(first.id)?.name ?? ''}：${whereText(first.to)}${named}`)
  }
  /**
   * These devices would change their room; the number is shown beside 保存, because the room must not change unnoticed.
   */
  const entering = changes.flatMap(({ id, to }) => (to && roomOf(id, to) ? [id] : []))
  const drop = (ids: string[], at: At) => {
    const step = { x: apart, y: (apart * (floor.planWidth ?? 1200)) / (floor.planHeight ?? 720) }
    change(laidOut(ids, at, step))
    setSelected(new Set(ids))
    plan.current?.focus()
  }
  const takeOff = () => {
    change(points.map(({ id }) => ({ id, to: null })))
    say(`${points.length} 台移回未摆放`)
  }
  const select = useMemoizedFn((ids: string[], isAdding: boolean) => {
    const [first] = ids
    // Devices on the plan and devices off the plan cannot be selected together.
    const isAlike = (id: string) => !all.at.get(id) === !all.at.get(first!)
    setSelected((before) => {
      const next = new Set(isAdding ? [...before].filter(isAlike) : [])
      for (const id of ids) {
        if (isAdding && ids.length === 1 && next.has(id)) next.delete(id)
        else next.add(id)
      }
      return next
    })
  })
  const onPress = (at: At) => {
    if (waiting.length > 0 && !readOnly) {
      const ids = waiting.map(({ id }) => id)
      drop(ids, at)
    } else setSelected(new Set())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const way = arrows[event.key]
    if (way && points.length > 0 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const step = nudge * (event.shiftKey ? 10 : 1)
      const across = (floor.planWidth ?? 1200) / (floor.planHeight ?? 720)
      change(shifted(points, { x: way.x * step, y: way.y * step * across }), true)
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && points.length > 0) takeOff()
    else return
    event.preventDefault()
  }

  useKeys(['ctrl.z', 'meta.z'], () => setAll(back))
  useKeys(['ctrl.shift.z', 'meta.shift.z'], () => setAll(forth))
  useKeys(['esc'], () => (selected.size > 0 ? setSelected(new Set()) : leave()))

  const saving = useSaving({
    floorId: floor.id,
    all,
    setAll,
    roomOf,
    nameOf: (id) => names.get(id) ?? '',
    onSaved() {
      setKept(undefined)
      onRefresh()
    },
  })
  const { save, isSaving, failed } = saving
  if (read !== data) {
    setRead(data)
    setNames((before) => new Map([...before, ...listNames(data)]))
    setAll(refreshed(all, placesOf(data), failed))
  }

  const [only] = points
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
              disabled={all.done.length === 0}
              onClick={() => setAll(back)}
            />
            <Button
              icon={<RedoOutlined />}
              aria-label="重做"
              title="重做（Ctrl Shift Z）"
              disabled={all.undone.length === 0}
              onClick={() => setAll(forth)}
            />
          </Space.Compact>
        </Space>
        <Space>
          {isDirty && (
            <span className={styles.hint}>
              {changes.length} 台未保存
              {entering.length > 0 && `，其中 ${entering.length} 台改归所在房间`}
            </span>
          )}
          <Button onClick={leave}>返回</Button>
          <Right to={place} unless={!isDirty && '没有要保存的修改'}>
            <Button type="primary" loading={isSaving} onClick={save}>
              保存
            </Button>
          </Right>
        </Space>
      </Flex>
      <Notices
        {...{ data, failure, readOnly, isDirty, saving, onRefresh }}
        restored={kept?.time}
        onSelect={(ids) => setSelected(new Set(ids))}
        onDiscard={() => {
          setKept(undefined)
          setAll(begun(placesOf(data)))
        }}
      />
      <div className={styles.columns}>
        <section className={styles.panel} aria-label="平面图">
          <Toolbar
            data={data}
            chosen={chosen}
            points={points}
            isPicking={isPicking}
            onPicking={setPicking}
            onArrange={change}
            onTakeOff={takeOff}
          >
            <span className={`${styles.hint} ${styles.line}`}>
              {waiting.length > 0
                ? readOnly
                  ? `已选 ${waiting.length} 台`
                  : `已选 ${waiting.length} 台：点平面图放到那里，或按回车放到中间`
                : points.length === 1
                  ? `${chosen[0]?.name}：${whereText(only!.at)}`
                  : points.length > 1
                    ? `已选 ${points.length} 台`
                    : '拖动、方向键移动；Shift 多选'}
            </span>
          </Toolbar>
          <PlacingPlan
            ref={plan}
            floor={floor}
            dots={dots}
            selected={selected}
            unsaved={unsavedIds}
            failed={failed}
            isPicking={isPicking}
            isAiming={waiting.length > 0 && !readOnly}
            isReadOnly={!!readOnly}
            onSelect={select}
            onDrag={(by) => change(shifted(points, by))}
            onPress={onPress}
            onKeyDown={onKeyDown}
          />
        </section>
        <Tray
          data={data}
          at={all.at}
          selected={selected}
          unsaved={unsavedIds}
          failed={failed}
          isReadOnly={!!readOnly}
          onPlace={change}
          onSelect={(ids) => setSelected(new Set(ids))}
          onDrop={(ids, client) => {
            const at = plan.current?.pointAt(client)
            if (at) drop(ids, at)
          }}
          onEnter={(ids) => {
            const [first] = ids
            const at = all.at.get(first!)
            if (at) {
              plan.current?.show(at)
              plan.current?.focus()
            } else if (!readOnly) drop(ids, plan.current!.middle())
          }}
        />
      </div>
      <div role="status" style={unseen}>
        {said}
      </div>
      {saving.clashes.length > 0 && (
        <Clashes
          clashes={saving.clashes}
          onResolve={saving.resolve}
          onClose={saving.closeClashes}
        />
      )}
    </div>
  )
}

function useKeys(keys: string[], act: () => void) {
  const isElsewhere = (event: Event) =>
    (event.target as Element).closest('[role=dialog], input, textarea') !== null
  useKeyPress(
    keys,
    (event) => {
      if (isElsewhere(event)) return
      event.preventDefault()
      act()
    },
    { exactMatch: true },
  )
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`
const whereText = ({ x, y }: At) => `距左边 ${percent(x)}，距上边 ${percent(y)}`
