import { MoreOutlined } from '@ant-design/icons'
import { Button, Space } from 'antd'
import type { ThingFunction } from '@iot/shared/contract/modelDifference'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { Because } from '@iot/shared/ui/right'

type FunctionActionsProps = {
  one: ThingFunction
  refusal: string | undefined
  isLocked: boolean
  siblings: { identifier: string }[]
  onEdit: () => void
  onCopy: () => void
  onStep: (onto: string, isBelow: boolean) => void
  onRemove: () => void
}

export function FunctionActions({
  one,
  refusal,
  isLocked,
  siblings,
  onEdit,
  onCopy,
  onStep,
  onRemove,
}: FunctionActionsProps) {
  const at = siblings.findIndex(({ identifier }) => identifier === one.identifier)
  const [above, below] = [siblings[at - 1], siblings[at + 1]]
  const entry = (
    label: string,
    onClick: () => void,
    unless?: string | false,
    danger?: boolean,
  ) => ({ label, why: refusal ?? unless, danger, onClick })
  return (
    <Space size={0} style={{ marginInlineStart: -7 }}>
      <Because why={refusal}>
        <Button type="link" size="small" onClick={onEdit}>
          编辑
        </Button>
      </Because>
      <ButtonMenu
        entries={[
          entry('复制', onCopy),
          entry('上移', () => onStep(above!.identifier, false), !above && '已经是第一个'),
          entry('下移', () => onStep(below!.identifier, true), !below && '已经是最后一个'),
          entry('删除', onRemove, isLocked && '产品已发布，设备在使用这个功能', true),
        ]}
      >
        <Button
          type="text"
          size="small"
          icon={<MoreOutlined />}
          aria-label={`${one.name}的更多操作`}
        />
      </ButtonMenu>
    </Space>
  )
}
