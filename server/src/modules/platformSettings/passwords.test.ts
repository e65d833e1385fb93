import { authApi } from '@iot/shared/contract/access/auth.api'
import { pickInputFields } from '@iot/shared/contract/endpoint'
import { dayMs, getPastTime, minuteMs } from '@iot/shared/contract/duration'
import { platformSettingsApi } from '@iot/shared/contract/platform/platformSettings.api'
import { SecurityPolicy } from '@iot/shared/contract/platform/platformSettings.schema'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { secondFactorApi } from '@iot/shared/contract/access/secondFactor.api'
import { userApi } from '@iot/shared/contract/access/user.api'
import { eq } from 'drizzle-orm'
import { session } from '../../tables/auth'
import { user } from '../../tables/user'
import { secondPassword, ownApp, type TestApp } from '../../testing'
import { hashPassword } from '../auth/policy/password'
import { createTotp } from '../secondFactor/policy/codes'

let app: TestApp
beforeAll(async () => {
  app = await ownApp()
})
afterAll(() => app.close())

async function savePolicy(change: Partial<SecurityPolicy>) {
  const settings = await app.as('admin').call(platformSettingsApi.read, {})
  const policy = pickInputFields(SecurityPolicy, settings) as SecurityPolicy
  const { id, version } = settings
  await app
    .as('admin')
    .call(platformSettingsApi.updatePolicy, { ...policy, ...change, id, version })
}
const signIn = async (username: string, password: string) =>
  app.withToken(await app.login(username, password))
type Caller = Awaited<ReturnType<typeof signIn>>
const change = (caller: Caller, oldPassword: string, newPassword: string) =>
  caller.call(authApi.changePassword, { oldPassword, newPassword })
const refusedWith = (text: string) => ({
  code: 422,
  data: { fields: { newPassword: expect.stringContaining(text) } },
})
const setUser = (username: string, values: Partial<typeof user.$inferInsert>) =>
  app.app.db.update(user).set(values).where(eq(user.username, username))

test.each([
  ['password1', '常见密码'],
  ['Password1', '常见密码'],
  ['1qaz2wsx', '常见密码'],
  ['xx-pw-common-1', '不能包含账号'],
  ['short1', '至少 8 位'],
  ['only-letters', '须同时含字母和数字'],
])('refuses the new password %s at its field', async (newPassword, text) => {
  const caller = await app.join('pw-common', 'operator', [1])
  await expect(change(caller, secondPassword, newPassword)).rejects.toMatchObject(refusedWith(text))
})

test('refuses a preset password of the first administrator that is common or holds the name', async () => {
  await expect(ownApp({ adminPassword: 'password1' })).rejects.toThrow(/ADMIN_PASSWORD：.*常见密码/)
  await expect(ownApp({ adminPassword: 'admin-2026' })).rejects.toThrow('不能包含账号')
})

test('refuses the former passwords of the history and accepts older ones', async () => {
  await app.join('pw-history', 'operator', [1])
  await savePolicy({ passwordHistory: 3 })
  const passwords = [secondPassword, 'green-door-1', 'green-door-2', 'green-door-3']
  for (const [index, newPassword] of passwords.slice(1).entries())
    await change(await signIn('pw-history', passwords[index]!), passwords[index]!, newPassword)
  const caller = await signIn('pw-history', 'green-door-3')
  for (const formerPassword of ['green-door-1', 'green-door-2'])
    await expect(change(caller, 'green-door-3', formerPassword)).rejects.toMatchObject(
      refusedWith('最近用过的 3 个'),
    )
  await change(caller, 'green-door-3', secondPassword)
  await savePolicy({ passwordHistory: 0 })
})

test('a longer minimum length locks nobody out and holds for the next password', async () => {
  const caller = await app.join('pw-length', 'operator', [1])
  await savePolicy({ passwordMinLength: 16 })
  await (await signIn('pw-length', secondPassword)).call(authApi.sessions, {})
  await expect(change(caller, secondPassword, 'green-door-1')).rejects.toMatchObject(
    refusedWith('16–64 位'),
  )
  const { password } = await app.as('admin').call(userApi.resetPassword, { id: caller.id })
  expect(password).toHaveLength(16)
  await savePolicy({ passwordMinLength: 8 })
})

test('an expired password leads to its change at the next sign-in and interrupts no open session', async () => {
  const openSession = await app.join('pw-age', 'operator', [1])
  await setUser('pw-age', { passwordTime: getPastTime(91 * dayMs) })
  await savePolicy({ passwordMaxAgeDays: 90 })
  const newSession = await signIn('pw-age', secondPassword)
  await openSession.call(authApi.sessions, {})
  expect(await newSession.call(authApi.me, {})).toMatchObject({
    user: { mustChangePassword: true, passwordDue: 'expired' },
  })
  await expect(newSession.call(authApi.sessions, {})).rejects.toMatchObject({
    code: 1001,
    msg: '密码已到期，请先修改密码',
  })
  await change(newSession, secondPassword, 'green-door-1')
  await newSession.call(authApi.sessions, {})
  const { user: changedUser } = await (await signIn('pw-age', 'green-door-1')).call(authApi.me, {})
  expect(changedUser.mustChangePassword).toBe(false)
  await savePolicy({ passwordMaxAgeDays: 0 })
})

test('a common password from before the rule leads to its change at sign-in', async () => {
  await app.join('pw-old', 'operator', [1])
  await setUser('pw-old', { passwordHash: await hashPassword('password1') })
  const caller = await signIn('pw-old', 'password1')
  expect(await caller.call(authApi.me, {})).toMatchObject({ user: { passwordDue: 'common' } })
  await expect(caller.call(authApi.sessions, {})).rejects.toMatchObject({
    msg: '密码太常见，请先修改密码',
  })
})

test('a role that requires a second factor leads to its set-up at the next sign-in', async () => {
  const openSession = await app.join('pw-factor', 'project-admin', [1])
  const roles = await app.as('admin').call(roleApi.list, {})
  const { id: roleId } = roles.find(({ code }) => code === 'project-admin')!
  await savePolicy({ secondFactorRoleIds: [roleId] })
  await openSession.call(authApi.sessions, {})

  const caller = await signIn('pw-factor', secondPassword)
  expect(await caller.call(authApi.me, {})).toMatchObject({ user: { mustEnrolSecondFactor: true } })
  await expect(caller.call(authApi.sessions, {})).rejects.toMatchObject({
    code: 1001,
    msg: '您的角色必须使用两步验证，请先开启',
  })
  const { secret } = await caller.call(secondFactorApi.enrol, { password: secondPassword })
  await caller.call(secondFactorApi.confirm, { code: createTotp(secret).generate() })
  await caller.call(authApi.sessions, {})
  const code = createTotp(secret).generate()
  await expect(
    caller.call(secondFactorApi.disable, { password: secondPassword, code }),
  ).rejects.toMatchObject({ msg: expect.stringContaining('不能关闭') })
  await savePolicy({ secondFactorRoleIds: [] })
})

test('refuses to delete a role that must use a second factor', async () => {
  const { id } = await app.as('admin').call(roleApi.create, {
    name: '须两步验证',
    code: 'needs-factor',
    description: '',
    menuIds: [],
    deviceRights: [],
    dataScope: 'assigned',
  })
  await savePolicy({ secondFactorRoleIds: [id] })
  await expect(app.as('admin').call(roleApi.remove, { id })).rejects.toMatchObject({
    code: 1001,
    msg: expect.stringContaining('平台设置要求角色“须两步验证”使用两步验证'),
  })
  await savePolicy({ secondFactorRoleIds: [] })
  await app.as('admin').call(roleApi.remove, { id })
})

test('the captcha follows the policy', async () => {
  await app.join('pw-captcha', 'operator', [1])
  await savePolicy({ captcha: 'always' })
  await expect(app.login('pw-captcha', secondPassword)).rejects.toMatchObject({
    code: 422,
    data: { captcha: true, fields: { captcha: '请输入验证码' } },
  })
  await savePolicy({ captcha: 'never' })
  for (let attempt = 0; attempt < 3; attempt++)
    await expect(app.login('pw-captcha', 'wrong-pass-1')).rejects.toMatchObject({
      msg: '账号或密码错误',
      data: { captcha: false },
    })
  await app.login('pw-captcha', secondPassword)
  await savePolicy({ captcha: 'afterFailures' })
})

test('a session without calls ends after the idle time and tells why', async () => {
  await app.join('pw-idle', 'operator', [1])
  await savePolicy({ idleMinutes: 30 })
  const { id: userId } = await app.join('pw-idle', 'operator', [1])
  const caller = await signIn('pw-idle', secondPassword)
  const setLastSeen = (ms: number) =>
    app.app.db
      .update(session)
      .set({ lastSeen: getPastTime(ms) })
      .where(eq(session.userId, userId))
  await setLastSeen(20 * minuteMs)
  await caller.call(authApi.me, {})
  app.app.sessions.end(userId)
  await setLastSeen(32 * minuteMs)
  await expect(caller.call(authApi.me, {})).rejects.toMatchObject({
    code: 401,
    msg: expect.stringContaining('长时间没有操作'),
  })
  await savePolicy({ idleMinutes: 0 })
  await expect(caller.call(authApi.me, {})).rejects.toMatchObject({ code: 401 })
})
