import { SelectOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { useKeyPress, useMemoizedFn } from 'ahooks'
import { App, Button, Empty, Flex, Space } from 'antd'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { MapDevice } from '../contract/device'
import { devicePermissions } from '../contract/devicePermissions'
import { isLight } from '../contract/light'
import type { Space as Place } from '../contract/project'
import { isKeyForInputOrPopup } from '../ui/elsewhere'
import { lazyPart } from '../ui/lazyPart'
import { Can, useRefusalReason } from '../ui/right'
import { Dot, type DotLook } from './dot'
import { Lamp } from './lamp'
import { useLasso } from './lasso'
import type { LightFilter } from './lights'
import { usePicture } from './picture'
import { labelOffset, placeLabels, RoomLabel, groupRooms, type Room } from './rooms'
import { Sensor } from './sensor'
import { createLitStyle, useTypeLooks } from './typeLooks'
import { useTabStops } from './useStops'
import { useZoom } from './useZoom'
import { renderZoomButtons } from './zoomButtons'
import * as styles from './floorPlan.module.css'

const Curves = lazyPart(() => import('./curves'))
const ManyLamps = lazyPart(() => import('./many/manyLamps'))
const LampList = lazyPart(() => import('./many/lampList'))

/** Ids of picked lights, each with its floor. */
export type PickedLights = ReadonlyMap<string, string>

type FloorPlanProps = {
  floor: Place
  /** The devices of the floor are undefined while they load. */
  devices?: MapDevice[]
  /** Devices with a switch; bulk actions apply to the lights among them. */
  lights?: MapDevice[]
  picked: PickedLights
  highlighted?: string
  /** Maps device ids to a description of their problem. */
  faults: ReadonlyMap<string, string>
  only?: LightFilter
  /** A click picks a light instead of switching it. */
  picking: boolean
  /** Returns the name of a space on this floor. */
  nameOf: (spaceId: string) => string | undefined
  onSwitch: (light: MapDevice) => void
  onPick: (pickedLights: PickedLights) => void
  onOpen: (light: MapDevice) => void
  onRoom: (room: Room, isLit: boolean) => void
  /** Time of the last update, such as `21:24`, if updates have stopped. */
  stopped?: string
  /** The plan fills its container instead of having its own height. */
  fill?: boolean
  /** The children lie over the plan. */
  children?: ReactNode
}

const noDevices: MapDevice[] = []
const legend: [DotLook, string][] = [
  ['on', '开'],
  ['off', '关'],
  ['pending', '等待确认'],
  ['stale', '未重新上报'],
  ['offline', '离线'],
  ['protected', '受保护'],
]
/** Floors with at least this many lamps are painted on a canvas; see decision 108. */
const canvasThreshold = 300
/** Share of the distance to the next lamp that the radius of a lamp may take. */
const maxRadiusShare = 0.45 / 16

/** Floor plan with its lights at their positions. It draws the last reported state of each device. */
export function FloorPlan({
  floor,
  devices,
  lights = noDevices,
  picked: pickedLights,
  highlighted: highlightedId,
  faults,
  only: lightFilter,
  picking: alwaysPicking,
  nameOf: getSpaceName,
  onSwitch,
  onPick,
  onOpen,
  onRoom,
  stopped: staleSince,
  fill = false,
  children,
}: FloorPlanProps) {
  const width = floor.planWidth ?? 1200
  const height = floor.planHeight ?? 720
  const refusal = useRefusalReason()(devicePermissions.bulkControl)
  const [isPicking, setPicking] = useState(false)
  const picking = alwaysPicking || isPicking
  const isDrawing = ({ shiftKey }: { shiftKey: boolean }) => (picking || shiftKey) && !refusal
  const spacing = Math.sqrt((width * height) / Math.max(1, lights.length))
  const maxLampUnit = spacing * maxRadiusShare
  const isOnCanvas = lights.length >= canvasThreshold
  const [isListOpen, setListOpen] = useState(false)
  const looks = useTypeLooks()
  const colours = new Set(lights.map(({ productType }) => looks.get(productType)?.color))
  // The legend shows the type's colour only if all lights share one.
  const [colour] = colours.size === 1 ? colours : []
  const { picture, lost: loadError } = usePicture(floor.plan, { width, height })
  const {
    canvas,
    plan,
    lay: addOverlay,
    unit,
    zoomBy,
    reset,
    flyTo,
    moveTo,
  } = useZoom(
    width,
    height,
    maxLampUnit,
    (event) => isDrawing(event) && !('touches' in event && event.touches.length > 1),
  )
  const pickLights = (candidates: MapDevice[], isAll: boolean) => {
    const nextPicked = new Map(pickedLights)
    for (const { id, floorId } of candidates.filter(isLight)) {
      if (isAll || !nextPicked.delete(id)) nextPicked.set(id, floorId)
    }
    onPick(nextPicked)
  }
  const lasso = useLasso({ width, height }, isDrawing, (isInside) =>
    pickLights(lights.filter(isInside), true),
  )
  const lightIds = useMemo(() => new Set(lights.map(({ id }) => id)), [lights])
  const rooms = useMemo(
    () =>
      groupRooms(
        devices ?? noDevices,
        new Set(lights.filter(isLight).map(({ id }) => id)),
        getSpaceName,
        {
          width,
          height,
        },
      ),
    [devices, lights, getSpaceName, width, height],
  )
  const visibleRooms = useMemo(() => {
    const points = (devices ?? noDevices).map(({ x, y }) => ({ x: x * width, y: y * height }))
    return placeLabels(rooms, points, unit, width)
  }, [rooms, devices, width, height, unit])
  const [hoveredSensor, setHoveredSensor] = useState<{ device: MapDevice; at: DOMRect }>()

  const { message } = App.useApp()
  // These functions are stable, so that unchanged lamps do not render.
  const handlePress = useMemoizedFn((light: MapDevice, event: { shiftKey: boolean }) => {
    if (!isDrawing(event) && !picking) return onSwitch(light)
    if (isLight(light)) pickLights([light], false)
    else void message.info(`${light.name}不是灯，不能和灯一起选`)
  })
  const handleRoomPress = useMemoizedFn(
    (room: Room, isLit: boolean, event: { shiftKey: boolean }, reason?: string) => {
      if (isDrawing(event) || picking) return pickLights(room.lights, true)
      if (reason) void message.warning(reason)
      else onRoom(room, isLit)
    },
  )
  const openDevice = useMemoizedFn(onOpen)
  const handlePoint = useMemoizedFn((device?: MapDevice, rect?: DOMRect) =>
    setHoveredSensor(device && rect && { device, at: rect }),
  )
  const tabStops = useTabStops(
    useMemo(
      () => [
        ...visibleRooms
          .filter((room) => room.lights.length > 0)
          .map(({ id, x, y }) => ({ id, x, y: y - labelOffset * unit })),
        ...(devices ?? noDevices)
          .filter(({ id }) => !(isOnCanvas && lightIds.has(id)))
          .map(({ id, x, y }) => ({ id, x: x * width, y: y * height })),
      ],
      [visibleRooms, devices, isOnCanvas, lightIds, unit, width, height],
    ),
    moveTo,
  )
  useKeyPress('esc', (event) => {
    if (isKeyForInputOrPopup(event)) return
    if (pickedLights.size === 0) return setPicking(false)
    event.preventDefault()
    onPick(new Map())
  })
  const soughtDevice = devices?.find(({ id }) => id === highlightedId)
  const soughtDeviceId = soughtDevice?.id
  useEffect(() => {
    if (soughtDevice) flyTo(soughtDevice.x * width, soughtDevice.y * height)
    // The plan moves once for each searched lamp; later state changes do not move it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [soughtDeviceId, flyTo])

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
          className={`${styles.canvas} ${picking ? styles.picking : ''} ${staleSince ? styles.stopped : ''}`}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-busy={!devices}
          aria-label={`${floor.name}平面图`}
          aria-description="方向键到旁边，翻页键逐个走，回车开关，I 看灯的详情"
          {...lasso.handlers}
          {...tabStops.handlers}
        >
          <g>
            {picture}
            {visibleRooms.map((room) => (
              <RoomLabel
                key={room.id}
                room={room}
                refusal={refusal}
                isPicking={picking}
                isStop={tabStops.current === room.id}
                onPress={handleRoomPress}
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
                  isStop={tabStops.current === device.id}
                  typeLook={looks.get(device.productType)}
                  onPoint={handlePoint}
                />
              ))}
            {!isOnCanvas &&
              lights.map((light) => (
                <Lamp
                  key={light.id}
                  light={light}
                  x={light.x * width}
                  y={light.y * height}
                  onPress={handlePress}
                  onOpen={openDevice}
                  isPicked={pickedLights.has(light.id)}
                  isHighlighted={highlightedId === light.id}
                  isStop={tabStops.current === light.id}
                  fault={faults.get(light.id)}
                  only={lightFilter}
                  typeLook={looks.get(light.productType)}
                />
              ))}
            {lasso.line && <g className={styles.lasso}>{lasso.line}</g>}
          </g>
        </svg>
        {isOnCanvas && (
          <ManyLamps
            {...{
              plan,
              lay: addOverlay,
              lights,
              width,
              height,
              largest: maxLampUnit,
              picked: pickedLights,
              highlighted: highlightedId,
              faults,
              only: lightFilter,
              looks,
            }}
            {...{ flyTo, moveTo, onPress: handlePress, onOpen: openDevice }}
            isStopped={staleSince !== undefined}
            isPicking={(event) => isDrawing(event) || picking}
            onPick={(lassoLights) => pickLights(lassoLights, true)}
          />
        )}
        {loadError}
        {staleSince && (
          <span role="status" className={styles.since}>
            数据截至 {staleSince}
          </span>
        )}
        {children}
        {hoveredSensor && (
          <Curves
            key={hoveredSensor.device.id}
            device={hoveredSensor.device}
            at={hoveredSensor.at}
          />
        )}
      </div>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <div
          className={styles.legend}
          style={colour ? createLitStyle(colour) : undefined}
          aria-hidden
        >
          {legend.map(([look, word]) => (
            <span key={look}>
              <Dot look={look} />
              {word}
            </span>
          ))}
        </div>
        <Space.Compact>
          {!alwaysPicking && (
            <Can to={devicePermissions.bulkControl}>
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
            </Can>
          )}
          {lights.length > 0 && (
            <Button
              size="small"
              type={isListOpen ? 'primary' : 'default'}
              icon={<UnorderedListOutlined />}
              aria-pressed={isListOpen}
              title="按名称查找这一层的灯"
              onClick={() => setListOpen(!isListOpen)}
            >
              列表
            </Button>
          )}
          {renderZoomButtons({ zoomBy, reset })}
        </Space.Compact>
      </Flex>
      {isListOpen && lights.length > 0 && (
        <LampList
          floor={floor.name}
          lights={lights}
          faults={faults}
          only={lightFilter}
          nameOf={getSpaceName}
          onShow={(light) => {
            flyTo(light.x * width, light.y * height)
            onOpen(light)
          }}
        />
      )}
    </div>
  )
}

/** @deprecated Use {@link PickedLights}; kept for remotes that were built before. */
export type Picked = PickedLights
