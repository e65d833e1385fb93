import { menu } from '../../tables/menu'
import { sharedApp, type TestApp } from '../../testing'
import { pageOf, type Slice } from './page'

let app: TestApp['app']
let all: number
beforeAll(async () => {
  ;({ app } = await sharedApp())
  all = await app.db.$count(menu)
})
const count = async (asked: Slice) => {
  const { list, ...counted } = await pageOf(app.db, menu, undefined, asked, (slice) =>
    app.db.select().from(menu).orderBy(menu.id).limit(slice.limit).offset(slice.offset),
  )
  return { shown: list.length, ...counted }
}

it('does not claim to know a number it did not count to', async () => {
  expect(all).toBeGreaterThan(10)
  expect(await count({ pageNo: 1, pageSize: 1, countTo: 6 })).toEqual({
    shown: 1,
    total: 6,
    more: true,
  })
})
it('always has pages to go on to, up to the last', async () => {
  expect(await count({ pageNo: 4, pageSize: 1, countTo: 3 })).toMatchObject({
    total: 8,
    more: true,
  })
  expect(await count({ pageNo: all, pageSize: 1, countTo: 3 })).toEqual({ shown: 1, total: all })
})
it('counts as far as it is asked to', async () =>
  expect(await count({ pageNo: 1, pageSize: 1, countTo: all })).toEqual({ shown: 1, total: all }))
it('knows the number from a page that is not full', async () =>
  expect(await count({ pageNo: 2, pageSize: all - 1 })).toEqual({ shown: 1, total: all }))
it('knows the number of a list whose page has emptied', async () =>
  expect(await count({ pageNo: 3, pageSize: all })).toEqual({ shown: 0, total: all }))
