import { Button, Flex } from 'antd'
import type { ActionMode } from '@iot/shared/contract/device'
import { rights } from '@iot/shared/contract/homeRights'
import type { Asked } from '@iot/shared/control/confirmControl'
import type { Picked } from '@iot/shared/plan/floorPlan'
import { Right } from '@iot/shared/ui/right'
import { asking, verbOfLights } from './actions'
import * as styles from './home.module.css'

type SelectionBarProps = {
  picked: Picked
  /** What one of them is called. */
  nameOf: (id: string) => string | undefined
  projectId: number
  modes: ActionMode[]
  busy: boolean
  onAsk: (asked: Asked) => void
  onClear: () => void
}

/** What can be done with the lamps that were picked, where they were picked. */
export const SelectionBar = ({
  picked,
  nameOf,
  projectId,
  modes,
  busy,
  onAsk,
  onClear,
}: SelectionBarProps) => (
  <Flex gap={8} align="center" className={styles.selection} role="toolbar" aria-label="选中的灯">
    <strong>已选 {picked.size} 盏</strong>
    {modes.filter(verbOfLights).map((mode) => (
      <Right key={mode.actionType} to={rights.bulkControl} unless={busy && '编辑模式下不下发命令'}>
        <Button
          size="small"
          onClick={() =>
            onAsk(
              asking(
                mode,
                projectId,
                { kind: 'devices', deviceIds: [...picked.keys()] },
                wordsFor(picked, nameOf),
              ),
            )
          }
        >
          {verbOfLights(mode)}
        </Button>
      </Right>
    ))}
    <Button size="small" type="text" onClick={onClear}>
      取消选择
    </Button>
  </Flex>
)

/** As the ledger calls them. */
function wordsFor(picked: Picked, nameOf: SelectionBarProps['nameOf']) {
  const [one, ...others] = picked.keys()
  return (others.length === 0 && one && nameOf(one)) || `选中的 ${picked.size} 盏`
}
