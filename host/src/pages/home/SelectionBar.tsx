import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import type { ActionMode, MapDevice } from '@iot/shared/contract/device/device.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { OverrideScope } from '@iot/shared/contract/control/manualOverride.schema'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import type { HoldChoice } from '@iot/shared/control/overrideForm'
import { useInFlightState } from '@iot/shared/control/useOutgoing'
import type { PickedLights } from '@iot/shared/plan/floorPlan'
import { inFlightText } from '@iot/shared/session/outgoing'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { PartBoundary } from '../../layout/PartBoundary'
import { createBulkAction, getLightVerb, hasStrictMode } from './bulkActions'
import { HoldButton } from './HoldButton'
import type { SetForSelection } from './SelectionSliders'
import * as styles from './home.module.css'

const SelectionSliders = lazyPart(() => import('./SelectionSliders'))

type SelectionBarProps = {
  picked: PickedLights
  /** The lights of the floor, among them the selected ones. */
  lights: MapDevice[]
  projectId: number
  modes: ActionMode[]
  busy: boolean
  /** Returns the name of a room; undefined for the floor itself. */
  getRoomName: (spaceId: string) => string | undefined
  onAsk: (action: ControlConfirmation) => void
  /** Opens the details of the lamp if it is the only one selected. */
  onOpen: (deviceId: string) => void
  onClear: () => void
}

/** Shows the actions for the selected lamps beside the plan where they were selected. */
export function SelectionBar({
  picked,
  lights,
  projectId,
  modes,
  busy,
  getRoomName,
  onAsk,
  onOpen,
  onClear,
}: SelectionBarProps) {
  const getOutgoing = useInFlightState()
  const scope = { kind: 'devices' as const, deviceIds: [...picked.keys()] }
  const pickedLights = lights.filter(({ id }) => picked.has(id))
  const [onlyLight] = picked.size === 1 ? pickedLights : []
  const holdChoices = buildHoldChoices(pickedLights, lights, scope, getRoomName)
  const refusal = busy && '编辑模式下不下发命令'
  const setForSelection: SetForSelection = (
    { identifier, name, unit },
    value,
    adjustableLights,
  ) => {
    const deviceIds = adjustableLights.map(({ id }) => id)
    const [only] = adjustableLights.length === 1 ? adjustableLights : []
    const place = only?.name ?? `选中的 ${deviceIds.length} 盏灯`
    const isOneRoom = new Set(adjustableLights.map(({ spaceId }) => spaceId)).size === 1
    onAsk({
      title: `${place}${name}调到 ${value}${unit}`,
      okText: '执行',
      request: {
        kind: 'set',
        projectId,
        scope: { kind: 'devices', deviceIds },
        values: { [identifier]: value },
      },
      spoken: {
        kind: 'action',
        name: `${place}${name}调到 ${value}${unit}`,
        done: `${place}${name}已调到 ${value}${unit}`,
      },
      // The lamps of one room are all in sight; more of them show first what would happen.
      confirm: hasStrictMode(modes) ? 'strict' : isOneRoom ? 'none' : 'ask',
    })
  }
  return (
    <div className={styles.selection} role="toolbar" aria-label="选中的灯">
      <Flex gap={8} align="center" wrap>
        <strong>已选 {picked.size} 盏</strong>
        {modes.filter(getLightVerb).map((mode) => {
          const action = createBulkAction(
            mode,
            projectId,
            scope,
            describeSelection(picked, onlyLight),
          )
          const state = getOutgoing(action.spoken)
          return (
            <Can key={mode.actionType} to={devicePermissions.bulkControl} unless={refusal}>
              <Button size="small" loading={state !== undefined} onClick={() => onAsk(action)}>
                {state ? inFlightText[state] : getLightVerb(mode)}
              </Button>
            </Can>
          )
        })}
        {onlyLight && (
          <Button size="small" onClick={() => onOpen(onlyLight.id)}>
            详情
          </Button>
        )}
        <HoldButton size="small" projectId={projectId} choices={holdChoices} />
        <Button size="small" type="text" onClick={onClear}>
          取消选择
        </Button>
      </Flex>
      <PartBoundary>
        <SelectionSliders
          projectId={projectId}
          lights={pickedLights}
          refusal={refusal}
          onSet={setForSelection}
        />
      </PartBoundary>
    </div>
  )
}

/** Returns the name that the ledger of the control task shows for the selection. */
const describeSelection = (pickedLights: PickedLights, onlyLight: MapDevice | undefined) =>
  onlyLight?.name ?? `选中的 ${pickedLights.size} 盏`

/** A selection of all lamps of a room may hold the room, so that lamps that are put there later are held, too. */
function buildHoldChoices(
  pickedLights: MapDevice[],
  lights: MapDevice[],
  scope: Extract<OverrideScope, { kind: 'devices' }>,
  getRoomName: SelectionBarProps['getRoomName'],
): [HoldChoice, ...HoldChoice[]] {
  const [first] = pickedLights
  const ownChoice: HoldChoice = {
    name: pickedLights.length === 1 ? first!.name : `选中的 ${scope.deviceIds.length} 盏灯`,
    scope,
  }
  const roomName = first && getRoomName(first.spaceId)
  const roomLights = lights.filter(({ spaceId }) => spaceId === first?.spaceId)
  const isWholeRoom =
    roomName !== undefined &&
    roomLights.length === pickedLights.length &&
    pickedLights.every(({ spaceId }) => spaceId === first?.spaceId)
  return isWholeRoom
    ? [{ name: `整个${roomName}`, scope: { kind: 'space', spaceId: first!.spaceId } }, ownChoice]
    : [ownChoice]
}
