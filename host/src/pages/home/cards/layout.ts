import { verticalCompactor } from 'react-grid-layout/core'
import { cardColumns, type ViewCard } from '@iot/shared/contract/viewCard'

/** A grid row is this high in pixels; the value must equal the one in the style sheet. */
export const rowHeight = 40
export const gap = 12

export type Place = Pick<ViewCard, 'x' | 'y' | 'w' | 'h'>
export const placeOf = ({ x, y, w, h }: Place): Place => ({ x, y, w, h })
export const asLayout = (cards: ViewCard[]) =>
  cards.map((card) => ({ i: card.id, ...placeOf(card) }))
type Items = ReturnType<typeof asLayout>

export const placed = (cards: ViewCard[], layout: readonly Items[number][]) =>
  cards.map((card) => {
    const item = layout.find(({ i }) => i === card.id)
    return item ? { ...card, ...placeOf(item) } : card
  })

/** Moves all cards up as far as they go without overlapping, as the grid shows them. */
export const compacted = (cards: ViewCard[]) =>
  placed(cards, verticalCompactor.compact(asLayout(cards), cardColumns) as Items)

/** Sorts the cards in reading order, by row and then by column. */
export const inOrder = (cards: ViewCard[]) =>
  [...cards].sort((one, other) => one.y - other.y || one.x - other.x)

/** Puts a card at a place and lets the others make room. */
function put(cards: ViewCard[], id: string, place: Place) {
  const held = asLayout(cards).map((item) =>
    item.i === id ? { ...item, ...place, static: true } : item,
  )
  const around = verticalCompactor.compact(held, cardColumns) as Items
  return compacted(placed(cards, around))
}

const touches = (one: Place, other: Place) => one.x < other.x + other.w && other.x < one.x + one.w

export type Step = 'left' | 'right' | 'up' | 'down'

/**
 * Moves a card by one column sideways, or past the next card above or below.
 * @param isStack the cards are in one column, so the next card is the next in reading order
 */
export function moved(cards: ViewCard[], id: string, step: Step, isStack = false) {
  const card = cards.find((one) => one.id === id)!
  const place = placeOf(card)
  const last = cardColumns - card.w
  if (step === 'left') return put(cards, id, { ...place, x: Math.max(0, card.x - 1) })
  if (step === 'right') return put(cards, id, { ...place, x: Math.min(last, card.x + 1) })
  const order = inOrder(cards)
  const at = order.indexOf(card)
  const near = (one: ViewCard) => isStack || touches(one, card)
  const next = step === 'up' ? order.slice(0, at).findLast(near) : order.slice(at + 1).find(near)
  if (!next) return cards
  const x = isStack ? Math.min(last, next.x) : card.x
  return put(cards, id, { ...place, x, y: step === 'up' ? next.y : next.y + next.h })
}

const least = { w: 2, h: 2 }
const most = { w: cardColumns, h: 40 }
export const limits = { minW: least.w, minH: least.h, maxW: most.w, maxH: most.h }
const clamp = (value: number, from: number, to: number) => Math.max(from, Math.min(to, value))

/** Resizes a card by one column or row. */
export function resized(cards: ViewCard[], id: string, step: Step) {
  const card = cards.find((one) => one.id === id)!
  const w = card.w + (step === 'right' ? 1 : step === 'left' ? -1 : 0)
  const h = card.h + (step === 'down' ? 1 : step === 'up' ? -1 : 0)
  return put(cards, id, {
    ...placeOf(card),
    w: clamp(w, least.w, cardColumns - card.x),
    h: clamp(h, least.h, most.h),
  })
}

/** Adds a card below all others. */
export const added = (cards: ViewCard[], card: ViewCard) =>
  compacted([...cards, { ...card, x: 0, y: Math.max(0, ...cards.map(({ y, h }) => y + h)) }])
