import type { ComponentProps, DOMAttributes, ReactNode, RefCallback } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import type { Space as Place } from '../../contract/project/project.schema'
import { Lamp } from '../lamp'
import type { LightFilter } from '../lights'
import { RoomLabel, type Room } from '../rooms'
import { Sensor } from '../sensor'
import type { TypeLooks } from '../typeLooks'
import { getPlanSize, type PlanSize } from '../planSize'
import type { PickedLights } from './useLightSelection'
import { planKeysText } from './usePlanKeys'
import * as styles from './floorPlan.module.css'

type DrawingProps = {
  floor: Place
  ref: RefCallback<SVGSVGElement>
  isPicking: boolean
  isStopped: boolean
  isBusy: boolean
  handlers: DOMAttributes<SVGSVGElement>
  children: ReactNode
}
export function Drawing({
  floor,
  ref,
  isPicking,
  isStopped,
  isBusy,
  handlers,
  children,
}: DrawingProps) {
  const { width, height } = getPlanSize(floor)
  return (
    <svg
      ref={ref}
      className={`${styles.canvas} ${isPicking ? styles.picking : ''} ${isStopped ? styles.stopped : ''}`}
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-busy={isBusy}
      aria-label={`${floor.name}平面图`}
      aria-description={`方向键到旁边，翻页键逐个走，回车开关，${planKeysText}`}
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
export const Rooms = ({ rooms, refusal, isPicking, currentStop, onPress }: RoomsProps) =>
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
export const Sensors = ({ sensors, width, height, looks, currentStop, onPoint }: SensorsProps) =>
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
  Pick<ComponentProps<typeof Lamp>, 'onPress' | 'onOpen' | 'onPoint'> & {
    lights: MapDevice[]
    picked: PickedLights
    highlighted?: string
    /** Maps device ids to a description of their problem. */
    faults: ReadonlyMap<string, string>
    only?: LightFilter
    looks: TypeLooks
    currentStop?: string
  }
export const Lamps = ({
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
  onPoint,
}: LampsProps) =>
  lights.map((light) => (
    <Lamp
      key={light.id}
      light={light}
      x={light.x * width}
      y={light.y * height}
      onPress={onPress}
      onOpen={onOpen}
      onPoint={onPoint}
      isPicked={pickedLights.has(light.id)}
      isHighlighted={highlightedId === light.id}
      isStop={currentStop === light.id}
      fault={faults.get(light.id)}
      only={lightFilter}
      typeLook={looks.get(light.productType)}
    />
  ))
