import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { mergeCards } from './merge'

const createNoteCard = (
  id: string,
  text: string,
  y: number,
  change: Partial<ViewCard> = {},
): ViewCard => ({
  id,
  title: '',
  projectId: null,
  config: { kind: 'note', text },
  x: 0,
  y,
  w: 4,
  h: 2,
  ...change,
})
const base = [createNoteCard('a', '甲', 0), createNoteCard('b', '乙', 2)]
const describeCards = (cards: ViewCard[]) =>
  cards.map(({ id, y, config }) => `${id}${y}${config.kind === 'note' ? config.text : ''}`)

test('cards added, changed or removed by one user are merged without a question', () => {
  const mine = [
    createNoteCard('a', '甲改', 0),
    createNoteCard('b', '乙', 2),
    createNoteCard('c', '丙', 4),
  ]
  const theirs = [createNoteCard('a', '甲', 0), createNoteCard('d', '丁', 4)]
  const merge = mergeCards(base, mine, theirs)
  expect(merge.asked).toEqual([])
  expect(describeCards(merge.with({}))).toEqual(['a0甲改', 'c2丙', 'd4丁'])
})

test('a card or position changed by both users is asked about', () => {
  const mine = [createNoteCard('a', '我的', 0, { x: 4 }), createNoteCard('b', '乙', 2)]
  const theirs = [createNoteCard('a', '他的', 0), createNoteCard('b', '乙', 2, { x: 2 })]
  const merge = mergeCards(base, mine, theirs)
  expect(merge.asked.sort()).toEqual(['a', 'layout'])
  expect(merge.show('a', merge.current.a)).toBe('备注：他的')
  // The text lists only cards whose position differs.
  expect(merge.show('layout', merge.mine.layout)).toBe(
    '备注 第 5 列第 1 行 4×2；备注 第 1 列第 3 行 4×2',
  )
  expect(merge.with({ a: merge.current.a })[0]).toMatchObject({ x: 4, config: { text: '他的' } })
  expect(merge.with({ layout: merge.current.layout })[0]).toMatchObject({
    x: 0,
    config: { text: '我的' },
  })
})

test('a card changed by one user and removed by the other is asked about', () => {
  const merge = mergeCards(base, [createNoteCard('a', '我的', 0), base[1]!], [base[1]!])
  expect(merge.asked).toEqual(['a'])
  expect(merge.show('a', merge.current.a)).toBe('已移除')
  expect(describeCards(merge.with({ a: merge.current.a }))).toEqual(['b0乙'])
  expect(describeCards(merge.with({}))).toEqual(['a0我的', 'b2乙'])
})
