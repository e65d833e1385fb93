import { eq, sql } from 'drizzle-orm'
import { manufacturer } from '../../tables/manufacturer'
import { openDatabase } from './openDatabase'
import { createTestDatabase } from '../../testing.database'
import { contains } from './rows'
import { createSearchIndexes, searchableColumns } from './searchIndexes'
import { log } from '../logging/log'

let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  database = await openDatabase(await createTestDatabase())
})
afterAll(() => database.close())

const countIndexes = async () =>
  (
    await database.db.execute(
      sql`select 1 from pg_indexes where indexdef like '%gin_trgm_ops%' and indexname like '%\\_search'`,
    )
  ).rows.length
const findManufacturers = (text: string) =>
  database.db
    .select({ name: manufacturer.name })
    .from(manufacturer)
    .where(contains(manufacturer.name, text))

it('refuses to search a column that has no trigram index', () =>
  expect(() => contains(manufacturer.address, '科苑')).toThrow('address is not among'))

it('works without the trigram extension and creates the indexes when it becomes available', async () => {
  const { db } = database
  expect(await countIndexes()).toBe(searchableColumns.size)
  await db.execute(sql`drop extension pg_trgm cascade`)
  await db.execute(sql`create role plain`)
  await db.execute(sql`set role plain`)
  const warnSpy = jest.spyOn(log, 'warn').mockImplementation(() => {})
  await createSearchIndexes(db)
  expect(warnSpy).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('没有 pg_trgm'))
  warnSpy.mockRestore()
  await db.execute(sql`reset role`)
  expect(await countIndexes()).toBe(0)
  await db.insert(manufacturer).values(
    ['华明照明', 'ABC_照明', 'abcd'].map((name) => ({
      name,
      code: name,
      shortName: '',
      creditCode: '',
      contact: '',
      phone: '',
      email: '',
      areaCode: '440305',
      address: '',
      website: '',
      logo: '',
      remark: '',
      status: 'enabled' as const,
      createBy: 'test',
      updateBy: 'test',
    })),
  )
  const findNames = async (text: string) =>
    (await findManufacturers(text)).map(({ name }) => name).sort()
  const runSearches = async () => [
    await findNames('照明'),
    await findNames('bC'),
    await findNames('C_'),
  ]
  const answersBefore = await runSearches()
  expect(await findNames('ａｂＣ＿')).toEqual(await findNames('abc_'))
  await db
    .update(manufacturer)
    .set({ shortName: 'ＡＢ区　 （１）' })
    .where(eq(manufacturer.name, 'abcd'))
  for (const text of ['ab区', 'ＡＢ区', '区(1)', '（１）', '区 （ 1', 'A B区(1)'])
    expect(
      await db
        .select({ name: manufacturer.name })
        .from(manufacturer)
        .where(contains(manufacturer.shortName, text)),
    ).toEqual([{ name: 'abcd' }])
  expect(answersBefore).toEqual([['ABC_照明', '华明照明'], ['ABC_照明', 'abcd'], ['ABC_照明']])
  await db.execute(sql`create extension if not exists pg_trgm`)
  await db.execute(sql`create index brand_name_search on brand using gin (name gin_trgm_ops)`)
  await db.execute(
    sql`create index brand_name_narrow_search on brand using gin (name gin_trgm_ops)`,
  )
  await createSearchIndexes(db)
  // The indexes of former versions, which compared other forms of the text, have been dropped.
  expect(await countIndexes()).toBe(searchableColumns.size)
  expect(await runSearches()).toEqual(answersBefore)
})
