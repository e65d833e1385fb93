import { useState, type KeyboardEvent } from 'react'
import { newIdempotencyKey } from '@iot/shared/client/call'
import type { CardKind, ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { cardKindSetups, hasOnlyTitle } from './kinds'
import {
  appendCard,
  compactCards,
  moveCard,
  resizeCard,
  sortByPosition,
  type StepDirection,
} from './layout'
import { getCardName } from './scope'
import type { CardsData } from './useCardsData'

type CardActionOptions = {
  cards: ViewCard[]
  cardsData: CardsData
  /** The cards are stacked in one column. */
  isNarrow: boolean
  onChange: (nextCards: ViewCard[]) => void
  /** Moves the focus to the card with this id, or to the add button if there is no id. */
  onFocus: (id?: string) => void
}

const stepByKey: Record<string, StepDirection> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** Returns the actions on a single card; each is announced to screen readers and followed by the focus. */
export function useCardActions({
  cards,
  cardsData,
  isNarrow,
  onChange,
  onFocus,
}: CardActionOptions) {
  const [editing, setEditing] = useState<ViewCard>()
  const [announcement, announce] = useState('')
  const getName = (card: ViewCard) => getCardName(card, cardsData.home.tree, cardsData.groups.data)
  const isCardPlaced = (card: ViewCard) => cards.some(({ id }) => id === card.id)

  const addCard = (kind: CardKind) => {
    const { size, config } = cardKindSetups[kind]
    const card: ViewCard = {
      id: newIdempotencyKey(),
      title: '',
      projectId: null,
      x: 0,
      y: 0,
      ...size,
      config: config(cardsData.home.tree),
    }
    if (hasOnlyTitle(card.config)) putCard(card)
    else setEditing(card)
  }
  const putCard = (card: ViewCard) => {
    const isNew = !isCardPlaced(card)
    onChange(
      isNew ? appendCard(cards, card) : cards.map((item) => (item.id === card.id ? card : item)),
    )
    setEditing(undefined)
    onFocus(card.id)
    if (isNew) announce(`已添加${getName(card)}`)
  }
  const closeForm = (card: ViewCard) => {
    setEditing(undefined)
    onFocus(isCardPlaced(card) ? card.id : undefined)
  }
  const removeCard = (card: ViewCard) => {
    const remainingCards = cards.filter(({ id }) => id !== card.id)
    const orderedCards = sortByPosition(cards)
    const index = orderedCards.findIndex(({ id }) => id === card.id)
    onChange(compactCards(remainingCards))
    onFocus((orderedCards[index + 1] ?? orderedCards[index - 1])?.id)
    announce(`已移除${getName(card)}`)
  }
  const stepCard = (card: ViewCard, step: StepDirection, isResize: boolean) => {
    const steppedCards = isResize
      ? resizeCard(cards, card.id, step)
      : moveCard(cards, card.id, step, isNarrow)
    onChange(steppedCards)
    onFocus(card.id)
    const { x, y, w, h } = steppedCards.find(({ id }) => id === card.id)!
    announce(isResize ? `宽 ${w} 列，高 ${h} 行` : `第 ${x + 1} 列，第 ${y + 1} 行`)
  }
  const onCardKeyDown = (card: ViewCard, event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return
    const step = stepByKey[event.key]
    if (step) stepCard(card, step, event.shiftKey)
    else if (event.key === 'Enter') setEditing(card)
    else if (event.key === 'Delete' || event.key === 'Backspace') removeCard(card)
    else return
    event.preventDefault()
  }
  return {
    editing,
    setEditing,
    closeForm,
    announcement,
    addCard,
    putCard,
    removeCard,
    stepCard,
    onCardKeyDown,
  }
}
