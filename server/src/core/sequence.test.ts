import { createSequence } from './sequence'

it('runs jobs one after the other, also behind a failed one, and passes results and errors on', async () => {
  const runInSequence = createSequence()
  const order: string[] = []
  const first = runInSequence(async () => {
    await Promise.resolve()
    order.push('first')
    throw new Error('broken')
  })
  const second = runInSequence(async () => order.push('second'))
  await expect(first).rejects.toThrow('broken')
  expect(await second).toBe(2)
  expect(order).toEqual(['first', 'second'])
})
