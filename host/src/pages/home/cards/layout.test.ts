import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { appendCard, compactCards, moveCard, resizeCard } from './layout'

const createCard = (id: string, x: number, y: number, w: number, h: number): ViewCard => ({
  id,
  x,
  y,
  w,
  h,
  title: '',
  projectId: null,
  config: { kind: 'problems' },
})
const describePlaces = (cards: ViewCard[]) =>
  cards.map(({ id, x, y, w, h }) => [id, x, y, w, h].join(' '))
const threeCards = [
  createCard('a', 0, 0, 6, 4),
  createCard('b', 6, 0, 6, 4),
  createCard('c', 0, 4, 12, 3),
]

test('an overlapping card moves down, and a card with free space above moves up', () => {
  expect(
    describePlaces(compactCards([createCard('a', 0, 0, 6, 4), createCard('b', 3, 2, 6, 4)])),
  ).toEqual(['a 0 0 6 4', 'b 3 4 6 4'])
  expect(describePlaces(compactCards([createCard('a', 0, 9, 6, 4)]))).toEqual(['a 0 0 6 4'])
})

test('up and down swap with the next card, left and right move by one column', () => {
  expect(describePlaces(moveCard(threeCards, 'a', 'down'))).toEqual([
    'a 0 7 6 4',
    'b 6 0 6 4',
    'c 0 4 12 3',
  ])
  expect(describePlaces(moveCard(threeCards, 'c', 'up'))).toEqual([
    'a 0 3 6 4',
    'b 6 3 6 4',
    'c 0 0 12 3',
  ])
  expect(describePlaces(moveCard(threeCards, 'a', 'right'))).toEqual([
    'a 1 0 6 4',
    'b 6 4 6 4',
    'c 0 8 12 3',
  ])
  expect(describePlaces(moveCard(threeCards, 'a', 'left'))).toEqual(describePlaces(threeCards))
  expect(describePlaces(moveCard(threeCards, 'a', 'up'))).toEqual(describePlaces(threeCards))
})

test('in the single-column layout a card swaps with the next in reading order', () => {
  expect(describePlaces(moveCard(threeCards, 'b', 'up', true))).toEqual([
    'a 0 4 6 4',
    'b 0 0 6 4',
    'c 0 8 12 3',
  ])
  expect(describePlaces(moveCard(threeCards, 'b', 'up'))).toEqual(describePlaces(threeCards))
})

test('a card is resized within the grid', () => {
  expect(describePlaces(resizeCard(threeCards, 'a', 'down'))).toEqual([
    'a 0 0 6 5',
    'b 6 0 6 4',
    'c 0 5 12 3',
  ])
  expect(describePlaces(resizeCard(threeCards, 'b', 'right'))).toEqual(describePlaces(threeCards))
  expect(describePlaces(resizeCard([createCard('a', 0, 0, 2, 2)], 'a', 'left'))).toEqual([
    'a 0 0 2 2',
  ])
})

test('a new card is added below all others', () => {
  expect(describePlaces(appendCard(threeCards, createCard('d', 5, 0, 4, 2)))).toContain('d 0 7 4 2')
})
