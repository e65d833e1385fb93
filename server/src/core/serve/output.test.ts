import { z } from 'zod'
import { shapeOf } from './output'

const Node = z.object({
  name: z.string().min(3),
  phone: z.union([z.literal(''), z.email()]).optional(),
  time: z.iso.datetime().nullable(),
  count: z.number().int().max(3),
  kinds: z.array(z.enum(['a', 'b'])).min(1),
  get children() {
    return z.array(Node)
  },
})
const shape = shapeOf(Node)
const row = { name: 'x', time: null, count: 7.5, kinds: ['a'], children: [] }

it('lets no key out that is not declared, at any depth', () =>
  expect(shape.parse({ ...row, password: 1, children: [{ ...row, hash: 2 }] })).toEqual({
    ...row,
    children: [row],
  }))
it.each([
  ['another type', { name: 1 }],
  ['a missing key', { name: undefined }],
  ['a word of no list', { kinds: ['c'] }],
  ['another type below', { children: [{ ...row, time: 5 }] }],
])('refuses %s', (_, change) => expect(shape.safeParse({ ...row, ...change }).success).toBe(false))
it('asks no rule again', () => {
  expect(Node.safeParse(row).success).toBe(false)
  expect(shape.parse({ ...row, phone: 'not an address' })).toMatchObject({ name: 'x' })
})
