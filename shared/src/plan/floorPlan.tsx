import { SelectOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { useKeyPress, useMemoizedFn } from 'ahooks'
import { App, Button, Empty, Flex, Space } from 'antd'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { MapDevice } from '../contract/device'
import { rights } from '../contract/homeRights'
import { isLight } from '../contract/light'
import type { Space as Place } from '../contract/project'
import { isElsewhere } from '../ui/elsewhere'
import { lazyPart } from '../ui/lazyPart'
import { Right, useRefusal } from '../ui/right'
import { Dot, type DotLook } from './dot'
import { Lamp } from './lamp'
import { useLasso } from './lasso'
import type { Only } from './lights'
import { usePicture } from './picture'
import { above, placed, RoomLabel, roomsOf, type Room } from './rooms'
import { Sensor } from './sensor'
import { litBy, useTypeLooks } from './typeLooks'
import { useStops } from './useStops'
import { useZoom } from './useZoom'
import { zoomButtons } from './zoomButtons'
import * as styles from './floorPlan.module.css'

const Curves = lazyPart(() => import('./curves'))
const ManyLamps = lazyPart(() => import('./many/manyLamps'))
const LampList = lazyPart(() => import('./many/lampList'))

/** Ids of picked lights, each with its floor. */
export type Picked = ReadonlyMap<string, string>

type FloorPlanProps = {
  floor: Place
  /** The devices of the floor are undefined while they load. */
  devices?: MapDevice[]
  /** Devices with a switch; bulk actions apply to the lights among them. */
  lights?: MapDevice[]
  picked: Picked
  highlighted?: string
  /** Maps device ids to a description of their problem. */
  faults: ReadonlyMap<string, string>
  only?: Only
  /** A click picks a light instead of switching it. */
  picking: boolean
  /** Returns the name of a space on this floor. */
  nameOf: (spaceId: string) => string | undefined
  onSwitch: (light: MapDevice) => void
  onPick: (picked: Picked) => void
  onOpen: (light: MapDevice) => void
  onRoom: (room: Room, isLit: boolean) => void
  /** Time of the last update, such as `21:24`, if updates have stopped. */
  stopped?: string
  /** The plan fills its container instead of having its own height. */
  fill?: boolean
  /** The children lie over the plan. */
  children?: ReactNode
}

const none: MapDevice[] = []
const legend: [DotLook, string][] = [
  ['on', '开'],
  ['off', '关'],
  ['pending', '等待确认'],
  ['stale', '未重新上报'],
  ['offline', '离线'],
  ['protected', '受保护'],
]
/** Floors with at least this many lamps are painted on a canvas; see decision 108. */
const many = 300
/** Share of the distance to the next lamp that the radius of a lamp may take. */
const crowded = 0.45 / 16

/** Floor plan with its lights at their positions. It draws the last reported state of each device. */
export function FloorPlan({
  floor,
  devices,
  lights = none,
  picked,
  highlighted,
  faults,
  only,
  picking: alwaysPicking,
  nameOf,
  onSwitch,
  onPick,
  onOpen,
  onRoom,
  stopped,
  fill = false,
  children,
}: FloorPlanProps) {
  const width = floor.planWidth ?? 1200
  const height = floor.planHeight ?? 720
  const refusal = useRefusal()(rights.bulkControl)
  const [isPicking, setPicking] = useState(false)
  const picking = alwaysPicking || isPicking
  const draws = ({ shiftKey }: { shiftKey: boolean }) => (picking || shiftKey) && !refusal
  const spacing = Math.sqrt((width * height) / Math.max(1, lights.length))
  const largest = spacing * crowded
  const isMany = lights.length >= many
  const [isListed, setListed] = useState(false)
  const looks = useTypeLooks()
  const colours = new Set(lights.map(({ productType }) => looks.get(productType)?.color))
  // The legend shows the type's colour only if all lights share one.
  const [colour] = colours.size === 1 ? colours : []
  const { picture, lost } = usePicture(floor.plan, { width, height })
  const { canvas, plan, lay, unit, zoomBy, reset, flyTo, moveTo } = useZoom(
    width,
    height,
    largest,
    (event) => draws(event) && !('touches' in event && event.touches.length > 1),
  )
  const pick = (some: MapDevice[], isAll: boolean) => {
    const next = new Map(picked)
    for (const { id, floorId } of some.filter(isLight)) {
      if (isAll || !next.delete(id)) next.set(id, floorId)
    }
    onPick(next)
  }
  const lasso = useLasso({ width, height }, draws, (isInside) =>
    pick(lights.filter(isInside), true),
  )
  const lightIds = useMemo(() => new Set(lights.map(({ id }) => id)), [lights])
  const rooms = useMemo(
    () =>
      roomsOf(devices ?? none, new Set(lights.filter(isLight).map(({ id }) => id)), nameOf, {
        width,
        height,
      }),
    [devices, lights, nameOf, width, height],
  )
  const shownRooms = useMemo(() => {
    const points = (devices ?? none).map(({ x, y }) => ({ x: x * width, y: y * height }))
    return placed(rooms, points, unit, width)
  }, [rooms, devices, width, height, unit])
  const [pointed, setPointed] = useState<{ device: MapDevice; at: DOMRect }>()

  const { message } = App.useApp()
  // These functions are stable, so that unchanged lamps do not render.
  const press = useMemoizedFn((light: MapDevice, event: { shiftKey: boolean }) => {
    if (!draws(event) && !picking) return onSwitch(light)
    if (isLight(light)) pick([light], false)
    else void message.info(`${light.name}不是灯，不能和灯一起选`)
  })
  const pressRoom = useMemoizedFn(
    (room: Room, isLit: boolean, event: { shiftKey: boolean }, why?: string) => {
      if (draws(event) || picking) return pick(room.lights, true)
      if (why) void message.warning(why)
      else onRoom(room, isLit)
    },
  )
  const open = useMemoizedFn(onOpen)
  const point = useMemoizedFn((device?: MapDevice, at?: DOMRect) =>
    setPointed(device && at && { device, at }),
  )
  const stops = useStops(
    useMemo(
      () => [
        ...shownRooms
          .filter((room) => room.lights.length > 0)
          .map(({ id, x, y }) => ({ id, x, y: y - above * unit })),
        ...(devices ?? none)
          .filter(({ id }) => !(isMany && lightIds.has(id)))
          .map(({ id, x, y }) => ({ id, x: x * width, y: y * height })),
      ],
      [shownRooms, devices, isMany, lightIds, unit, width, height],
    ),
    moveTo,
  )
  useKeyPress('esc', (event) => {
    if (isElsewhere(event)) return
    if (picked.size === 0) return setPicking(false)
    event.preventDefault()
    onPick(new Map())
  })
  const sought = devices?.find(({ id }) => id === highlighted)
  const soughtId = sought?.id
  useEffect(() => {
    if (sought) flyTo(sought.x * width, sought.y * height)
    // The plan moves once for each searched lamp; later state changes do not move it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [soughtId, flyTo])

  if (!floor.plan && devices?.length === 0)
    return (
      <Empty
        className={styles.empty}
        image={Empty.PRESENTED_IMAGE_SIMPLE}
        description={`${floor.name}还没有平面图和设备`}
      />
    )

  return (
    <div className={`${styles.plan} ${fill ? styles.fill : ''}`}>
      <div className={styles.frame}>
        <svg
          ref={canvas}
          className={`${styles.canvas} ${picking ? styles.picking : ''} ${stopped ? styles.stopped : ''}`}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-busy={!devices}
          aria-label={`${floor.name}平面图`}
          aria-description="方向键到旁边，翻页键逐个走，回车开关，I 看灯的详情"
          {...lasso.handlers}
          {...stops.handlers}
        >
          <g>
            {picture}
            {shownRooms.map((room) => (
              <RoomLabel
                key={room.id}
                room={room}
                refusal={refusal}
                isPicking={picking}
                isStop={stops.current === room.id}
                onPress={pressRoom}
              />
            ))}
            {devices
              ?.filter(({ id }) => !lightIds.has(id))
              .map((device) => (
                <Sensor
                  key={device.id}
                  device={device}
                  x={device.x * width}
                  y={device.y * height}
                  isStop={stops.current === device.id}
                  typeLook={looks.get(device.productType)}
                  onPoint={point}
                />
              ))}
            {!isMany &&
              lights.map((light) => (
                <Lamp
                  key={light.id}
                  light={light}
                  x={light.x * width}
                  y={light.y * height}
                  onPress={press}
                  onOpen={open}
                  isPicked={picked.has(light.id)}
                  isHighlighted={highlighted === light.id}
                  isStop={stops.current === light.id}
                  fault={faults.get(light.id)}
                  only={only}
                  typeLook={looks.get(light.productType)}
                />
              ))}
            {lasso.line && <g className={styles.lasso}>{lasso.line}</g>}
          </g>
        </svg>
        {isMany && (
          <ManyLamps
            {...{
              plan,
              lay,
              lights,
              width,
              height,
              largest,
              picked,
              highlighted,
              faults,
              only,
              looks,
            }}
            {...{ flyTo, moveTo, onPress: press, onOpen: open }}
            isStopped={stopped !== undefined}
            isPicking={(event) => draws(event) || picking}
            onPick={(some) => pick(some, true)}
          />
        )}
        {lost}
        {stopped && (
          <span role="status" className={styles.since}>
            数据截至 {stopped}
          </span>
        )}
        {children}
        {pointed && <Curves key={pointed.device.id} device={pointed.device} at={pointed.at} />}
      </div>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <div className={styles.legend} style={colour ? litBy(colour) : undefined} aria-hidden>
          {legend.map(([look, word]) => (
            <span key={look}>
              <Dot look={look} />
              {word}
            </span>
          ))}
        </div>
        <Space.Compact>
          {!alwaysPicking && (
            <Right to={rights.bulkControl}>
              <Button
                size="small"
                type={isPicking ? 'primary' : 'default'}
                icon={<SelectOutlined />}
                aria-pressed={isPicking}
                title={
                  isPicking ? '结束选择' : '单击、圈选或按房间选几盏灯；也可以按住 Shift 单击、圈选'
                }
                onClick={() => setPicking(!isPicking)}
              >
                选灯
              </Button>
            </Right>
          )}
          {lights.length > 0 && (
            <Button
              size="small"
              type={isListed ? 'primary' : 'default'}
              icon={<UnorderedListOutlined />}
              aria-pressed={isListed}
              title="按名称查找这一层的灯"
              onClick={() => setListed(!isListed)}
            >
              列表
            </Button>
          )}
          {zoomButtons({ zoomBy, reset })}
        </Space.Compact>
      </Flex>
      {isListed && lights.length > 0 && (
        <LampList
          floor={floor.name}
          lights={lights}
          faults={faults}
          only={only}
          nameOf={nameOf}
          onShow={(light) => {
            flyTo(light.x * width, light.y * height)
            onOpen(light)
          }}
        />
      )}
    </div>
  )
}
