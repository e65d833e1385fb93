import { useMemoizedFn } from 'ahooks'
import { useMemo } from 'react'
import type { MapDevice } from '@iot/shared/contract/device'
import type { Space } from '@iot/shared/contract/project'
import { useSwitch } from '@iot/shared/control/useSwitch'
import { FloorPlan, type Picked } from '@iot/shared/plan/floorPlan'
import type { Only } from '@iot/shared/plan/lights'
import type { Room } from '@iot/shared/plan/rooms'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { PartBoundary } from '../../layout/PartBoundary'
import { asking, verbOfLights } from './actions'
import { SelectionBar } from './SelectionBar'
import type { Home } from './useHome'
import * as styles from './home.module.css'

const LampCard = lazyPart(() => import('./LampCard'))

type LitFloorProps = {
  home: Home
  floor: Space
  /** The devices belong to some floors, this one included; they are `undefined` until they are read. */
  devices?: MapDevice[]
  lights?: MapDevice[]
  picked: Picked
  onPick: (picked: Picked) => void
  /** The card of the device with this id is open. */
  opened?: string
  onOpen: (deviceId?: string) => void
  highlighted?: string
  only?: Only
  fill?: boolean
}

/** Shows the floor plan on which lamps and rooms are switched. */
export function LitFloor({
  home: { projectId, tree, modes, tasks, problems, stopped, busy, ask },
  floor,
  devices,
  lights,
  picked,
  onPick,
  opened,
  onOpen,
  highlighted,
  only,
  fill,
}: LitFloorProps) {
  const switchLight = useSwitch(projectId, tasks)
  const here = useMemo(
    () => devices?.filter(({ floorId }) => floorId === floor.id),
    [devices, floor],
  )
  const lamps = useMemo(
    () => lights?.filter(({ floorId }) => floorId === floor.id),
    [lights, floor],
  )
  const openedLight = lamps?.find(({ id }) => id === opened)
  const press = (light: MapDevice) => {
    // The card explains why the lamp cannot be switched.
    if (light.state !== 'online') onOpen(light.id)
    switchLight(light)
  }
  const nameOf = useMemoizedFn((spaceId: string) => {
    const space = tree.get(spaceId)
    return space?.type === 'floor' ? undefined : space?.name
  })
  /**
   * Switches a room. A room is small, entirely visible and easy to restore, so it asks for confirmation only if its
   * control mode requires one.
   */
  const pressRoom = (room: Room, isLit: boolean) => {
    const mode = modes.find(
      (one) => verbOfLights(one) && one.actionType === (isLit ? 'all_off' : 'all_on'),
    )
    if (!mode || busy) return
    const action = asking(
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
        devices={here}
        lights={lamps}
        picked={picked}
        highlighted={highlighted}
        faults={problems.faults}
        only={only}
        picking={busy}
        nameOf={nameOf}
        onSwitch={press}
        onPick={onPick}
        onOpen={({ id }) => onOpen(id)}
        onRoom={pressRoom}
        stopped={stopped}
        fill={fill}
      >
        {picked.size > 0 && (
          <SelectionBar
            picked={picked}
            nameOf={(id) => lamps?.find((one) => one.id === id)?.name}
            projectId={projectId}
            modes={modes}
            busy={busy}
            onAsk={ask}
            onClear={() => onPick(new Map())}
          />
        )}
        <PartBoundary onClose={() => onOpen(undefined)}>
          {openedLight && (
            <div className={openedLight.x > 0.6 ? styles.cardLeft : styles.cardRight}>
              <LampCard
                key={openedLight.id}
                light={openedLight}
                place={tree.nameOf(openedLight.spaceId)}
                projectId={projectId}
                tasks={tasks}
                fault={problems.faults.get(openedLight.id)}
                busy={busy}
                onSwitch={switchLight}
                onClose={() => onOpen(undefined)}
              />
            </div>
          )}
        </PartBoundary>
      </FloorPlan>
    </PartBoundary>
  )
}
