import { verticalCompactor } from 'react-grid-layout/core'
import { cardColumns, type ViewCard } from '@iot/shared/contract/viewCard'

/** Of the grid, in pixels; the style sheet has the same. */
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

/** As they are shown: none over another, none with room above. */
export const compacted = (cards: ViewCard[]) =>
  placed(cards, verticalCompactor.compact(asLayout(cards), cardColumns) as Items)

/** From the upper left, as they are read. */
export const inOrder = (cards: ViewCard[]) =>
  [...cards].sort((one, other) => one.y - other.y || one.x - other.x)

/** A card where it was put; the others make room. */
function put(cards: ViewCard[], id: string, place: Place) {
  const held = asLayout(cards).map((item) =>
    item.i === id ? { ...item, ...place, static: true } : item,
  )
  const around = verticalCompactor.compact(held, cardColumns) as Items
  return compacted(placed(cards, around))
}

const touches = (one: Place, other: Place) => one.x < other.x + other.w && other.x < one.x + one.w

export type Step = 'left' | 'right' | 'up' | 'down'

/** One column to the side, or over the next card above or below. */
export function moved(cards: ViewCard[], id: string, step: Step) {
  const card = cards.find((one) => one.id === id)!
  const beside = cards.filter((one) => one.id !== id && touches(one, card))
  if (step === 'left') return put(cards, id, { ...placeOf(card), x: Math.max(0, card.x - 1) })
  if (step === 'right')
    return put(cards, id, { ...placeOf(card), x: Math.min(cardColumns - card.w, card.x + 1) })
  if (step === 'up') {
    const above = inOrder(beside.filter(({ y }) => y < card.y)).at(-1)
    return above ? put(cards, id, { ...placeOf(card), y: above.y }) : cards
  }
  const below = inOrder(beside.filter(({ y }) => y > card.y))[0]
  return below ? put(cards, id, { ...placeOf(card), y: card.y + below.h }) : cards
}

const least = { w: 2, h: 2 }
const most = { w: cardColumns, h: 40 }
export const limits = { minW: least.w, minH: least.h, maxW: most.w, maxH: most.h }
const clamp = (value: number, from: number, to: number) => Math.max(from, Math.min(to, value))

/** One column or row larger or smaller. */
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

/** Below all others. */
export const added = (cards: ViewCard[], card: ViewCard) =>
  compacted([...cards, { ...card, x: 0, y: Math.max(0, ...cards.map(({ y, h }) => y + h)) }])
