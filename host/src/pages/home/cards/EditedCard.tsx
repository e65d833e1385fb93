import HolderOutlined from '@ant-design/icons/HolderOutlined'
import MoreOutlined from '@ant-design/icons/MoreOutlined'
import Button from 'antd/es/button'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { cardText } from '@iot/shared/contract/project/viewCard'
import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { CardBody } from './CardBody'
import { cardKindSetups } from './kinds'
import type { StepDirection } from './layout'
import { getCardName } from './scope'
import type { CardsData } from './useCardsData'
import * as styles from './cards.module.css'

type EditedCardProps = CardsData & {
  card: ViewCard
  onKeyDown: (event: KeyboardEvent) => void
  onMenu: (isOpen: boolean) => void
  onEdit: () => void
  onStep: (step: StepDirection, isResize: boolean) => void
  onRemove: () => void
  /** The grid passes the remaining properties, such as the position and the resize handle. */
  ref?: Ref<HTMLDivElement>
  className?: string
  children?: ReactNode
}

const moveOptions: [string, StepDirection, boolean][] = [
  ['左移', 'left', false],
  ['右移', 'right', false],
  ['上移', 'up', false],
  ['下移', 'down', false],
  ['加宽', 'right', true],
  ['变窄', 'left', true],
  ['加高', 'down', true],
  ['变矮', 'up', true],
]

/** Shows a card in the editor; its content does not react to clicks. */
export function EditedCard({
  card,
  home,
  floors,
  groups,
  onKeyDown,
  onMenu,
  onEdit,
  onStep,
  onRemove,
  className = '',
  children,
  ...grid
}: EditedCardProps) {
  const { config, x, y, w, h } = card
  const name = getCardName(card, home.tree, groups.data)
  return (
    <div
      {...grid}
      className={`${className} ${styles.edited}`}
      role="group"
      data-card={card.id}
      tabIndex={0}
      aria-label={`${name}，第 ${x + 1} 列第 ${y + 1} 行，宽 ${w} 高 ${h}`}
      onKeyDown={onKeyDown}
    >
      <div className={styles.cell} inert>
        <CardBody {...{ card, home, floors, groups }} />
      </div>
      <div className={styles.handle} data-handle>
        <HolderOutlined />
        {cardKindSetups[config.kind].icon}
        <strong>{name}</strong>
        <span className={styles.hint}>{card.title && cardText[config.kind]}</span>
        <ButtonMenu
          onOpenChange={onMenu}
          entries={[
            { label: '设置', onClick: onEdit },
            'divider',
            ...moveOptions.map(([label, step, isSize]) => ({
              label,
              onClick: () => onStep(step, isSize),
            })),
            'divider',
            { label: '移除', danger: true, onClick: onRemove },
          ]}
        >
          <Button
            type="text"
            size="small"
            icon={<MoreOutlined />}
            aria-label={`卡片“${name}”的更多操作`}
          />
        </ButtonMenu>
      </div>
      {children}
    </div>
  )
}
