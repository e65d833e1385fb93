import { SelectOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { useKeyPress, useMemoizedFn } from 'ahooks'
import { App, Button, Empty, Flex, Space } from 'antd'
import {
  useEffect,
  useMemo,
  useState,
  type ComponentProps,
  type DOMAttributes,
  type ReactNode,
  type RefCallback,
} from 'react'
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
import { createLitStyle, useTypeLooks, type TypeLooks } from './typeLooks'
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

type PlanSize = { width: number; height: number }

const noDevices: MapDevice[] = []
const noIds: ReadonlySet<string> = new Set()
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
  const size = getPlanSize(floor)
  const { width, height } = size
  const isOnCanvas = lights.length >= canvasThreshold
  const selection = useLightSelection({ pickedLights, alwaysPicking, onPick })
  const { isPicking, isDrawing, pickLights } = selection
  const [isListOpen, setListOpen] = useState(false)
  const looks = useTypeLooks()
  const { picture, lost: loadError } = usePicture(floor.plan, size)
  const {
    canvas,
    plan,
    lay: addOverlay,
    unit,
    zoomBy,
    reset,
    flyTo,
    moveTo,
    maxLampUnit,
  } = useLampZoom(size, lights.length, isDrawing)
  const lasso = useLasso(size, isDrawing, (isInside) => pickLights(lights.filter(isInside), true))
  const lightIds = useMemo(() => new Set(lights.map(({ id }) => id)), [lights])
  const visibleRooms = useVisibleRooms(devices, lights, getSpaceName, size, unit)
  const { handlePoint, curves } = useSensorCurves()
  const { handlePress, handleRoomPress } = usePressHandlers(selection, onSwitch, onRoom)
  // The function is stable, so that unchanged lamps do not render.
  const openDevice = useMemoizedFn(onOpen)
  const tabStops = usePlanTabStops({
    rooms: visibleRooms,
    devices,
    paintedIds: isOnCanvas ? lightIds : noIds,
    size,
    unit,
    moveTo,
  })
  useEscapeToUnpick(pickedLights, onPick, selection.setPicking)
  useFlightToDevice(devices, highlightedId, size, flyTo)

  if (!floor.plan && devices?.length === 0) return <EmptyFloor name={floor.name} />

  const lampProps = {
    lights,
    width,
    height,
    picked: pickedLights,
    highlighted: highlightedId,
    faults,
    only: lightFilter,
    looks,
    onPress: handlePress,
    onOpen: openDevice,
  }
  return (
    <div className={`${styles.plan} ${fill ? styles.fill : ''}`}>
      <div className={styles.frame}>
        <Drawing
          floor={floor}
          ref={canvas}
          isPicking={isPicking}
          isStopped={!!staleSince}
          isBusy={!devices}
          handlers={{ ...lasso.handlers, ...tabStops.handlers }}
        >
          {picture}
          <Rooms
            rooms={visibleRooms}
            refusal={selection.refusal}
            isPicking={isPicking}
            currentStop={tabStops.current}
            onPress={handleRoomPress}
          />
          <Sensors
            sensors={devices?.filter(({ id }) => !lightIds.has(id)) ?? noDevices}
            {...size}
            looks={looks}
            currentStop={tabStops.current}
            onPoint={handlePoint}
          />
          {!isOnCanvas && <Lamps {...lampProps} currentStop={tabStops.current} />}
          {lasso.line && <g className={styles.lasso}>{lasso.line}</g>}
        </Drawing>
        {isOnCanvas && (
          <ManyLamps
            {...lampProps}
            plan={plan}
            lay={addOverlay}
            largest={maxLampUnit}
            flyTo={flyTo}
            moveTo={moveTo}
            isStopped={staleSince !== undefined}
            isPicking={(event) => isDrawing(event) || isPicking}
            onPick={(lassoLights) => pickLights(lassoLights, true)}
          />
        )}
        {loadError}
        {staleSince && <StaleNotice since={staleSince} />}
        {children}
        {curves}
      </div>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <Legend lights={lights} looks={looks} />
        <Space.Compact>
          {!alwaysPicking && <PickingToggle isOn={isPicking} onChange={selection.setPicking} />}
          {lights.length > 0 && <ListToggle isOpen={isListOpen} onChange={setListOpen} />}
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

const getPlanSize = ({ planWidth, planHeight }: Place): PlanSize => ({
  width: planWidth ?? 1200,
  height: planHeight ?? 720,
})

type Selection = ReturnType<typeof useLightSelection>

/** Selection of lights, which only users with the permission for bulk actions can make. */
function useLightSelection({
  pickedLights,
  alwaysPicking,
  onPick,
}: {
  pickedLights: PickedLights
  alwaysPicking: boolean
  onPick: FloorPlanProps['onPick']
}) {
  const refusal = useRefusalReason()(devicePermissions.bulkControl)
  const [isPickingMode, setPicking] = useState(false)
  const isPicking = alwaysPicking || isPickingMode
  return {
    refusal,
    isPicking,
    setPicking,
    /** Returns true if a drag draws a lasso. */
    isDrawing: ({ shiftKey }: { shiftKey: boolean }) => (isPicking || shiftKey) && !refusal,
    /** Adds all lights of the candidates, or toggles each of them. */
    pickLights(candidates: MapDevice[], isAll: boolean) {
      const nextPicked = new Map(pickedLights)
      for (const { id, floorId } of candidates.filter(isLight)) {
        if (isAll || !nextPicked.delete(id)) nextPicked.set(id, floorId)
      }
      onPick(nextPicked)
    },
  }
}

/** Zooms the plan so that lamps at an average distance do not cover each other; two fingers never draw. */
function useLampZoom(
  { width, height }: PlanSize,
  lampCount: number,
  isDrawing: Selection['isDrawing'],
) {
  const spacing = Math.sqrt((width * height) / Math.max(1, lampCount))
  const maxLampUnit = spacing * maxRadiusShare
  const zoom = useZoom(
    width,
    height,
    maxLampUnit,
    (event) => isDrawing(event) && !('touches' in event && event.touches.length > 1),
  )
  return { ...zoom, maxLampUnit }
}

/** Returns the rooms whose labels have space on the plan. */
function useVisibleRooms(
  devices: MapDevice[] | undefined,
  lights: MapDevice[],
  getSpaceName: FloorPlanProps['nameOf'],
  { width, height }: PlanSize,
  unit: number,
) {
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
  return useMemo(() => {
    const points = (devices ?? noDevices).map(({ x, y }) => ({ x: x * width, y: y * height }))
    return placeLabels(rooms, points, unit, width)
  }, [rooms, devices, width, height, unit])
}

/** Returns handlers that pick lights instead of switching them while the user selects; both functions are stable. */
function usePressHandlers(
  { isPicking, isDrawing, pickLights }: Selection,
  onSwitch: FloorPlanProps['onSwitch'],
  onRoom: FloorPlanProps['onRoom'],
) {
  const { message } = App.useApp()
  const handlePress = useMemoizedFn((light: MapDevice, event: { shiftKey: boolean }) => {
    if (!isDrawing(event) && !isPicking) return onSwitch(light)
    if (isLight(light)) pickLights([light], false)
    else void message.info(`${light.name}不是灯，不能和灯一起选`)
  })
  const handleRoomPress = useMemoizedFn(
    (room: Room, isLit: boolean, event: { shiftKey: boolean }, reason?: string) => {
      if (isDrawing(event) || isPicking) return pickLights(room.lights, true)
      if (reason) void message.warning(reason)
      else onRoom(room, isLit)
    },
  )
  return { handlePress, handleRoomPress }
}

type PlanTabStopsOptions = {
  rooms: Room[]
  devices?: MapDevice[]
  /** Ids of the devices that are painted on the canvas, which has its own keyboard cursor. */
  paintedIds: ReadonlySet<string>
  size: PlanSize
  unit: number
  moveTo: (x: number, y: number) => void
}

function usePlanTabStops({
  rooms,
  devices,
  paintedIds,
  size: { width, height },
  unit,
  moveTo,
}: PlanTabStopsOptions) {
  return useTabStops(
    useMemo(
      () => [
        ...rooms
          .filter((room) => room.lights.length > 0)
          .map(({ id, x, y }) => ({ id, x, y: y - labelOffset * unit })),
        ...(devices ?? noDevices)
          .filter(({ id }) => !paintedIds.has(id))
          .map(({ id, x, y }) => ({ id, x: x * width, y: y * height })),
      ],
      [rooms, devices, paintedIds, unit, width, height],
    ),
    moveTo,
  )
}

/** The first Escape empties the selection, the next one ends the picking mode. */
function useEscapeToUnpick(
  pickedLights: PickedLights,
  onPick: FloorPlanProps['onPick'],
  setPicking: Selection['setPicking'],
) {
  useKeyPress('esc', (event) => {
    if (isKeyForInputOrPopup(event)) return
    if (pickedLights.size === 0) return setPicking(false)
    event.preventDefault()
    onPick(new Map())
  })
}

/** The plan moves once for each searched device; later state changes do not move it. */
function useFlightToDevice(
  devices: MapDevice[] | undefined,
  soughtId: string | undefined,
  { width, height }: PlanSize,
  flyTo: (x: number, y: number) => void,
) {
  const device = devices?.find(({ id }) => id === soughtId)
  const deviceId = device?.id
  useEffect(() => {
    if (device) flyTo(device.x * width, device.y * height)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each device, not for each of its states
  }, [deviceId, flyTo])
}

/** A sensor under the pointer shows its curves beside it. */
function useSensorCurves() {
  const [hoveredSensor, setHoveredSensor] = useState<{ device: MapDevice; at: DOMRect }>()
  return {
    /** The function is stable, so that unchanged sensors do not render. */
    handlePoint: useMemoizedFn((device?: MapDevice, rect?: DOMRect) =>
      setHoveredSensor(device && rect && { device, at: rect }),
    ),
    curves: hoveredSensor && (
      <Curves key={hoveredSensor.device.id} device={hoveredSensor.device} at={hoveredSensor.at} />
    ),
  }
}

type DrawingProps = {
  floor: Place
  ref: RefCallback<SVGSVGElement>
  isPicking: boolean
  isStopped: boolean
  isBusy: boolean
  handlers: DOMAttributes<SVGSVGElement>
  children: ReactNode
}
function Drawing({ floor, ref, isPicking, isStopped, isBusy, handlers, children }: DrawingProps) {
  const { width, height } = getPlanSize(floor)
  return (
    <svg
      ref={ref}
      className={`${styles.canvas} ${isPicking ? styles.picking : ''} ${isStopped ? styles.stopped : ''}`}
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-busy={isBusy}
      aria-label={`${floor.name}平面图`}
      aria-description="方向键到旁边，翻页键逐个走，回车开关，I 看灯的详情"
      {...handlers}
    >
      <g>{children}</g>
    </svg>
  )
}

type RoomsProps = Pick<ComponentProps<typeof RoomLabel>, 'refusal' | 'isPicking' | 'onPress'> & {
  rooms: Room[]
  currentStop?: string
}
const Rooms = ({ rooms, refusal, isPicking, currentStop, onPress }: RoomsProps) =>
  rooms.map((room) => (
    <RoomLabel
      key={room.id}
      room={room}
      refusal={refusal}
      isPicking={isPicking}
      isStop={currentStop === room.id}
      onPress={onPress}
    />
  ))

type SensorsProps = PlanSize & {
  sensors: MapDevice[]
  looks: TypeLooks
  currentStop?: string
  onPoint: ComponentProps<typeof Sensor>['onPoint']
}
const Sensors = ({ sensors, width, height, looks, currentStop, onPoint }: SensorsProps) =>
  sensors.map((device) => (
    <Sensor
      key={device.id}
      device={device}
      x={device.x * width}
      y={device.y * height}
      isStop={currentStop === device.id}
      typeLook={looks.get(device.productType)}
      onPoint={onPoint}
    />
  ))

type LampsProps = PlanSize &
  Pick<FloorPlanProps, 'picked' | 'highlighted' | 'faults' | 'only'> &
  Pick<ComponentProps<typeof Lamp>, 'onPress' | 'onOpen'> & {
    lights: MapDevice[]
    looks: TypeLooks
    currentStop?: string
  }
const Lamps = ({
  lights,
  width,
  height,
  picked: pickedLights,
  highlighted: highlightedId,
  faults,
  only: lightFilter,
  looks,
  currentStop,
  onPress,
  onOpen,
}: LampsProps) =>
  lights.map((light) => (
    <Lamp
      key={light.id}
      light={light}
      x={light.x * width}
      y={light.y * height}
      onPress={onPress}
      onOpen={onOpen}
      isPicked={pickedLights.has(light.id)}
      isHighlighted={highlightedId === light.id}
      isStop={currentStop === light.id}
      fault={faults.get(light.id)}
      only={lightFilter}
      typeLook={looks.get(light.productType)}
    />
  ))

const EmptyFloor = ({ name }: { name: string }) => (
  <Empty
    className={styles.empty}
    image={Empty.PRESENTED_IMAGE_SIMPLE}
    description={`${name}还没有平面图和设备`}
  />
)

const StaleNotice = ({ since }: { since: string }) => (
  <span role="status" className={styles.since}>
    数据截至 {since}
  </span>
)

function Legend({ lights, looks }: { lights: MapDevice[]; looks: TypeLooks }) {
  const colours = new Set(lights.map(({ productType }) => looks.get(productType)?.color))
  // The legend shows the type's colour only if all lights share one.
  const [colour] = colours.size === 1 ? colours : []
  return (
    <div className={styles.legend} style={colour ? createLitStyle(colour) : undefined} aria-hidden>
      {legend.map(([look, word]) => (
        <span key={look}>
          <Dot look={look} />
          {word}
        </span>
      ))}
    </div>
  )
}

type PickingToggleProps = { isOn: boolean; onChange: (isOn: boolean) => void }
const PickingToggle = ({ isOn, onChange }: PickingToggleProps) => (
  <Can to={devicePermissions.bulkControl}>
    <Button
      size="small"
      type={isOn ? 'primary' : 'default'}
      icon={<SelectOutlined />}
      aria-pressed={isOn}
      title={isOn ? '结束选择' : '单击、圈选或按房间选几盏灯；也可以按住 Shift 单击、圈选'}
      onClick={() => onChange(!isOn)}
    >
      选灯
    </Button>
  </Can>
)

type ListToggleProps = { isOpen: boolean; onChange: (isOpen: boolean) => void }
const ListToggle = ({ isOpen, onChange }: ListToggleProps) => (
  <Button
    size="small"
    type={isOpen ? 'primary' : 'default'}
    icon={<UnorderedListOutlined />}
    aria-pressed={isOpen}
    title="按名称查找这一层的灯"
    onClick={() => onChange(!isOpen)}
  >
    列表
  </Button>
)

/** @deprecated Use {@link PickedLights}; kept for remotes that were built before. */
export type Picked = PickedLights
