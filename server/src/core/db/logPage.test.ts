import { eq, inArray, sql } from 'drizzle-orm'
import { loginLog } from '../../tables/loginLog'
import { sharedApp, type TestApp } from '../../testing'
import { readLogPage } from './logPage'

const rows = 20_050
let db: TestApp['app']['db']
beforeAll(async () => {
  ;({ db } = (await sharedApp()).app)
  await db.execute(sql`
    insert into login_log (id, time, username, ok, reason, address, browser, system)
    select gen_random_uuid(), timestamptz '2001-01-01' + n / 3 * interval '1 second', 'deep', true, '', n::text, '', ''
    from generate_series(1, ${rows}::int) as n`)
})
afterAll(() => db.delete(loginLog).where(eq(loginLog.username, 'deep')))

const readPageIds = async (pageNo: number, sort: string, anchor?: string) => {
  const pageQuery = { pageNo, pageSize: 100, sort, anchor }
  const { list, total } = await readLogPage(
    db,
    loginLog,
    eq(loginLog.username, 'deep'),
    pageQuery,
    (ids) => db.select({ id: loginLog.id }).from(loginLog).where(inArray(loginLog.id, ids)),
  )
  return { ids: list.map(({ id }) => id), total }
}

it.each(['-time', 'time'])(
  'returns the same rows on deep pages from every anchor (%s)',
  async (sort) => {
    const direction = sql.raw(sort === 'time' ? 'asc' : 'desc')
    const all = await db
      .select({ id: loginLog.id })
      .from(loginLog)
      .where(eq(loginLog.username, 'deep'))
      .orderBy(sql`${loginLog.time} ${direction}, ${loginLog.id} ${direction}`)
    const getExpectedIds = (pageNo: number) =>
      all.slice((pageNo - 1) * 100, pageNo * 100).map(({ id }) => id)
    for (const pageNo of [101, 201, 150, 100, 199])
      expect((await readPageIds(pageNo, sort)).ids).toEqual(getExpectedIds(pageNo))
    expect((await readPageIds(201, sort)).total).toBe(rows)
    expect((await readPageIds(202, sort)).ids).toEqual([])
    // These pages are reached forwards and backwards from an anchor that is itself deep in the list.
    expect((await readPageIds(180, sort, `2~${getExpectedIds(2)[0]}`)).ids).toEqual(
      getExpectedIds(180),
    )
    expect((await readPageIds(130, sort, `190~${getExpectedIds(190)[0]}`)).ids).toEqual(
      getExpectedIds(130),
    )
  },
)
