import MoreOutlined from '@ant-design/icons/MoreOutlined'
import Button from 'antd/es/button'
import Space from 'antd/es/space'
import type { ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { DisabledWithReason } from '@iot/shared/ui/right'

type FunctionActionsProps = {
  rowFunction: ThingFunction
  refusal: string | undefined
  isLocked: boolean
  siblings: { identifier: string }[]
  onEdit: () => void
  onCopy: () => void
  onStep: (targetIdentifier: string, isBelow: boolean) => void
  /** Absent where a function cannot be deprecated, because nothing uses it yet. */
  onDeprecate?: () => void
  onRestore: () => void
  onRemove: () => void
}

export function FunctionActions({
  rowFunction,
  refusal,
  isLocked,
  siblings,
  onEdit,
  onCopy,
  onStep,
  onDeprecate,
  onRestore,
  onRemove,
}: FunctionActionsProps) {
  const index = siblings.findIndex(({ identifier }) => identifier === rowFunction.identifier)
  const [previousSibling, nextSibling] = [siblings[index - 1], siblings[index + 1]]
  const createEntry = (
    label: string,
    onClick: () => void,
    refusalReason?: string | false,
    isDangerous?: boolean,
  ) => ({ label, why: refusal ?? refusalReason, danger: isDangerous, onClick })
  return (
    <Space size={0} style={{ marginInlineStart: -7 }}>
      <DisabledWithReason why={refusal}>
        <Button type="link" size="small" onClick={onEdit}>
          编辑
        </Button>
      </DisabledWithReason>
      <ButtonMenu
        entries={[
          createEntry('复制', onCopy),
          createEntry(
            '上移',
            () => onStep(previousSibling!.identifier, false),
            !previousSibling && '已经是第一个',
          ),
          createEntry(
            '下移',
            () => onStep(nextSibling!.identifier, true),
            !nextSibling && '已经是最后一个',
          ),
          ...(rowFunction.isDeprecated
            ? [createEntry('恢复使用', onRestore)]
            : onDeprecate
              ? [createEntry('弃用', onDeprecate)]
              : []),
          createEntry('删除', onRemove, isLocked && '产品已发布，请用“移除不再使用的功能”', true),
        ]}
      >
        <Button
          type="text"
          size="small"
          icon={<MoreOutlined />}
          aria-label={`${rowFunction.name}的更多操作`}
        />
      </ButtonMenu>
    </Space>
  )
}
