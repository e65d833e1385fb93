import { Button, Flex } from 'antd'
import type { ActionMode } from '@iot/shared/contract/device.schema'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { useInFlightState } from '@iot/shared/control/useOutgoing'
import type { PickedLights } from '@iot/shared/plan/floorPlan'
import { inFlightText } from '@iot/shared/session/outgoing'
import { Can } from '@iot/shared/ui/right'
import { createBulkAction, getLightVerb } from './bulkActions'
import * as styles from './home.module.css'

type SelectionBarProps = {
  picked: PickedLights
  getLampName: (id: string) => string | undefined
  projectId: number
  modes: ActionMode[]
  busy: boolean
  onAsk: (action: ControlConfirmation) => void
  onClear: () => void
}

/** Shows the actions for the selected lamps beside the plan where they were selected. */
export function SelectionBar({
  picked,
  getLampName,
  projectId,
  modes,
  busy,
  onAsk,
  onClear,
}: SelectionBarProps) {
  const getOutgoing = useInFlightState()
  const scope = { kind: 'devices' as const, deviceIds: [...picked.keys()] }
  return (
    <Flex gap={8} align="center" className={styles.selection} role="toolbar" aria-label="选中的灯">
      <strong>已选 {picked.size} 盏</strong>
      {modes.filter(getLightVerb).map((mode) => {
        const action = createBulkAction(
          mode,
          projectId,
          scope,
          describeSelection(picked, getLampName),
        )
        const state = getOutgoing(action.spoken)
        return (
          <Can
            key={mode.actionType}
            to={devicePermissions.bulkControl}
            unless={busy && '编辑模式下不下发命令'}
          >
            <Button size="small" loading={state !== undefined} onClick={() => onAsk(action)}>
              {state ? inFlightText[state] : getLightVerb(mode)}
            </Button>
          </Can>
        )
      })}
      <Button size="small" type="text" onClick={onClear}>
        取消选择
      </Button>
    </Flex>
  )
}

/** Returns the name that the ledger of the control task shows for the selection. */
function describeSelection(
  pickedLights: PickedLights,
  getLampName: SelectionBarProps['getLampName'],
) {
  const [firstId, ...otherIds] = pickedLights.keys()
  return (
    (otherIds.length === 0 && firstId && getLampName(firstId)) || `选中的 ${pickedLights.size} 盏`
  )
}
