import { menu } from '../../tables/menu'
import { sharedApp, type TestApp } from '../../testing'
import { readPage, type PageQuery } from './page'

let app: TestApp['app']
let menuCount: number
beforeAll(async () => {
  ;({ app } = await sharedApp())
  menuCount = await app.db.$count(menu)
})
const readCounts = async (pageQuery: PageQuery) => {
  const { list, ...totals } = await readPage(app.db, menu, undefined, pageQuery, (slice) =>
    app.db.select().from(menu).orderBy(menu.id).limit(slice.limit).offset(slice.offset),
  )
  return { shown: list.length, ...totals }
}

it('reports a lower bound and "more" for a total beyond countTo', async () => {
  expect(menuCount).toBeGreaterThan(10)
  expect(await readCounts({ pageNo: 1, pageSize: 1, countTo: 6 })).toEqual({
    shown: 1,
    total: 6,
    more: true,
  })
})
it('reports further pages beyond countTo until the last page is reached', async () => {
  expect(await readCounts({ pageNo: 4, pageSize: 1, countTo: 3 })).toMatchObject({
    total: 8,
    more: true,
  })
  expect(await readCounts({ pageNo: menuCount, pageSize: 1, countTo: 3 })).toEqual({
    shown: 1,
    total: menuCount,
  })
})
it('counts the whole list when countTo allows it', async () =>
  expect(await readCounts({ pageNo: 1, pageSize: 1, countTo: menuCount })).toEqual({
    shown: 1,
    total: menuCount,
  }))
it('knows the total from a page that is not full', async () =>
  expect(await readCounts({ pageNo: 2, pageSize: menuCount - 1 })).toEqual({
    shown: 1,
    total: menuCount,
  }))
it('counts the list when the page is empty', async () =>
  expect(await readCounts({ pageNo: 3, pageSize: menuCount })).toEqual({
    shown: 0,
    total: menuCount,
  }))
