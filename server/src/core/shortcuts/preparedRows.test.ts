import { getTableColumns, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { actionLog } from '../../tables/actionLog'
import { menu } from '../../tables/menu'
import { product } from '../../tables/device'
import { role } from '../../tables/role'
import { user } from '../../tables/user'
import { sharedApp, type TestApp } from '../../testing'
import { createPreparedRows } from './preparedRows'

let db: TestApp['app']['db']
beforeAll(async () => {
  const { app, as, join } = await sharedApp()
  db = app.db
  await join('whole', 'visitor')
  await as('whole').headers()
})

it.each<[string, PgTable]>(Object.entries({ actionLog, menu, product, role, user }))(
  'reads rows of %s exactly as Drizzle does',
  async (_, table) => {
    const rows = await createPreparedRows(table).select(db, sql`order by ${id(table)} limit 50`)
    expect(rows).toEqual(await db.select().from(table).orderBy(id(table)).limit(50))
  },
)
it('returns inserted rows with each given value and the defaults of the others', async () => {
  const values = {
    username: 'a',
    verb: 'b',
    entity: '',
    entityId: '',
    entityName: "'; --",
    ok: true,
    reason: '',
    duration: 1,
    address: '',
    traceId: '',
    fields: ['x', '"y"'],
    time: '2026-11-23T08:00:00.120Z',
    changes: [{ field: 'x', title: '整行', before: '', after: '"' }],
  }
  const [row] = await createPreparedRows(actionLog).add(db, [values])
  expect(row).toMatchObject({ ...values, id: expect.any(String), part: false, projectId: null })
})

const id = (table: PgTable) => getTableColumns(table).id!
