import PlusOutlined from '@ant-design/icons/PlusOutlined'
import RedoOutlined from '@ant-design/icons/RedoOutlined'
import UndoOutlined from '@ant-design/icons/UndoOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Space from 'antd/es/space'
import type { Ref } from 'react'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { cardText, maxCards } from '@iot/shared/contract/project/viewCard'
import type { CardKind } from '@iot/shared/contract/project/viewCard.schema'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { DisabledWithReason, Can } from '@iot/shared/ui/right'
import { cardKindSetups } from './kinds'
import type { EditedCards } from './useEditedCards'
import * as styles from './cards.module.css'

type EditorToolbarProps = {
  draft: EditedCards
  isNarrow: boolean
  isSaving: boolean
  addButtonRef: Ref<HTMLButtonElement>
  onMenu: (isOpen: boolean) => void
  onAdd: (kind: CardKind) => void
  onCancel: () => void
  onSave: () => void
}

const keyboardHint = '拖动标题移动；选中后方向键移动，Shift 加方向键改大小，回车设置，Delete 移除。'
const menuHint = '用卡片右上角的菜单移动、设置和移除。'

/** Adds cards, undoes and redoes, and ends editing with or without saving. */
export function EditorToolbar({
  draft,
  isNarrow,
  isSaving,
  addButtonRef,
  onMenu,
  onAdd,
  onCancel,
  onSave,
}: EditorToolbarProps) {
  const { cards, history, isDirty } = draft
  const isFull = cards.length >= maxCards
  return (
    <Flex
      className={styles.bar}
      gap={8}
      wrap
      justify="space-between"
      role="toolbar"
      aria-label="编排视图"
    >
      <Space wrap>
        <DisabledWithReason why={isFull && `一个视图最多 ${maxCards} 张卡片`}>
          <ButtonMenu
            onOpenChange={onMenu}
            entries={(Object.keys(cardKindSetups) as CardKind[]).map((kind) => ({
              label: cardText[kind],
              icon: cardKindSetups[kind].icon,
              onClick: () => onAdd(kind),
            }))}
          >
            <Button ref={addButtonRef} icon={<PlusOutlined />}>
              添加卡片
            </Button>
          </ButtonMenu>
        </DisabledWithReason>
        <Space.Compact>
          <Button
            icon={<UndoOutlined />}
            aria-label="撤销"
            title="撤销（Ctrl Z）"
            disabled={isSaving || history.backLength === 0}
            onClick={history.back}
          />
          <Button
            icon={<RedoOutlined />}
            aria-label="重做"
            title="重做（Ctrl Shift Z）"
            disabled={isSaving || history.forwardLength === 0}
            onClick={history.forward}
          />
        </Space.Compact>
        <span className={styles.hint}>
          {cards.length} / {maxCards} 张。{isNarrow ? menuHint : keyboardHint}
        </span>
      </Space>
      <Space>
        <Button disabled={isSaving} onClick={onCancel}>
          取消
        </Button>
        <Can to={viewApi.arrange}>
          <Button type="primary" disabled={!isDirty} loading={isSaving} onClick={onSave}>
            保存
          </Button>
        </Can>
      </Space>
    </Flex>
  )
}
