import { eq, inArray, sql } from 'drizzle-orm'
import { loginLog } from '../../tables/loginLog'
import { sharedApp, type TestApp } from '../../testing'
import { logPage } from './logPage'

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

const page = async (pageNo: number, sort: string, anchor?: string) => {
  const asked = { pageNo, pageSize: 100, sort, anchor }
  const { list, total } = await logPage(db, loginLog, eq(loginLog.username, 'deep'), asked, (ids) =>
    db.select({ id: loginLog.id }).from(loginLog).where(inArray(loginLog.id, ids)),
  )
  return { ids: list.map(({ id }) => id), total }
}

it.each(['-time', 'time'])(
  'shows the same rows far down however they are reached (%s)',
  async (sort) => {
    const direction = sql.raw(sort === 'time' ? 'asc' : 'desc')
    const all = await db
      .select({ id: loginLog.id })
      .from(loginLog)
      .where(eq(loginLog.username, 'deep'))
      .orderBy(sql`${loginLog.time} ${direction}, ${loginLog.id} ${direction}`)
    const at = (pageNo: number) => all.slice((pageNo - 1) * 100, pageNo * 100).map(({ id }) => id)
    for (const pageNo of [101, 201, 150, 100, 199])
      expect((await page(pageNo, sort)).ids).toEqual(at(pageNo))
    expect((await page(201, sort)).total).toBe(rows)
    expect((await page(202, sort)).ids).toEqual([])
    // These pages are reached forwards and backwards from an anchor that is itself deep in the list.
    expect((await page(180, sort, `2~${at(2)[0]}`)).ids).toEqual(at(180))
    expect((await page(130, sort, `190~${at(190)[0]}`)).ids).toEqual(at(130))
  },
)
