import { z } from 'zod'
import { toOutputShape } from './outputShape'

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
const shape = toOutputShape(Node)
const row = { name: 'x', time: null, count: 7.5, kinds: ['a'], children: [] }

it('removes undeclared keys at every depth', () =>
  expect(shape.parse({ ...row, password: 1, children: [{ ...row, hash: 2 }] })).toEqual({
    ...row,
    children: [row],
  }))
it.each([
  ['a value of another type', { name: 1 }],
  ['a missing key', { name: undefined }],
  ['a value outside its enum', { kinds: ['c'] }],
  ['a nested value of another type', { children: [{ ...row, time: 5 }] }],
])('refuses %s', (_, change) => expect(shape.safeParse({ ...row, ...change }).success).toBe(false))
it('does not apply validation rules to stored values', () => {
  expect(Node.safeParse(row).success).toBe(false)
  expect(shape.parse({ ...row, phone: 'not an address' })).toMatchObject({ name: 'x' })
})

it('answers a repeated entry once in a list that clients send, unless it is a sequence', () => {
  const list = z.array(z.string())
  const lists = toOutputShape(
    z.object({
      set: list.max(9),
      sequence: list.max(9).meta({ isSequence: true }),
      answer: list,
    }),
  )
  const entries = ['a', 'b', 'a']
  expect(lists.parse({ set: entries, sequence: entries, answer: entries })).toEqual({
    set: ['a', 'b'],
    sequence: entries,
    answer: entries,
  })
})

const number = z.preprocess((value) => value, z.number().max(3))
const Specs = z
  .object({ min: number, max: number })
  .refine(({ min, max }) => min <= max)
  .default({ min: 0, max: 1 })
const Kind = z.discriminatedUnion('type', [
  z.object({ type: z.literal('int'), specs: Specs }),
  z.object({
    type: z.literal('enum'),
    specs: z.record(z.string().regex(/^\d$/), z.string().min(2)),
  }),
])
describe('a discriminated union', () => {
  const kind = toOutputShape(Kind)
  it.each([
    { type: 'int', specs: { min: 9, max: 1 } },
    { type: 'enum', specs: { on: '' } },
  ])('does not apply the validation rules to %j', (old) => {
    expect(Kind.safeParse(old).success).toBe(false)
    expect(kind.parse({ ...old, password: 1 })).toEqual(old)
  })
  it('fills in default values', () =>
    expect(kind.parse({ type: 'int' })).toEqual({ type: 'int', specs: { min: 0, max: 1 } }))
  it('refuses an unknown discriminator and a value of another type', () => {
    expect(kind.safeParse({ type: 'text' }).success).toBe(false)
    expect(kind.safeParse({ type: 'enum', specs: { 0: 1 } }).success).toBe(false)
  })
})
