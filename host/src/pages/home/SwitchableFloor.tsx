import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import { useMemo } from 'react'
import type { MapDevice } from '@iot/shared/contract/device/device.schema'
import type { Space } from '@iot/shared/contract/project/project.schema'
import { useLightSwitch } from '@iot/shared/control/useSwitch'
import { FloorPlan, type PickedLights } from '@iot/shared/plan/floorPlan'
import type { LightFilter } from '@iot/shared/plan/lights'
import type { Room } from '@iot/shared/plan/rooms'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { PartBoundary } from '../../layout/PartBoundary'
import { createBulkAction, getLightVerb } from './bulkActions'
import { SelectionBar } from './SelectionBar'
import type { Home } from './useHome'
import * as styles from './home.module.css'

const LampCard = lazyDialog(() => import('./LampCard'))

type SwitchableFloorProps = {
  home: Home
  floor: Space
  /** The devices belong to some floors, this one included; they are `undefined` until they are read. */
  devices?: MapDevice[]
  lights?: MapDevice[]
  picked: PickedLights
  onPick: (picked: PickedLights) => void
  /** The card of the device with this id is open. */
  opened?: string
  onOpen: (deviceId?: string) => void
  highlighted?: string
  only?: LightFilter
  fill?: boolean
}

/** Shows the floor plan on which lamps and rooms are switched. */
export function SwitchableFloor({
  home: { projectId, tree, modes, tasks, problems, stopped, busy, ask },
  floor,
  devices,
  lights,
  picked,
  onPick,
  opened: openDeviceId,
  onOpen,
  highlighted,
  only,
  fill,
}: SwitchableFloorProps) {
  const switchLight = useLightSwitch(projectId, tasks)
  const floorDevices = useMemo(
    () => devices?.filter(({ floorId }) => floorId === floor.id),
    [devices, floor],
  )
  const floorLights = useMemo(
    () => lights?.filter(({ floorId }) => floorId === floor.id),
    [lights, floor],
  )
  const openLight = floorLights?.find(({ id }) => id === openDeviceId)
  const switchOrOpen = (light: MapDevice) => {
    // The card explains why the lamp cannot be switched.
    if (light.state !== 'online') onOpen(light.id)
    switchLight(light)
  }
  const getRoomName = useMemoizedFn((spaceId: string) => {
    const space = tree.get(spaceId)
    return space?.type === 'floor' ? undefined : space?.name
  })
  /**
   * Switches a room. A room is small, entirely visible and easy to restore, so it asks for confirmation only if its
   * control mode requires one.
   */
  const switchRoom = (room: Room, isLit: boolean) => {
    const mode = modes.find(
      (candidate) =>
        getLightVerb(candidate) && candidate.actionType === (isLit ? 'all_off' : 'all_on'),
    )
    if (!mode || busy) return
    const action = createBulkAction(
      mode,
      projectId,
      { kind: 'space', spaceId: room.id },
      tree.nameOf(room.id),
    )
    ask(mode.confirm === 'strict' ? action : { ...action, confirm: 'none' })
  }

  return (
    <PartBoundary>
      <FloorPlan
        floor={floor}
        devices={floorDevices}
        lights={floorLights}
        picked={picked}
        highlighted={highlighted}
        faults={problems.faults}
        only={only}
        picking={busy}
        nameOf={getRoomName}
        onSwitch={switchOrOpen}
        onPick={onPick}
        onOpen={({ id }) => onOpen(id)}
        onRoom={switchRoom}
        stopped={stopped}
        fill={fill}
      >
        {picked.size > 0 && (
          <SelectionBar
            picked={picked}
            lights={floorLights ?? []}
            projectId={projectId}
            modes={modes}
            busy={busy}
            getRoomName={getRoomName}
            onAsk={ask}
            onOpen={onOpen}
            onClear={() => onPick(new Map())}
          />
        )}
        {openLight && (
          <div className={openLight.x > 0.6 ? styles.cardLeft : styles.cardRight}>
            <LampCard
              key={openLight.id}
              light={openLight}
              place={tree.nameOf(openLight.spaceId)}
              projectId={projectId}
              tasks={tasks}
              fault={problems.faults.get(openLight.id)}
              busy={busy}
              onSwitch={switchLight}
              onAsk={ask}
              onClose={() => onOpen(undefined)}
            />
          </div>
        )}
      </FloorPlan>
    </PartBoundary>
  )
}
