import { sql } from 'drizzle-orm'
import { createTestDatabase } from '../../testing.database'
import { openDatabase } from '../db/openDatabase'
import { log } from '../logging/log'
import { isAdditive, waitForOlderMembers } from './members'

it.each([
  ['CREATE TABLE "lease" ("name" text)', true],
  ['CREATE INDEX "one" ON "two" ("three")', true],
  ['ALTER TABLE "a" ADD COLUMN "b" text', true],
  [`ALTER TABLE "a" ADD COLUMN "b" text DEFAULT '' NOT NULL;`, true],
  ['ALTER TABLE "a" ADD COLUMN "b" text NOT NULL', false],
  ['CREATE UNIQUE INDEX "one" ON "two" ("three")', false],
  ['ALTER TABLE "a" DROP COLUMN "b"', false],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL', false],
  ['UPDATE "a" SET "b" = 1', false],
])('judges %s', (statement, answer) => expect(isAdditive(statement)).toBe(answer))

describe('a process of an older version that is running', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>
  beforeAll(async () => {
    database = await openDatabase(await createTestDatabase())
    await database.db.execute(
      sql`insert into lease (name, holder, fence, ends_at) values ('member/0001/old', 'old', 1, now() + interval '1 hour')`,
    )
    jest.spyOn(log, 'warn').mockImplementation()
  })
  afterAll(() => database.close())

  it('does not delay a start without migrations', () => waitForOlderMembers(database.db, 0))

  it('delays a migration that changes what it reads, and is named in the refusal', async () => {
    await database.db.execute(sql`update migration set statements = 0 where name like '0080%'`)
    await expect(waitForOlderMembers(database.db, 0)).rejects.toThrow('1 个旧版本的进程还在运行')
    await database.db.execute(sql`update lease set ends_at = now()`)
    await waitForOlderMembers(database.db, 0)
  })
})
