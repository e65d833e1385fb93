import { authApi } from '@iot/shared/contract/auth'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { roleApi } from '@iot/shared/contract/role'
import { userApi } from '@iot/shared/contract/user'
import { eq } from 'drizzle-orm'
import { password, testApp, type Refused, type TestApp } from '../../testing'
import { actionLog } from '../../tables/actionLog'
import { knownDevice, loginFailure, session } from '../../tables/auth'
import { loginLog } from '../../tables/loginLog'
import { user } from '../../tables/user'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.app.db.delete(loginFailure)
})

const attempt = (username: string, secret: string) =>
  app.stranger
    .call(authApi.login, { username, password: secret })
    .catch((refused: Refused) => refused)
async function newUser(username: string, role = '运维值班') {
  const roles = await app.as('admin').call(roleApi.list, {})
  const draft = {
    username,
    name: username,
    phone: '',
    email: '' as const,
    roleIds: [roles.find(({ name }) => name === role)!.id],
    projectIds: [1],
    expireTime: null,
  }
  return app.as('admin').call(userApi.create, draft)
}

describe('the token', () => {
  const me = (satoken?: string) =>
    app.app
      .inject({
        method: 'GET',
        url: '/v1/auth/me',
        headers: satoken === undefined ? {} : { satoken },
      })
      .then((answer) => answer.json())
  it('is asked for with a reason, HTTP 200 and body code 401', async () =>
    expect(await me()).toMatchObject({ code: 401, msg: '未登录，请先登录' }))
  it('stands after Bearer and exactly one space', async () => {
    const token = await app.login('admin', password)
    for (const wrong of [
      token,
      `Bearer  ${token}`,
      `bearer ${token}`,
      `Bearer ${token} `,
      `Bearer ${token}x`,
    ])
      expect(await me(wrong)).toMatchObject({ code: 401 })
    expect(await me(`Bearer ${token}`)).toMatchObject({ code: 0 })
  })
  it('is stored as its hash only', async () => {
    const token = await app.login('admin', password)
    expect(JSON.stringify(await app.app.db.select().from(session))).not.toContain(token)
  })
  it('that is past its time is refused as expired', async () => {
    const token = await app.login('admin', password)
    await app.app.db.update(session).set({ expireTime: new Date(Date.now() - 1000).toISOString() })
    app.app.sessions.forget()
    expect(await me(`Bearer ${token}`)).toMatchObject({
      code: 401,
      msg: expect.stringContaining('已过期'),
    })
    app.forget('admin')
  })
})

describe('POST /v1/auth/login', () => {
  it('refuses an empty form at its fields', async () =>
    expect(await attempt('', '')).toMatchObject({
      code: 422,
      data: { fields: { username: '请输入账号', password: '请输入密码' } },
    }))
  it('says the same of an unknown user and a wrong password', async () => {
    const [unknown, wrong] = [await attempt('nobody', 'x'), await attempt('admin', 'x')]
    expect(unknown).toMatchObject({ code: 1001, msg: '账号或密码错误', data: { captcha: false } })
    expect(wrong).toMatchObject({ code: 1001, msg: '账号或密码错误' })
  })
  it('asks for a captcha after two failures, also of a right password', async () => {
    await attempt('admin', 'x')
    expect(await attempt('admin', 'x')).toMatchObject({ data: { captcha: true } })
    expect(await attempt('admin', password)).toMatchObject({
      code: 422,
      data: { captcha: true, fields: { captcha: '请输入验证码' } },
    })
  })
  it('takes a drawn captcha no second time and refuses a wrong answer', async () => {
    const { captchaId, svg } = await app.stranger.call(authApi.captcha, {})
    expect(svg).toContain('<svg')
    await attempt('admin', 'x')
    await attempt('admin', 'x')
    const wrong = { username: 'admin', password, captchaId, captcha: '????' }
    await expect(app.stranger.call(authApi.login, wrong)).rejects.toMatchObject({ code: 422 })
    await expect(app.stranger.call(authApi.login, wrong)).rejects.toMatchObject({ code: 422 })
  })
  it('shuts an account after five failures, with one message', async () => {
    const at = new Date().toISOString()
    for (const key of ['user:admin', 'user:nobody'])
      await app.app.db.insert(loginFailure).values({
        key,
        count: 5,
        since: at,
        lockedUntil: new Date(Date.now() + 600_000).toISOString(),
      })
    const [real, unknown] = [await attempt('admin', password), await attempt('nobody', password)]
    expect(real).toMatchObject({ code: 1001, msg: '失败次数过多，请 10 分钟后再试' })
    expect(unknown).toMatchObject({ msg: '失败次数过多，请 10 分钟后再试' })
  })
  it('looks at no more than five of twenty guesses at the same moment', async () => {
    await newUser('guessed')
    const tries = Array.from({ length: 20 }, () => attempt('guessed', 'x'))
    const answers = (await Promise.all(tries)) as Refused[]
    const looked = answers.filter(({ msg }) => msg === '账号或密码错误')
    expect(looked).toHaveLength(4)
    expect(answers.filter(({ msg }) => msg.startsWith('失败次数过多'))).toHaveLength(16)
  })
  it('asks nobody for a captcha because of a colleague at the same address', async () => {
    for (let n = 0; n < 3; n++) await attempt('clumsy', 'x')
    expect(await attempt('nobody-else', 'x')).toMatchObject({ data: { captcha: false } })
  })
  it('shuts an address only after failures of many accounts', async () => {
    const rows = Array.from({ length: 29 }, (_, n) => `address:127.0.0.1|user${n}`)
    const since = new Date().toISOString()
    await app.app.db.insert(loginFailure).values(rows.map((key) => ({ key, count: 1, since })))
    expect(await attempt('thirtieth', 'x')).toMatchObject({ msg: '账号或密码错误' })
    expect(await attempt('admin', password)).toMatchObject({
      msg: '失败次数过多，请 10 分钟后再试',
    })
  })
  describe('guessed at from elsewhere', () => {
    const locked = '失败次数过多，请 10 分钟后再试'
    async function from(remoteAddress: string, username: string, secret: string, cookie = '') {
      const answer = await app.app.inject({
        method: 'POST',
        url: '/v1/auth/login',
        remoteAddress,
        headers: { cookie },
        payload: { username, password: secret },
      })
      return { ...answer.json<{ msg: string }>(), cookie: String(answer.headers['set-cookie']) }
    }
    const guess = (address: string, username: string, cookie?: string) =>
      Promise.all(Array.from({ length: 20 }, () => from(address, username, 'x', cookie)))
    const lockEverywhere = (username: string) =>
      app.app.db.insert(loginFailure).values({
        key: `user:${username}`,
        count: 100,
        since: new Date().toISOString(),
        lockedUntil: new Date(Date.now() + 600_000).toISOString(),
      })
    const shown = (cookie: string) => cookie.split(';')[0]

    it('is shut to that source alone, and asks others for a captcha first', async () => {
      const { password: first } = await newUser('victim')
      await guess('2001:db8:0:7::1', 'victim')
      expect(await from('2001:db8:0:7:9::2', 'victim', first)).toMatchObject({ msg: locked })
      expect(await from('10.7.7.7', 'victim', first)).toMatchObject({
        code: 422,
        data: { captcha: true, fields: { captcha: '请输入验证码' } },
      })
    })
    it('lets a known device in, without a captcha, while all others are shut out', async () => {
      const { password: first } = await newUser('known')
      const { cookie } = await from('10.7.7.7', 'known', first)
      expect(cookie).toMatch(
        /^known-device=[\w-]{43}; Path=\/v1\/auth; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
      )
      await guess('10.6.6.6', 'known')
      expect(await from('10.6.6.6', 'known', first, shown(cookie))).toMatchObject({ code: 0 })
      await app.app.db.delete(loginFailure)
      await lockEverywhere('known')
      const failed = Array.from({ length: 30 }, (_, n) => `address:10.7.7.7|user${n}`)
      const since = new Date().toISOString()
      await app.app.db.insert(loginFailure).values(failed.map((key) => ({ key, count: 1, since })))
      expect(await from('10.8.8.8', 'known', first)).toMatchObject({ msg: locked })
      expect(await from('10.7.7.7', 'known', first, shown(cookie))).toMatchObject({ code: 0 })
    })
    it('takes no password but the right one from a known device, and five tries', async () => {
      const { password: first } = await newUser('stolen')
      const { cookie } = await from('10.7.7.7', 'stolen', first)
      const answers = await guess('10.7.7.7', 'stolen', shown(cookie))
      expect(answers.filter(({ msg }) => msg === '账号或密码错误')).toHaveLength(4)
      expect(await from('10.7.7.7', 'stolen', first, shown(cookie))).toMatchObject({ msg: locked })
    })
    it('knows no device by a cookie of another user, or by one that is made up', async () => {
      const { password: first } = await newUser('mine')
      const other = await from('10.7.7.7', 'admin', password)
      await lockEverywhere('mine')
      for (const cookie of [shown(other.cookie), `known-device=${'x'.repeat(43)}`, 'known-device='])
        expect(await from('10.7.7.7', 'mine', first, cookie)).toMatchObject({ msg: locked })
    })
    it('keeps one cookie for all users of a browser, takes over none of others, stores hashes', async () => {
      const { password: first } = await newUser('shares')
      const { cookie } = await from('10.7.7.7', 'admin', password)
      const again = await from('10.7.7.7', 'shares', first, shown(cookie))
      expect(shown(again.cookie)).toBe(shown(cookie))
      const planted = `known-device=${'p'.repeat(43)}`
      expect(shown((await from('10.7.7.7', 'shares', first, planted)).cookie)).not.toBe(planted)
      const stored = JSON.stringify(await app.app.db.select().from(knownDevice))
      expect(stored).not.toContain(shown(cookie)!.split('=')[1])
    })
    it('is opened again to all by an administrator', async () => {
      const { id, password: first } = await newUser('opened')
      await guess('10.6.6.6', 'opened')
      await app.as('admin').call(userApi.unlock, { id })
      expect(await from('10.6.6.6', 'opened', first)).toMatchObject({ code: 0 })
    })
  })
  it('counts five failures in ten minutes and no older ones', async () => {
    await app.app.db
      .insert(loginFailure)
      .values({ key: 'user:other', count: 4, since: new Date(Date.now() - 700_000).toISOString() })
    expect(await attempt('other', 'x')).toMatchObject({ msg: '账号或密码错误' })
  })
  it('signs in regardless of the case of the name; remembering lasts longer', async () => {
    const short = await app.stranger.call(authApi.login, { username: 'Admin', password })
    const long = await app.stranger.call(authApi.login, {
      username: 'admin',
      password,
      remember: true,
    })
    expect(long.expiresIn).toBeGreaterThan(short.expiresIn)
  })
  it('refuses a disabled account and ends its sessions with the reason', async () => {
    const { id, password: first } = await newUser('leaver')
    const token = await app.login('leaver', first)
    await app.as('admin').call(userApi.setEnabled, { ids: [id], enabled: false })
    await expect(app.withToken(token).call(authApi.me, {})).rejects.toMatchObject({
      code: 401,
      msg: '账号已禁用',
    })
    expect(await attempt('leaver', first)).toMatchObject({
      code: 1001,
      msg: '账号已禁用，请联系管理员',
    })
  })
  it('keeps ten sessions and tells the eleventh oldest why', async () => {
    const { password: first } = await newUser('many')
    const tokens: string[] = []
    for (let n = 0; n < 11; n++) tokens.push(await app.login('many', first))
    await expect(app.withToken(tokens[0]!).call(authApi.me, {})).rejects.toMatchObject({
      code: 401,
      msg: expect.stringContaining('被顶下线'),
    })
    await app.withToken(tokens[10]!).call(authApi.me, {})
  })
})

describe('a generated first password', () => {
  it('opens nothing but the change of itself', async () => {
    const { password: first } = await newUser('newcomer')
    const newcomer = app.as('newcomer', first)
    expect(await newcomer.call(authApi.me, {})).toMatchObject({
      user: { mustChangePassword: true },
    })
    await expect(newcomer.call(manufacturerApi.page, {})).rejects.toMatchObject({
      code: 1001,
      msg: '请先修改初始密码',
      data: { mustChangePassword: true },
    })
    await expect(
      newcomer.call(authApi.changePassword, { oldPassword: 'wrong', newPassword: 'abcd1234' }),
    ).rejects.toMatchObject({ data: { fields: { oldPassword: '原密码不正确' } } })
    await expect(
      newcomer.call(authApi.changePassword, { oldPassword: first, newPassword: 'short' }),
    ).rejects.toMatchObject({ code: 422 })
    await newcomer.call(authApi.changePassword, { oldPassword: first, newPassword: 'abcd1234' })
    expect(await newcomer.call(manufacturerApi.page, {})).toMatchObject({ total: 0 })
  })
  it('is generated for the first administrator unless one is given, and told once', async () => {
    const other = await testApp({ adminPassword: undefined })
    expect(other.app.firstPassword).toMatch(/^[A-Za-z0-9]{12}$/)
    expect(await other.as('admin', other.app.firstPassword!).call(authApi.me, {})).toMatchObject({
      user: { mustChangePassword: true },
    })
    await other.close()
    expect(app.app.firstPassword).toBeUndefined()
    expect(
      (await app.app.db.select().from(user)).every((row) => row.passwordHash.startsWith('scrypt$')),
    ).toBe(true)
  })
})

describe('GET /v1/auth/me', () => {
  it('answers what the roles allow: the menu with its folders, the codes', async () => {
    const { password: first } = await newUser('operator1')
    const { menu, user } = await app.as('operator1', first).call(authApi.me, {})
    expect(menu.map(({ name }) => name)).toEqual(['首页', '设备接入', '系统管理', '企业管理'])
    const [categories, devices, hosts, configuration] = menu[1]!.children
    const names = [categories, devices, hosts, configuration].map((row) => row!.name)
    expect(names).toEqual(['产品品类', '设备管理', '边缘主机', '配置'])
    expect(configuration!.children.map(({ name }) => name)).toContain('厂商管理')
    expect(user.permissions).toEqual(
      expect.arrayContaining([
        'home:device:view',
        'home:device:control',
        'home:device:bulkControl',
        'home:scene:run',
        'deviceAccess:manufacturer:list',
      ]),
    )
    expect(user.permissions).not.toContain('deviceAccess:manufacturer:add')
  })
  it('answers everything to the administrator', async () => {
    const { menu, user } = await app.as('admin').call(authApi.me, {})
    expect(user.permissions).toContain('*')
    expect(menu.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['首页', '设备接入', '系统管理', '企业管理']),
    )
  })
})

describe('what is written down', () => {
  const lines = (username: string) =>
    app.app.db.select().from(loginLog).where(eq(loginLog.username, username)).orderBy(loginLog.id)
  it('of each sign-in: who, how it came out and why, from where and with what', async () => {
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0'
    const { password: first, id } = await newUser('written')
    for (const secret of ['wrong-2026', first])
      await app.app.inject({
        method: 'POST',
        url: '/v1/auth/login',
        payload: { username: 'written', password: secret },
        remoteAddress: '10.0.0.7',
        headers: { 'user-agent': agent },
      })
    const [row] = await app.app.db.select().from(session).where(eq(session.userId, id))
    const same = { browser: 'Microsoft Edge 130', system: 'Windows', address: '10.0.0.7' }
    expect(await lines('written')).toMatchObject([
      { ...same, ok: false, reason: '账号或密码错误', userId: null, sessionId: null },
      { ...same, ok: true, reason: '', userId: id, sessionId: row!.id },
    ])
  })
  it('of a guesser no more than thirty lines a minute', async () => {
    for (let i = 0; i < 35; i++)
      await app.app.inject({
        method: 'POST',
        url: '/v1/auth/login',
        payload: { username: `guess${i}`, password: 'x' },
        remoteAddress: '10.0.0.8',
      })
    const guesses = await app.app.db.select().from(loginLog).where(eq(loginLog.address, '10.0.0.8'))
    expect(guesses).toHaveLength(30)
  })
  it('of a call without the right, also of one that only reads', async () => {
    const { password: first } = await newUser('curious')
    const curious = app.as('curious', first)
    await curious.call(authApi.changePassword, { oldPassword: first, newPassword: 'abcd1234' })
    await expect(curious.call(userApi.page, {})).rejects.toMatchObject({ status: 403 })
    const rows = await app.app.db.select().from(actionLog).where(eq(actionLog.username, 'curious'))
    expect(rows.at(-1)).toMatchObject({
      verb: '用户列表',
      ok: false,
      reason: '没有“用户列表”的权限',
    })
  })
})

describe('a session', () => {
  it('that was being read while rights changed is not remembered', async () => {
    const { password: first, id } = await newUser('overtaken')
    const token = await app.login('overtaken', first)
    const { db, sessions } = app.app
    sessions.forget()
    const reading = sessions.find(token)
    sessions.forget()
    await reading
    await db.update(user).set({ disabled: true }).where(eq(user.id, id))
    await expect(sessions.find(token)).rejects.toMatchObject({ message: '账号已禁用' })
  })
})

describe('my sessions', () => {
  it('are listed, and ended one by one or all but this', async () => {
    const { password: first } = await newUser('traveller')
    const [here, there, elsewhere] = [
      await app.login('traveller', first),
      await app.login('traveller', first),
      await app.login('traveller', first),
    ]
    await app
      .withToken(here)
      .call(authApi.changePassword, { oldPassword: first, newPassword: 'abcd1234' })
    await expect(app.withToken(there).call(authApi.me, {})).rejects.toMatchObject({
      code: 401,
      msg: '您已被踢下线',
    })
    const second = await app.login('traveller', 'abcd1234')
    const sessions = await app.withToken(here).call(authApi.sessions, {})
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect(sessions).toHaveLength(2)
    expect(await app.withToken(here).call(authApi.revoke, {})).toEqual({ revoked: 1 })
    await expect(app.withToken(second).call(authApi.me, {})).rejects.toMatchObject({ code: 401 })
    await expect(app.withToken(elsewhere).call(authApi.me, {})).rejects.toMatchObject({ code: 401 })
    await app.withToken(here).call(authApi.logout, {})
    await expect(app.withToken(here).call(authApi.me, {})).rejects.toMatchObject({
      code: 401,
      msg: expect.stringContaining('已退出'),
    })
  })
})
