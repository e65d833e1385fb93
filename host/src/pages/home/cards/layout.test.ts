import type { ViewCard } from '@iot/shared/contract/viewCard'
import { added, compacted, moved, resized } from './layout'

const card = (id: string, x: number, y: number, w: number, h: number): ViewCard => ({
  id,
  x,
  y,
  w,
  h,
  title: '',
  projectId: null,
  config: { kind: 'problems' },
})
const places = (cards: ViewCard[]) => cards.map(({ id, x, y, w, h }) => [id, x, y, w, h].join(' '))
const three = [card('a', 0, 0, 6, 4), card('b', 6, 0, 6, 4), card('c', 0, 4, 12, 3)]

test('what lies over another moves down, what hangs free moves up', () => {
  expect(places(compacted([card('a', 0, 0, 6, 4), card('b', 3, 2, 6, 4)]))).toEqual([
    'a 0 0 6 4',
    'b 3 4 6 4',
  ])
  expect(places(compacted([card('a', 0, 9, 6, 4)]))).toEqual(['a 0 0 6 4'])
})

test('up and down go over the next card, sideways by a column', () => {
  expect(places(moved(three, 'a', 'down'))).toEqual(['a 0 7 6 4', 'b 6 0 6 4', 'c 0 4 12 3'])
  expect(places(moved(three, 'c', 'up'))).toEqual(['a 0 3 6 4', 'b 6 3 6 4', 'c 0 0 12 3'])
  expect(places(moved(three, 'a', 'right'))).toEqual(['a 1 0 6 4', 'b 6 4 6 4', 'c 0 8 12 3'])
  expect(places(moved(three, 'a', 'left'))).toEqual(places(three))
  expect(places(moved(three, 'a', 'up'))).toEqual(places(three))
})

test('where they stand one under the other a card goes over the next that is read', () => {
  expect(places(moved(three, 'b', 'up', true))).toEqual(['a 0 4 6 4', 'b 0 0 6 4', 'c 0 8 12 3'])
  expect(places(moved(three, 'b', 'up'))).toEqual(places(three))
})

test('a card grows and shrinks within the grid', () => {
  expect(places(resized(three, 'a', 'down'))).toEqual(['a 0 0 6 5', 'b 6 0 6 4', 'c 0 5 12 3'])
  expect(places(resized(three, 'b', 'right'))).toEqual(places(three))
  expect(places(resized([card('a', 0, 0, 2, 2)], 'a', 'left'))).toEqual(['a 0 0 2 2'])
})

test('a new card stands below all others', () => {
  expect(places(added(three, card('d', 5, 0, 4, 2)))).toContain('d 0 7 4 2')
})
