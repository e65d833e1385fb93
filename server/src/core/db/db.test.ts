import { sql } from 'drizzle-orm'
import { testApp, type TestApp } from '../../testing'
import { transaction } from './db'

describe('a transaction', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await testApp()
  })
  afterAll(() => test.close())

  it('throws when the database handle is used inside it, instead of deadlocking', async () => {
    const { app } = test
    await expect(transaction(app.db, () => app.db.execute(sql`select 1`))).rejects.toMatchObject({
      cause: { message: 'Inside a transaction use its tx, not the database' },
    })
    expect((await app.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
  })
  it('is retried after a serialization failure and rolled back when it fails', async () => {
    const { app } = test
    await app.db.execute(sql`create table tried (n integer)`)
    let attempts = 0
    await transaction(app.db, async (tx) => {
      await tx.execute(sql`insert into tried values (1)`)
      if (++attempts < 3)
        await tx.execute(sql`do $$ begin raise exception using errcode = '40001'; end $$`)
    })
    expect((await app.db.execute(sql`select n from tried`)).rows).toHaveLength(1)
  })
})
