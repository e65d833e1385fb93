import { cardsSchema, cardTitle, type ViewCard } from '@iot/shared/contract/viewCard'
import { mergeRows } from '@iot/shared/ui/conflict'
import { compacted, placeOf, type Place } from './layout'

type Places = Record<string, Place>
type Content = Pick<ViewCard, 'title' | 'projectId' | 'config'>
type Values = { layout: Places } & Record<string, unknown>

const isSamePlace = (one: Place, other: Place) =>
  one.x === other.x && one.y === other.y && one.w === other.w && one.h === other.h
const contentOf = ({ title, projectId, config }: ViewCard): Content => ({
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
  const common = ids.filter((id) => sides.every((cards) => cards.some((one) => one.id === id)))
  const find = (cards: ViewCard[], id: string) => cards.find((one) => one.id === id)
  const valuesOf = (cards: ViewCard[]): Values => ({
    ...Object.fromEntries(
      ids.map((id) => {
        const card = find(cards, id)
        return [id, card ? contentOf(card) : null]
      }),
    ),
    layout: Object.fromEntries(common.map((id) => [id, placeOf(find(cards, id)!)])),
  })
  const [ofBase, ofMine, ofCurrent] = [valuesOf(base), valuesOf(mine), valuesOf(current)]
  const titles = Object.fromEntries([...byId].map(([id, card]) => [id, cardTitle(card)]))
  const schema = cardsSchema({ layout: '位置和大小', ...titles })
  const { taken, asked } = mergeRows(schema, ofBase, ofMine, ofCurrent)
  return {
    schema,
    asked,
    base: ofBase,
    mine: ofMine,
    current: ofCurrent,
    /** Returns all cards, with the chosen side for each conflict. */
    with(chosen: Record<string, unknown>) {
      const values = { ...ofMine, ...taken, ...chosen } as Values
      return compacted(
        ids.flatMap((id) => {
          const content = values[id] as Content | null
          const place = values.layout[id] ?? find(mine, id) ?? find(current, id)
          return content && place ? [{ id, ...content, ...placeOf(place) }] : []
        }),
      )
    },
    /** Returns the text of a conflicting value for the dialog. */
    show(name: string, value: unknown) {
      if (name !== 'layout') return value ? summary(value as Content) : '已移除'
      return Object.entries(value as Places)
        .filter(([id]) => !isSamePlace(ofMine.layout[id]!, ofCurrent.layout[id]!))
        .map(([id, { x, y, w, h }]) => `${titles[id]} 第 ${x + 1} 列第 ${y + 1} 行 ${w}×${h}`)
        .join('；')
    },
  }
}

const summary = ({ title, config }: Content) =>
  [cardTitle({ title, config }), config.kind === 'note' && config.text.slice(0, 60)]
    .filter(Boolean)
    .join('：')
