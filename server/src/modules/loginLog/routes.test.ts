import { authApi } from '@iot/shared/contract/access/auth.api'
import { loginLogApi } from '@iot/shared/contract/access/loginLog.api'
import { taskFilePath } from '@iot/shared/contract/sheet/task'
import { uuidv7 } from 'uuidv7'
import { password, secondPassword, sharedApp, type TestApp } from '../../testing'
import { loginLog } from '../../tables/loginLog'

let app: TestApp
const page = (query: object = {}) => app.as('admin').call(loginLogApi.page, query)
const kick = (id: string, actor = 'admin') => app.as(actor).call(loginLogApi.kick, { id })
beforeAll(async () => {
  app = await sharedApp()
  await app.join('signing', 'visitor')
})

describe('POST /v1/login-log/page', () => {
  it('refuses without a session, without the permission, and with an invalid time', async () => {
    await expect(app.stranger.call(loginLogApi.page, {})).rejects.toMatchObject({ code: 401 })
    await expect(app.as('signing').call(loginLogApi.page, {})).rejects.toMatchObject({
      status: 403,
      data: { permission: 'system:loginLog:list' },
    })
    for (const invalidTime of ['yesterday', '0000-01-01T00:00:00Z'])
      await expect(page({ from: invalidTime })).rejects.toMatchObject({
        code: 422,
        data: { fields: { from: '时间格式不正确' } },
      })
    await expect(page({ anchor: '1~x' })).rejects.toMatchObject({ code: 422 })
  })
  it('lists successful and failed sign-ins by every filter', async () => {
    await app.login('signing', 'wrong-2026').catch(() => {})
    const [failed, ...successfulLogins] = (await page({ username: 'signing' })).list
    expect(failed).toMatchObject({ ok: false, reason: '账号或密码错误', online: false })
    expect(successfulLogins[0]).toMatchObject({ ok: true, reason: '', current: false })
    expect((await page({ username: 'signing', ok: 'false' })).list).toHaveLength(1)
    expect((await page({ username: 'signing', online: 'true' })).list).toEqual(
      successfulLogins.filter(({ online }) => online),
    )
    expect((await page({ username: 'signing', address: '10.99' })).total).toBe(0)
    expect((await page({ to: '2020-01-01T00:00:00+08:00' })).total).toBe(0)
  })
})

test('pages are reached forwards and backwards from any row, despite new rows', async () => {
  const row = { ok: true, reason: '', address: '', browser: '', system: '' }
  const time = (n: number) => new Date(Date.UTC(2001, 0, 1, 0, 0, Math.floor(n / 3))).toISOString()
  await app.app.db.insert(loginLog).values(
    Array.from({ length: 95 }, (_, n) => ({
      ...row,
      id: uuidv7(),
      username: 'paged',
      time: time(n),
    })),
  )
  const getPage = (pageNo: number, anchor?: string, sort?: string) =>
    page({ username: 'paged', pageNo, pageSize: 10, anchor, sort })
  const getIds = ({ list }: { list: { id: string }[] }) => list.map(({ id }) => id)
  const unanchoredPages = await Promise.all(Array.from({ length: 10 }, (_, n) => getPage(n + 1)))
  expect(new Set(unanchoredPages.flatMap(getIds)).size).toBe(95)
  const anchorAtPage7 = `7~${unanchoredPages[6]!.list[0]!.id}`
  for (const [n, expected] of unanchoredPages.entries()) {
    const anchoredPage = await getPage(n + 1, anchorAtPage7)
    expect(getIds(anchoredPage)).toEqual(getIds(expected))
    expect(anchoredPage.total).toBe(95)
  }
  const ascendingPage = await getPage(1, undefined, 'time')
  expect(getIds(ascendingPage)[0]).toBe(getIds(unanchoredPages[9]!).at(-1))
  expect(getIds(await getPage(2, `1~${getIds(ascendingPage)[0]}`, 'time'))).toEqual(
    getIds(await getPage(2, undefined, 'time')),
  )
  // Newer logins change page numbers but not the rows after a page anchor.
  await app.app.db
    .insert(loginLog)
    .values({ ...row, id: uuidv7(), username: 'paged', time: time(300) })
  expect(getIds(await getPage(8, anchorAtPage7))).toEqual(getIds(unanchoredPages[7]!))
})

describe('POST /v1/login-log/kick', () => {
  it('refuses without the permission, for a finished or unknown session, and for the own one', async () => {
    await expect(kick(uuidv7(), 'signing')).rejects.toMatchObject({ status: 403 })
    await expect(kick(uuidv7())).rejects.toMatchObject({ msg: '这次登录已经结束' })
    const token = await app.login('signing', secondPassword)
    const [login] = (await page({ username: 'signing', online: 'true' })).list
    await app.withToken(token).call(authApi.logout, {})
    await expect(kick(login!.id)).rejects.toMatchObject({ msg: '这次登录已经结束' })
    const ownLogin = (await page({ username: 'admin', online: 'true' })).list.find(
      (row) => row.current,
    )
    await expect(kick(ownLogin!.id)).rejects.toMatchObject({
      msg: '这是您当前的会话，请用“退出登录”',
    })
  })
  it('ends only that session, once', async () => {
    const [firstToken, secondToken] = [
      await app.login('signing', secondPassword),
      await app.login('signing', secondPassword),
    ]
    const [newest, older] = (await page({ username: 'signing', online: 'true' })).list
    await kick(newest!.id)
    await expect(app.withToken(secondToken).call(authApi.me, {})).rejects.toMatchObject({
      code: 401,
      msg: '您已被踢下线',
    })
    await app.withToken(firstToken).call(authApi.me, {})
    await expect(kick(newest!.id)).rejects.toMatchObject({ msg: '这次登录已经结束' })
    await kick(older!.id)
  })
})

test('POST /v1/login-log/export writes the filtered rows', async () => {
  const task = await app.as('admin').call(loginLogApi.exportRows, {
    username: 'signing',
    ok: 'false',
    format: 'csv',
  })
  expect(task).toMatchObject({ status: 'done', counts: { success: 1 } })
  const satoken = `Bearer ${await app.login('admin', password)}`
  const file = await app.app.inject({ url: taskFilePath(task.id), headers: { satoken } })
  expect(file.payload).toMatch(
    /^\ufeff时间,账号,结果,原因,IP 地址,浏览器,操作系统\r\n.*signing,失败/,
  )
})
