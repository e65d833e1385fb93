import { getCardTitle } from '@iot/shared/contract/project/viewCard'
import { createCardsSchema, type ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { mergeRows } from '@iot/shared/ui/conflict'
import { compactCards, getCardPlace, type CardPlace } from './layout'

type PlacesById = Record<string, CardPlace>
type CardContent = Pick<ViewCard, 'title' | 'projectId' | 'config'>
type MergeValues = { layout: PlacesById } & Record<string, unknown>

const isSamePlace = (left: CardPlace, right: CardPlace) =>
  left.x === right.x && left.y === right.y && left.w === right.w && left.h === right.h
const getContent = ({ title, projectId, config }: ViewCard): CardContent => ({
  title,
  projectId,
  config,
})

/**
 * Three-way merge of the cards that two people arranged. All positions together form one conflict, and the settings of
 * each card form one of their own. Cards that only one of them added, changed or removed do not conflict.
 */
export function mergeCards(base: ViewCard[], mine: ViewCard[], current: ViewCard[]) {
  const sides = [base, mine, current]
  const byId = new Map(sides.flat().map((card) => [card.id, card]))
  const ids = [...byId.keys()]
  const commonIds = ids.filter((id) => sides.every((cards) => cards.some((card) => card.id === id)))
  const findCard = (cards: ViewCard[], id: string) => cards.find((card) => card.id === id)
  const toMergeValues = (cards: ViewCard[]): MergeValues => ({
    ...Object.fromEntries(
      ids.map((id) => {
        const card = findCard(cards, id)
        return [id, card ? getContent(card) : null]
      }),
    ),
    layout: Object.fromEntries(commonIds.map((id) => [id, getCardPlace(findCard(cards, id)!)])),
  })
  const [baseValues, myValues, currentValues] = [
    toMergeValues(base),
    toMergeValues(mine),
    toMergeValues(current),
  ]
  const titles = Object.fromEntries([...byId].map(([id, card]) => [id, getCardTitle(card)]))
  const schema = createCardsSchema({ layout: '位置和大小', ...titles })
  const { taken: mergedValues, asked: conflictKeys } = mergeRows(
    schema,
    baseValues,
    myValues,
    currentValues,
  )
  return {
    schema,
    asked: conflictKeys,
    base: baseValues,
    mine: myValues,
    current: currentValues,
    /** Returns all cards, with the chosen side for each conflict. */
    with(chosenValues: Record<string, unknown>) {
      const values = { ...myValues, ...mergedValues, ...chosenValues } as MergeValues
      return compactCards(
        ids.flatMap((id) => {
          const content = values[id] as CardContent | null
          const place = values.layout[id] ?? findCard(mine, id) ?? findCard(current, id)
          return content && place ? [{ id, ...content, ...getCardPlace(place) }] : []
        }),
      )
    },
    /** Returns the text of a conflicting value for the dialog. */
    show(name: string, value: unknown) {
      if (name !== 'layout') return value ? summarizeContent(value as CardContent) : '已移除'
      return Object.entries(value as PlacesById)
        .filter(([id]) => !isSamePlace(myValues.layout[id]!, currentValues.layout[id]!))
        .map(([id, { x, y, w, h }]) => `${titles[id]} 第 ${x + 1} 列第 ${y + 1} 行 ${w}×${h}`)
        .join('；')
    },
  }
}

const summarizeContent = ({ title, config }: CardContent) =>
  [getCardTitle({ title, config }), config.kind === 'note' && config.text.slice(0, 60)]
    .filter(Boolean)
    .join('：')
