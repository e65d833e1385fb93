import { Button, Flex } from 'antd'
import type { ActionMode } from '@iot/shared/contract/device'
import { rights } from '@iot/shared/contract/homeRights'
import type { Asked } from '@iot/shared/control/confirmControl'
import { useOutgoing } from '@iot/shared/control/useOutgoing'
import type { Picked } from '@iot/shared/plan/floorPlan'
import { outgoingText } from '@iot/shared/session/outgoing'
import { Right } from '@iot/shared/ui/right'
import { asking, verbOfLights } from './actions'
import * as styles from './home.module.css'

type SelectionBarProps = {
  picked: Picked
  /** Returns the name of a selected lamp. */
  nameOf: (id: string) => string | undefined
  projectId: number
  modes: ActionMode[]
  busy: boolean
  onAsk: (asked: Asked) => void
  onClear: () => void
}

/** Shows the actions for the selected lamps beside the plan where they were selected. */
export function SelectionBar({
  picked,
  nameOf,
  projectId,
  modes,
  busy,
  onAsk,
  onClear,
}: SelectionBarProps) {
  const getOutgoing = useOutgoing()
  const scope = { kind: 'devices' as const, deviceIds: [...picked.keys()] }
  return (
    <Flex gap={8} align="center" className={styles.selection} role="toolbar" aria-label="选中的灯">
      <strong>已选 {picked.size} 盏</strong>
      {modes.filter(verbOfLights).map((mode) => {
        const asked = asking(mode, projectId, scope, wordsFor(picked, nameOf))
        const state = getOutgoing(asked.spoken)
        return (
          <Right
            key={mode.actionType}
            to={rights.bulkControl}
            unless={busy && '编辑模式下不下发命令'}
          >
            <Button size="small" loading={state !== undefined} onClick={() => onAsk(asked)}>
              {state ? outgoingText[state] : verbOfLights(mode)}
            </Button>
          </Right>
        )
      })}
      <Button size="small" type="text" onClick={onClear}>
        取消选择
      </Button>
    </Flex>
  )
}

/** Returns the name that the ledger of the control task shows for the selection. */
function wordsFor(picked: Picked, nameOf: SelectionBarProps['nameOf']) {
  const [one, ...others] = picked.keys()
  return (others.length === 0 && one && nameOf(one)) || `选中的 ${picked.size} 盏`
}
