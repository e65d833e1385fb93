import Button from 'antd/es/button'
import { BatchBar } from '@iot/shared/ui/batch'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { DisabledWithReason } from '@iot/shared/ui/right'
import type { ModelEditing } from './modelEditing'
import type { ModelChanges } from './useModelChanges'

const flagTexts = { required: '必选', isHistory: '保存历史', isMonitor: '实时监控' } as const

type SelectionBarProps = {
  editing: ModelEditing
  changes: ModelChanges
  selectedIds: string[]
  onClear: () => void
}

/** Actions on the selected functions. */
export function SelectionBar({
  editing: { locked },
  changes,
  selectedIds,
  onClear,
}: SelectionBarProps) {
  const removableIds = selectedIds.filter((id) => !locked.has(id))
  const lockedCount = selectedIds.length - removableIds.length
  const removeMany = () =>
    changes.confirmRemove(
      removableIds,
      `选中的 ${removableIds.length} 项功能`,
      lockedCount > 0 && `跳过 ${lockedCount} 项：产品已发布，设备在使用这些功能。`,
    )
  return (
    <BatchBar count={selectedIds.length} onClear={onClear}>
      {Object.entries(flagTexts).map(([flag, title]) => (
        <ButtonMenu
          key={flag}
          entries={[
            {
              label: `设为${title}`,
              onClick: () => changes.setFlag(selectedIds, flag, title, true),
            },
            {
              label: `取消${title}`,
              onClick: () => changes.setFlag(selectedIds, flag, title, false),
            },
          ]}
        >
          <Button>{title}</Button>
        </ButtonMenu>
      ))}
      <DisabledWithReason why={removableIds.length === 0 && '产品已发布，设备在使用这些功能'}>
        <Button danger onClick={removeMany}>
          删除
        </Button>
      </DisabledWithReason>
    </BatchBar>
  )
}
