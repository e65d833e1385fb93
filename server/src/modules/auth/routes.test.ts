import { authApi } from '@iot/shared/contract/access/auth.api'
import type { CaptchaMode } from '@iot/shared/contract/platform/platformSettings.schema'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { userApi } from '@iot/shared/contract/access/user.api'
import { eq } from 'drizzle-orm'
import svgCaptcha from 'svg-captcha'
import { password, testApp, type ErrorAnswer, type TestApp } from '../../testing'
import { actionLog } from '../../tables/actionLog'
import { knownDevice, loginFailure, session } from '../../tables/auth'
import { waitUntil } from '../../core/until'
import { createLoginGuard } from './loginGuard'
import { authQueries } from './queries'
import { platformSettings } from '../../tables/platformSettings'
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

const attemptLogin = (username: string, secret: string) =>
  app.stranger
    .call(authApi.login, { username, password: secret })
    .catch((refusal: ErrorAnswer) => refusal)
async function setCaptcha(captcha: CaptchaMode) {
  await app.app.db.update(platformSettings).set({ captcha })
  app.app.platformSettings.forget()
}
async function createUser(username: string, role = '运维值班') {
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

describe('the session token', () => {
  const fetchMe = (satoken?: string) =>
    app.app
      .inject({
        method: 'GET',
        url: '/v1/auth/me',
        headers: satoken === undefined ? {} : { satoken },
      })
      .then((answer) => answer.json())
  it('is requested with a reason, HTTP 200 and body code 401 when it is missing', async () =>
    expect(await fetchMe()).toMatchObject({ code: 401, msg: '未登录，请先登录' }))
  it('is read after Bearer and exactly one space', async () => {
    const token = await app.login('admin', password)
    for (const invalidHeader of [
      token,
      `Bearer  ${token}`,
      `bearer ${token}`,
      `Bearer ${token} `,
      `Bearer ${token}x`,
    ])
      expect(await fetchMe(invalidHeader)).toMatchObject({ code: 401 })
    expect(await fetchMe(`Bearer ${token}`)).toMatchObject({ code: 0 })
  })
  it('is stored as its hash only', async () => {
    const token = await app.login('admin', password)
    expect(JSON.stringify(await app.app.db.select().from(session))).not.toContain(token)
  })
  it('is refused as expired after its lifetime', async () => {
    const token = await app.login('admin', password)
    await app.app.db.update(session).set({ expireTime: new Date(Date.now() - 1000).toISOString() })
    app.app.sessions.forget()
    expect(await fetchMe(`Bearer ${token}`)).toMatchObject({
      code: 401,
      msg: expect.stringContaining('已过期'),
    })
    app.forget('admin')
  })
})

describe('POST /v1/auth/login', () => {
  it('refuses an empty form at its fields', async () =>
    expect(await attemptLogin('', '')).toMatchObject({
      code: 422,
      data: { fields: { username: '请输入账号', password: '请输入密码' } },
    }))
  it('gives the same answer for an unknown user and a wrong password', async () => {
    const [unknown, wrong] = [await attemptLogin('nobody', 'x'), await attemptLogin('admin', 'x')]
    expect(unknown).toMatchObject({ code: 1001, msg: '账号或密码错误', data: { captcha: false } })
    expect(wrong).toMatchObject({ code: 1001, msg: '账号或密码错误' })
  })
  it('requires a captcha after two failures, also with the right password', async () => {
    await attemptLogin('admin', 'x')
    expect(await attemptLogin('admin', 'x')).toMatchObject({ data: { captcha: true } })
    expect(await attemptLogin('admin', password)).toMatchObject({
      code: 422,
      data: { captcha: true, fields: { captcha: '请输入验证码' } },
    })
  })
  describe('with a captcha', () => {
    async function drawCaptcha() {
      const draw = jest.spyOn(svgCaptcha, 'create')
      const { captchaId, svg } = await app.stranger.call(authApi.captcha, {})
      const { text, data } = draw.mock.results.at(-1)!.value as svgCaptcha.CaptchaObj
      draw.mockRestore()
      expect(svg).toBe(data)
      return { captchaId, text }
    }
    const loginWithCaptcha = (captchaId: string, captcha: string, secret = password) =>
      app.stranger
        .call(authApi.login, { username: 'admin', password: secret, captchaId, captcha })
        .catch((refusal: ErrorAnswer) => refusal)
    const captchaRefusal = { code: 422, data: { fields: { captcha: '验证码错误或已过期' } } }
    beforeEach(async () => {
      await attemptLogin('admin', 'x')
      await attemptLogin('admin', 'x')
    })

    it('refuses a wrong answer, and the right one to the same picture afterwards', async () => {
      const { captchaId, text } = await drawCaptcha()
      expect(await loginWithCaptcha(captchaId, '????')).toMatchObject(captchaRefusal)
      expect(await loginWithCaptcha(captchaId, text)).toMatchObject(captchaRefusal)
    })
    it('accepts the right answer once, in either case of letters', async () => {
      const { captchaId, text } = await drawCaptcha()
      const wrongPassword = await loginWithCaptcha(captchaId, text.toUpperCase(), 'x')
      expect(wrongPassword).toMatchObject({ code: 1001, msg: '账号或密码错误' })
      expect(await loginWithCaptcha(captchaId, text)).toMatchObject(captchaRefusal)
      const nextPicture = await drawCaptcha()
      expect(await loginWithCaptcha(nextPicture.captchaId, nextPicture.text)).toMatchObject({
        token: expect.any(String),
      })
    })
    it('refuses a used picture whose id was extended', async () => {
      const { captchaId, text } = await drawCaptcha()
      expect(await loginWithCaptcha(captchaId, text, 'x')).toMatchObject({ code: 1001 })
      expect(await loginWithCaptcha(`${captchaId}.again`, text)).toMatchObject(captchaRefusal)
    })
    it('refuses a picture older than five minutes', async () => {
      const { captchaId, text } = await drawCaptcha()
      const later = Date.now() + 5 * 60_000
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => later)
      const answer = await loginWithCaptcha(captchaId, text)
      clock.mockRestore()
      expect(answer).toMatchObject(captchaRefusal)
    })
  })
  it('locks an account after five failures, always with the same message', async () => {
    const failureTime = new Date().toISOString()
    for (const key of ['user:admin', 'user:nobody'])
      await app.app.db.insert(loginFailure).values({
        key,
        count: 5,
        since: failureTime,
        lockedUntil: new Date(Date.now() + 600_000).toISOString(),
      })
    const [real, unknown] = [
      await attemptLogin('admin', password),
      await attemptLogin('nobody', password),
    ]
    expect(real).toMatchObject({ code: 1001, msg: '失败次数过多，请 10 分钟后再试' })
    expect(unknown).toMatchObject({ msg: '失败次数过多，请 10 分钟后再试' })
  })
  const guessAtOnce = async (username: string) =>
    (await Promise.all(
      Array.from({ length: 20 }, () => attemptLogin(username, 'x')),
    )) as ErrorAnswer[]
  it('checks two of twenty concurrent guesses and requires a captcha of the others', async () => {
    await createUser('guessed')
    const answers = await guessAtOnce('guessed')
    expect(answers.filter(({ msg }) => msg === '账号或密码错误')).toHaveLength(2)
    expect(answers.filter(({ msg }) => msg === '请输入验证码')).toHaveLength(18)
  })
  it('checks at most five of twenty concurrent guesses where no captcha is required', async () => {
    await createUser('guessed-freely')
    await setCaptcha('never')
    const answers = await guessAtOnce('guessed-freely')
    await setCaptcha('afterFailures')
    const checkedAnswers = answers.filter(({ msg }) => msg === '账号或密码错误')
    expect(checkedAnswers).toHaveLength(4)
    expect(answers.filter(({ msg }) => msg.startsWith('失败次数过多'))).toHaveLength(16)
  })
  it('accepts eight concurrent correct attempts of one account without a captcha', async () => {
    const { password: initialPassword } = await createUser('eager')
    const attempts = Array.from({ length: 8 }, () => attemptLogin('eager', initialPassword))
    for (const answer of await Promise.all(attempts))
      expect(answer).toMatchObject({ token: expect.any(String) })
    expect(await app.app.db.select().from(loginFailure)).toEqual([])
  })
  it('requires a captcha of concurrent attempts after two failures, of correct ones too', async () => {
    const { password: initialPassword } = await createUser('mixed')
    const attemptAtOnce = (...secrets: string[]) =>
      Promise.all(secrets.map((secret) => attemptLogin('mixed', secret)))
    // Calls may arrive in another order than they were sent, so both failures are answered first.
    const wrong = { msg: '账号或密码错误' }
    expect(await attemptAtOnce('x', 'x')).toMatchObject([wrong, wrong])
    const captchaNeeded = { data: { fields: { captcha: '请输入验证码' } } }
    expect(await attemptAtOnce(initialPassword, 'x', initialPassword)).toMatchObject([
      captchaNeeded,
      captchaNeeded,
      captchaNeeded,
    ])
  })
  it('counts attempts of other accounts and addresses as failures only after they are checked', async () => {
    const { password: initialPassword } = await createUser('shared-desk')
    let finishChecks = () => {}
    const checksMayEnd = new Promise<void>((resolve) => (finishChecks = resolve))
    const guess = (username: string, address: string) => {
      const options = { username, address, captchaAfterFailures: 2 }
      const guard = createLoginGuard(authQueries(app.app.db), options)
      return guard.inTurn(async () => {
        const attempt = await guard.reserve()
        await checksMayEnd
        attempt.fail()
      })
    }
    const guesses = [
      ...Array.from({ length: 30 }, (_, n) => guess(`colleague${n}`, '127.0.0.1')),
      ...[2, 3, 4].map((n) => guess('shared-desk', `10.3.3.${n}`)),
    ]
    // One row per account and source, and one per account.
    await waitUntil(
      () => app.app.db.$count(loginFailure),
      (count) => count === 30 + 30 + 3 + 1,
    )
    expect(await attemptLogin('shared-desk', initialPassword)).toMatchObject({
      token: expect.any(String),
    })
    finishChecks()
    await Promise.all(guesses)
    expect(await attemptLogin('shared-desk', initialPassword)).toMatchObject({
      msg: '失败次数过多，请 10 分钟后再试',
    })
  })
  it('does not count correct attempts of a disabled account', async () => {
    const { id, password: initialPassword } = await createUser('shut')
    await app.as('admin').call(userApi.setEnabled, { ids: [id], enabled: false })
    for (let n = 0; n < 7; n++)
      expect(await attemptLogin('shut', initialPassword)).toMatchObject({
        msg: '账号已禁用，请联系管理员',
      })
  })
  it('requires no captcha because of failures of a colleague at the same address', async () => {
    for (let n = 0; n < 3; n++) await attemptLogin('clumsy', 'x')
    expect(await attemptLogin('nobody-else', 'x')).toMatchObject({ data: { captcha: false } })
  })
  it('blocks an address only after failures for many accounts', async () => {
    const sourceKeys = Array.from({ length: 29 }, (_, n) => `address:127.0.0.1|user${n}`)
    const since = new Date().toISOString()
    await app.app.db
      .insert(loginFailure)
      .values(sourceKeys.map((key) => ({ key, count: 1, since })))
    expect(await attemptLogin('thirtieth', 'x')).toMatchObject({ msg: '账号或密码错误' })
    expect(await attemptLogin('admin', password)).toMatchObject({
      msg: '失败次数过多，请 10 分钟后再试',
    })
  })
  describe('for an account under attack from another source', () => {
    const lockedMessage = '失败次数过多，请 10 分钟后再试'
    async function loginFrom(remoteAddress: string, username: string, secret: string, cookie = '') {
      const answer = await app.app.inject({
        method: 'POST',
        url: '/v1/auth/login',
        remoteAddress,
        headers: { cookie },
        payload: { username, password: secret },
      })
      return { ...answer.json<{ msg: string }>(), cookie: String(answer.headers['set-cookie']) }
    }
    const guessPasswords = (address: string, username: string, cookie?: string) =>
      Promise.all(Array.from({ length: 20 }, () => loginFrom(address, username, 'x', cookie)))
    const lockAccount = (username: string) =>
      app.app.db.insert(loginFailure).values({
        key: `user:${username}`,
        count: 100,
        since: new Date().toISOString(),
        lockedUntil: new Date(Date.now() + 600_000).toISOString(),
      })
    const toCookieHeader = (cookie: string) => cookie.split(';')[0]

    it('locks only that source and requires a captcha of others', async () => {
      const { password: initialPassword } = await createUser('victim')
      await setCaptcha('never')
      await guessPasswords('2001:db8:0:7::1', 'victim')
      await setCaptcha('afterFailures')
      expect(await loginFrom('2001:db8:0:7:9::2', 'victim', initialPassword)).toMatchObject({
        msg: lockedMessage,
      })
      expect(await loginFrom('10.7.7.7', 'victim', initialPassword)).toMatchObject({
        code: 422,
        data: { captcha: true, fields: { captcha: '请输入验证码' } },
      })
    })
    it('accepts a known device without a captcha while all others are locked out', async () => {
      const { password: initialPassword } = await createUser('known')
      const { cookie } = await loginFrom('10.7.7.7', 'known', initialPassword)
      expect(cookie).toMatch(
        /^known-device=[\w-]{43}; Path=\/v1\/auth; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
      )
      await guessPasswords('10.6.6.6', 'known')
      expect(
        await loginFrom('10.6.6.6', 'known', initialPassword, toCookieHeader(cookie)),
      ).toMatchObject({ code: 0 })
      await app.app.db.delete(loginFailure)
      await lockAccount('known')
      const failureKeys = Array.from({ length: 30 }, (_, n) => `address:10.7.7.7|user${n}`)
      const since = new Date().toISOString()
      await app.app.db
        .insert(loginFailure)
        .values(failureKeys.map((key) => ({ key, count: 1, since })))
      expect(await loginFrom('10.8.8.8', 'known', initialPassword)).toMatchObject({
        msg: lockedMessage,
      })
      expect(
        await loginFrom('10.7.7.7', 'known', initialPassword, toCookieHeader(cookie)),
      ).toMatchObject({ code: 0 })
    })
    it('limits a known device to five attempts', async () => {
      const { password: initialPassword } = await createUser('stolen')
      const { cookie } = await loginFrom('10.7.7.7', 'stolen', initialPassword)
      await setCaptcha('never')
      const answers = await guessPasswords('10.7.7.7', 'stolen', toCookieHeader(cookie))
      await setCaptcha('afterFailures')
      expect(answers.filter(({ msg }) => msg === '账号或密码错误')).toHaveLength(4)
      expect(
        await loginFrom('10.7.7.7', 'stolen', initialPassword, toCookieHeader(cookie)),
      ).toMatchObject({ msg: lockedMessage })
    })
    it('recognises no device by a cookie of another user or a made-up cookie', async () => {
      const { password: initialPassword } = await createUser('mine')
      const adminLogin = await loginFrom('10.7.7.7', 'admin', password)
      await lockAccount('mine')
      for (const cookie of [
        toCookieHeader(adminLogin.cookie),
        `known-device=${'x'.repeat(43)}`,
        'known-device=',
      ])
        expect(await loginFrom('10.7.7.7', 'mine', initialPassword, cookie)).toMatchObject({
          msg: lockedMessage,
        })
    })
    it('keeps one cookie for all users of a browser, adopts no foreign cookie and stores hashes', async () => {
      const { password: initialPassword } = await createUser('shares')
      const { cookie } = await loginFrom('10.7.7.7', 'admin', password)
      const secondLogin = await loginFrom(
        '10.7.7.7',
        'shares',
        initialPassword,
        toCookieHeader(cookie),
      )
      expect(toCookieHeader(secondLogin.cookie)).toBe(toCookieHeader(cookie))
      const plantedCookie = `known-device=${'p'.repeat(43)}`
      expect(
        toCookieHeader(
          (await loginFrom('10.7.7.7', 'shares', initialPassword, plantedCookie)).cookie,
        ),
      ).not.toBe(plantedCookie)
      const storedDevices = JSON.stringify(await app.app.db.select().from(knownDevice))
      expect(storedDevices).not.toContain(toCookieHeader(cookie)!.split('=')[1])
    })
    it('is unlocked for everybody by an administrator', async () => {
      const { id, password: initialPassword } = await createUser('opened')
      await guessPasswords('10.6.6.6', 'opened')
      await app.as('admin').call(userApi.unlock, { id })
      expect(await loginFrom('10.6.6.6', 'opened', initialPassword)).toMatchObject({ code: 0 })
    })
  })
  it('counts failures within ten minutes only', async () => {
    await app.app.db
      .insert(loginFailure)
      .values({ key: 'user:other', count: 4, since: new Date(Date.now() - 700_000).toISOString() })
    expect(await attemptLogin('other', 'x')).toMatchObject({ msg: '账号或密码错误' })
  })
  it('ignores the case of the username and issues a longer session with "remember me"', async () => {
    const shortSession = await app.stranger.call(authApi.login, { username: 'Admin', password })
    const longSession = await app.stranger.call(authApi.login, {
      username: 'admin',
      password,
      remember: true,
    })
    expect(longSession.expiresIn).toBeGreaterThan(shortSession.expiresIn)
  })
  it('refuses a disabled account and ends its sessions with the reason', async () => {
    const { id, password: initialPassword } = await createUser('leaver')
    const token = await app.login('leaver', initialPassword)
    await app.as('admin').call(userApi.setEnabled, { ids: [id], enabled: false })
    await expect(app.withToken(token).call(authApi.me, {})).rejects.toMatchObject({
      code: 401,
      msg: '账号已禁用',
    })
    expect(await attemptLogin('leaver', initialPassword)).toMatchObject({
      code: 1001,
      msg: '账号已禁用，请联系管理员',
    })
  })
  it('keeps ten sessions and ends the oldest of eleven with the reason', async () => {
    const { password: initialPassword } = await createUser('many')
    const tokens: string[] = []
    for (let n = 0; n < 11; n++) tokens.push(await app.login('many', initialPassword))
    await expect(app.withToken(tokens[0]!).call(authApi.me, {})).rejects.toMatchObject({
      code: 401,
      msg: expect.stringContaining('被顶下线'),
    })
    await app.withToken(tokens[10]!).call(authApi.me, {})
  })
})

describe('a generated first password', () => {
  it('permits nothing except changing it', async () => {
    const { password: initialPassword } = await createUser('newcomer')
    const newcomer = app.as('newcomer', initialPassword)
    expect(await newcomer.call(authApi.me, {})).toMatchObject({
      user: { mustChangePassword: true },
    })
    await expect(newcomer.call(manufacturerApi.page, {})).rejects.toMatchObject({
      code: 1001,
      msg: '请先修改初始密码',
      data: { mustChangePassword: true },
    })
    await expect(
      newcomer.call(authApi.changePassword, { oldPassword: 'wrong', newPassword: 'quiet-lamp-7' }),
    ).rejects.toMatchObject({ data: { fields: { oldPassword: '原密码不正确' } } })
    await expect(
      newcomer.call(authApi.changePassword, { oldPassword: initialPassword, newPassword: 'short' }),
    ).rejects.toMatchObject({ code: 422 })
    await newcomer.call(authApi.changePassword, {
      oldPassword: initialPassword,
      newPassword: 'quiet-lamp-7',
    })
    expect(await newcomer.call(manufacturerApi.page, {})).toMatchObject({ total: 0 })
  })
  it('is generated for the first administrator unless one is configured, and stored as a hash only', async () => {
    const generatedApp = await testApp({ adminPassword: undefined })
    expect(generatedApp.app.firstPassword).toMatch(/^[A-Za-z0-9]{12}$/)
    expect(
      await generatedApp.as('admin', generatedApp.app.firstPassword!).call(authApi.me, {}),
    ).toMatchObject({
      user: { mustChangePassword: true },
    })
    await generatedApp.close()
    expect(app.app.firstPassword).toBeUndefined()
    expect(
      (await app.app.db.select().from(user)).every((row) => row.passwordHash.startsWith('scrypt$')),
    ).toBe(true)
  })
})

describe('GET /v1/auth/me', () => {
  it('answers with the menu, its folders and the permission codes of the roles', async () => {
    const { password: initialPassword } = await createUser('operator1')
    const { menu, user } = await app.as('operator1', initialPassword).call(authApi.me, {})
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
  it('answers an administrator with every menu and permission', async () => {
    const { menu, user } = await app.as('admin').call(authApi.me, {})
    expect(user.permissions).toContain('*')
    expect(menu.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['首页', '设备接入', '系统管理', '企业管理']),
    )
  })
})

describe('the login log', () => {
  const listLoginEntries = (username: string) =>
    app.app.db.select().from(loginLog).where(eq(loginLog.username, username)).orderBy(loginLog.id)
  it('records user, result, reason, address and client of each sign-in', async () => {
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0'
    const { password: initialPassword, id } = await createUser('written')
    for (const secret of ['wrong-2026', initialPassword])
      await app.app.inject({
        method: 'POST',
        url: '/v1/auth/login',
        payload: { username: 'written', password: secret },
        remoteAddress: '10.0.0.7',
        headers: { 'user-agent': agent },
      })
    const [row] = await app.app.db.select().from(session).where(eq(session.userId, id))
    const commonFields = { browser: 'Microsoft Edge 130', system: 'Windows', address: '10.0.0.7' }
    expect(await listLoginEntries('written')).toMatchObject([
      { ...commonFields, ok: false, reason: '账号或密码错误', userId: null, sessionId: null },
      { ...commonFields, ok: true, reason: '', userId: id, sessionId: row!.id },
    ])
  })
  it('records at most thirty guesses a minute', async () => {
    for (let i = 0; i < 35; i++)
      await app.app.inject({
        method: 'POST',
        url: '/v1/auth/login',
        payload: { username: `guess${i}`, password: 'x' },
        remoteAddress: '10.0.0.8',
      })
    const loggedGuesses = await app.app.db
      .select()
      .from(loginLog)
      .where(eq(loginLog.address, '10.0.0.8'))
    expect(loggedGuesses).toHaveLength(30)
  })
  it('records calls refused for lack of permission, also reads', async () => {
    const { password: initialPassword } = await createUser('curious')
    const curious = app.as('curious', initialPassword)
    await curious.call(authApi.changePassword, {
      oldPassword: initialPassword,
      newPassword: 'quiet-lamp-7',
    })
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
  it('is not cached when permissions changed while it was read', async () => {
    const { password: initialPassword, id } = await createUser('overtaken')
    const token = await app.login('overtaken', initialPassword)
    const { db, sessions } = app.app
    sessions.forget()
    const pendingSession = sessions.find(token)
    sessions.forget()
    await pendingSession
    await db.update(user).set({ disabled: true }).where(eq(user.id, id))
    await expect(sessions.find(token)).rejects.toMatchObject({ message: '账号已禁用' })
  })
})

describe('the list of my sessions', () => {
  it('shows them and ends one, or all except this one', async () => {
    const { password: initialPassword } = await createUser('traveller')
    const [currentToken, secondToken, thirdToken] = [
      await app.login('traveller', initialPassword),
      await app.login('traveller', initialPassword),
      await app.login('traveller', initialPassword),
    ]
    await app
      .withToken(currentToken)
      .call(authApi.changePassword, { oldPassword: initialPassword, newPassword: 'quiet-lamp-7' })
    await expect(app.withToken(secondToken).call(authApi.me, {})).rejects.toMatchObject({
      code: 401,
      msg: '您已被踢下线',
    })
    const newToken = await app.login('traveller', 'quiet-lamp-7')
    const sessions = await app.withToken(currentToken).call(authApi.sessions, {})
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect(sessions).toHaveLength(2)
    expect(await app.withToken(currentToken).call(authApi.revoke, {})).toEqual({ revoked: 1 })
    await expect(app.withToken(newToken).call(authApi.me, {})).rejects.toMatchObject({ code: 401 })
    await expect(app.withToken(thirdToken).call(authApi.me, {})).rejects.toMatchObject({
      code: 401,
    })
    await app.withToken(currentToken).call(authApi.logout, {})
    await expect(app.withToken(currentToken).call(authApi.me, {})).rejects.toMatchObject({
      code: 401,
      msg: expect.stringContaining('已退出'),
    })
  })
})
