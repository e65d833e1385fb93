import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import Flex from 'antd/es/flex'
import Space from 'antd/es/space'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { MapDevice } from '../contract/device/device.schema'
import type { Space as Place } from '../contract/project/project.schema'
import { lazyPart } from '../ui/lazyPart'
import {
  EmptyFloor,
  Legend,
  ListToggle,
  PickingToggle,
  renderShapeButtons,
  StaleNotice,
} from './floorPlan/controls'
import { Drawing, Lamps, Rooms, Sensors } from './floorPlan/drawing'
import { getPlanSize } from './planSize'
import { useFlightToDevice, useLampZoom } from './floorPlan/useLampZoom'
import {
  useEscapeToUnpick,
  useLightSelection,
  usePressHandlers,
  type PickedLights,
} from './floorPlan/useLightSelection'
import { useLampTip } from './floorPlan/useLampTip'
import { usePlanKeys } from './floorPlan/usePlanKeys'
import { usePlanTabStops } from './floorPlan/usePlanTabStops'
import { useSensorCurves } from './floorPlan/useSensorCurves'
import { useVisibleRooms } from './floorPlan/useVisibleRooms'
import { useLasso } from './lasso'
import type { LightFilter } from './lights'
import { usePicture } from './picture'
import type { Room } from './rooms'
import { useTypeLooks } from './typeLooks'
import { renderZoomButtons } from './zoomButtons'
import * as styles from './floorPlan/floorPlan.module.css'

export type { PickedLights }

const ManyLamps = lazyPart(() => import('./many/manyLamps'))
const LampList = lazyPart(() => import('./many/lampList'))

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
const noIds: ReadonlySet<string> = new Set()
/** Floors with at least this many lamps are painted on a canvas; see decision 108. */
const canvasThreshold = 300

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
  const knownDevices = devices ?? noDevices
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
  const lasso = useLasso(
    size,
    isDrawing,
    (isInside) => pickLights(lights.filter(isInside), true),
    selection.shape,
  )
  const lightIds = useMemo(() => new Set(lights.map(({ id }) => id)), [lights])
  const visibleRooms = useVisibleRooms(knownDevices, lights, getSpaceName, size, unit)
  const { handlePoint, curves } = useSensorCurves()
  const { handlePress, handleRoomPress } = usePressHandlers(selection, onSwitch, onRoom)
  const { pickRoom, handleKeyDown } = usePlanKeys({ devices: knownDevices, lights, selection })
  const { pointAt, hide, tip } = useLampTip({
    lights,
    faults,
    getRoomName: getSpaceName,
    pressText: isPicking ? '单击选择，长按看详情' : '单击开关，长按看详情',
    refusal: selection.refusal,
    onOpen,
    onPickRoom: pickRoom,
  })
  // The function is stable, so that unchanged lamps do not render.
  const openDevice = useMemoizedFn((device: MapDevice) => {
    hide()
    onOpen(device)
  })
  const tabStops = usePlanTabStops({
    rooms: visibleRooms,
    devices: knownDevices,
    paintedIds: isOnCanvas ? lightIds : noIds,
    size,
    unit,
    moveTo,
  })
  // The card would cover the lamps that were just selected.
  useEffect(hide, [pickedLights, hide])
  useEscapeToUnpick(pickedLights, onPick, selection.setPicking)
  useFlightToDevice(knownDevices, highlightedId, size, flyTo)

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
    onPoint: pointAt,
  }
  return (
    <div className={`${styles.plan} ${fill ? styles.fill : ''}`}>
      {/* The keys of the plan reach it from its lamps, whether they are drawn or painted. */}
      <div className={styles.frame} onKeyDown={handleKeyDown}>
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
            sensors={knownDevices.filter(({ id }) => !lightIds.has(id))}
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
        {tip}
      </div>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <Legend lights={lights} looks={looks} />
        <Space.Compact>
          {!alwaysPicking && <PickingToggle isOn={isPicking} onChange={selection.setPicking} />}
          {isPicking &&
            renderShapeButtons({ shape: selection.shape, onChange: selection.setShape })}
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

/** @deprecated Use {@link PickedLights}; kept for remotes that were built before. */
export type Picked = PickedLights
