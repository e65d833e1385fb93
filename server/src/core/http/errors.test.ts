import Fastify from 'fastify'
import type { Db } from '../db/db'
import { createConflictRefusal } from '../refusal'
import { handleErrors } from './errors'

const answerConflict = async (execute: () => Promise<unknown>) => {
  const app = Fastify()
  app.decorate('db', { execute } as unknown as Db)
  handleErrors(app)
  app.get('/', () => {
    throw createConflictRefusal({ id: '1', version: 2, updateBy: 'li' })
  })
  return (await app.inject('/')).json<object>()
}

describe('a conflict with a colleague', () => {
  it('names the person', async () =>
    expect(
      await answerConflict(async () => ({ rows: [{ username: 'li', name: '李工' }] })),
    ).toMatchObject({ code: 1002, data: { current: { version: 2, updateBy: '李工' } } }))

  it('stays a conflict with the login name if the database cannot be asked for the person', async () =>
    expect(
      await answerConflict(async () => {
        throw new Error('statement timeout')
      }),
    ).toMatchObject({ code: 1002, data: { current: { version: 2, updateBy: 'li' } } }))
})
