import { assignProducts } from './partitionQueries'

const size = (productKey: string, devices: number) => ({ productKey, devices })

it('divides new products evenly by their devices, the largest first', () => {
  const products = [size('a', 100), size('b', 60), size('c', 50), size('d', 10)]
  expect([...assignProducts(products, new Map(), 2)].sort()).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 1],
    ['d', 0],
  ])
})

it('leaves assigned products where they are and puts a new one on the emptiest partition', () => {
  const storedAssignments = new Map([
    ['a', 0],
    ['b', 0],
  ])
  const products = [size('a', 10), size('b', 10), size('c', 1)]
  expect(assignProducts(products, storedAssignments, 2)).toEqual(
    new Map([...storedAssignments, ['c', 1]]),
  )
})

it('assigns the products of a removed partition again', () => {
  const storedAssignments = new Map([
    ['a', 0],
    ['b', 3],
  ])
  expect(assignProducts([size('a', 10), size('b', 10)], storedAssignments, 2).get('b')).toBe(1)
})
