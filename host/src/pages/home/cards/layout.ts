import { verticalCompactor } from 'react-grid-layout/core'
import { cardColumns } from '@iot/shared/contract/project/viewCard'
import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'

/** A grid row is this high in pixels; the value must equal the one in the style sheet. */
export const rowHeightPx = 40
export const gapPx = 12

export type CardPlace = Pick<ViewCard, 'x' | 'y' | 'w' | 'h'>
export const getCardPlace = ({ x, y, w, h }: CardPlace): CardPlace => ({ x, y, w, h })
export const toLayoutItems = (cards: ViewCard[]) =>
  cards.map((card) => ({ i: card.id, ...getCardPlace(card) }))
type LayoutItems = ReturnType<typeof toLayoutItems>

export const applyLayout = (cards: ViewCard[], layout: readonly LayoutItems[number][]) =>
  cards.map((card) => {
    const item = layout.find(({ i }) => i === card.id)
    return item ? { ...card, ...getCardPlace(item) } : card
  })

/** Moves all cards up as far as they go without overlapping, as the grid shows them. */
export const compactCards = (cards: ViewCard[]) =>
  applyLayout(cards, verticalCompactor.compact(toLayoutItems(cards), cardColumns) as LayoutItems)

/** Sorts the cards in reading order, by row and then by column. */
export const sortByPosition = (cards: ViewCard[]) =>
  [...cards].sort((a, b) => a.y - b.y || a.x - b.x)

/** Puts a card at a place and lets the others make room. */
function placeCard(cards: ViewCard[], id: string, place: CardPlace) {
  const pinnedItems = toLayoutItems(cards).map((item) =>
    item.i === id ? { ...item, ...place, static: true } : item,
  )
  const compactedItems = verticalCompactor.compact(pinnedItems, cardColumns) as LayoutItems
  return compactCards(applyLayout(cards, compactedItems))
}

const overlapsColumns = (left: CardPlace, right: CardPlace) =>
  left.x < right.x + right.w && right.x < left.x + left.w

export type StepDirection = 'left' | 'right' | 'up' | 'down'

/**
 * Moves a card by one column sideways, or past the next card above or below.
 * @param isStacked the cards are in one column, so the next card is the next in reading order
 */
export function moveCard(cards: ViewCard[], id: string, step: StepDirection, isStacked = false) {
  const card = cards.find((candidate) => candidate.id === id)!
  const place = getCardPlace(card)
  const maxX = cardColumns - card.w
  if (step === 'left') return placeCard(cards, id, { ...place, x: Math.max(0, card.x - 1) })
  if (step === 'right') return placeCard(cards, id, { ...place, x: Math.min(maxX, card.x + 1) })
  const orderedCards = sortByPosition(cards)
  const index = orderedCards.indexOf(card)
  const isNeighbour = (viewCard: ViewCard) => isStacked || overlapsColumns(viewCard, card)
  const nextCard =
    step === 'up'
      ? orderedCards.slice(0, index).findLast(isNeighbour)
      : orderedCards.slice(index + 1).find(isNeighbour)
  if (!nextCard) return cards
  const nextX = isStacked ? Math.min(maxX, nextCard.x) : card.x
  return placeCard(cards, id, {
    ...place,
    x: nextX,
    y: step === 'up' ? nextCard.y : nextCard.y + nextCard.h,
  })
}

const minSize = { w: 2, h: 2 }
const maxSize = { w: cardColumns, h: 40 }
export const sizeLimits = { minW: minSize.w, minH: minSize.h, maxW: maxSize.w, maxH: maxSize.h }
const clamp = (value: number, from: number, to: number) => Math.max(from, Math.min(to, value))

/** Resizes a card by one column or row. */
export function resizeCard(cards: ViewCard[], id: string, step: StepDirection) {
  const card = cards.find((candidate) => candidate.id === id)!
  const width = card.w + (step === 'right' ? 1 : step === 'left' ? -1 : 0)
  const height = card.h + (step === 'down' ? 1 : step === 'up' ? -1 : 0)
  return placeCard(cards, id, {
    ...getCardPlace(card),
    w: clamp(width, minSize.w, cardColumns - card.x),
    h: clamp(height, minSize.h, maxSize.h),
  })
}

/** Adds a card below all others. */
export const appendCard = (cards: ViewCard[], card: ViewCard) =>
  compactCards([...cards, { ...card, x: 0, y: Math.max(0, ...cards.map(({ y, h }) => y + h)) }])
