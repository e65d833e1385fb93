import { sql } from 'drizzle-orm'
import { loginLog } from '../../tables/loginLog'
import { ownApp, type TestApp } from '../../testing'
import { searchNames } from './searchNames'

let test: TestApp
const names = ['Zoe', 'zq_a', 'zqb', '值班', '100%']
const findNames = async (text: string) => {
  const { db } = test.app
  const rows = await db
    .selectDistinct({ name: loginLog.username })
    .from(loginLog)
    .where(await searchNames(db, loginLog.username, text))
  return rows.map(({ name }) => name).filter((name) => names.includes(name) || /^n\d/.test(name))
}
const insertLogins = (usernames: string[]) =>
  test.app.db.insert(loginLog).values(
    usernames.map((username) => ({
      username,
      time: new Date().toISOString(),
      ok: false,
      reason: '',
      address: '',
      browser: '',
      system: '',
    })),
  )
beforeAll(async () => {
  test = await ownApp()
  await insertLogins([...names, ...names])
})
afterAll(() => test.close())

it('finds rows by part of their name, also by a single letter and in any case', async () => {
  expect((await findNames('z')).sort()).toEqual(['Zoe', 'zq_a', 'zqb'])
  expect(await findNames('q_')).toEqual(['zq_a'])
  expect(await findNames('值')).toEqual(['值班'])
  expect(await findNames('0%')).toEqual(['100%'])
  expect(await findNames('qz')).toEqual([])
  expect((await findNames('')).length).toBe(names.length)
})
it('finds them also among more names than one scan reads', async () => {
  await test.app.db.execute(sql`
    insert into login_log (id, time, username, ok, reason, address, browser, system)
    select gen_random_uuid(), now(), 'n' || n, false, '', '', '', '' from generate_series(1, 5100) as n`)
  expect(await findNames('n5099')).toEqual(['n5099'])
  expect(await findNames('qb')).toEqual(['zqb'])
})
