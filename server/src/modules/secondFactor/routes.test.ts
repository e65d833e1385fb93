import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { secondFactorApi } from '@iot/shared/contract/access/secondFactor.api'
import { userApi } from '@iot/shared/contract/access/user.api'
import { eq, like } from 'drizzle-orm'
import { loginFailure } from '../../tables/auth'
import { secondFactor } from '../../tables/secondFactor'
import { secondPassword, sharedApp, type ErrorAnswer, type TestApp } from '../../testing'
import { createTotp } from './policy/codes'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})

const generateCode = (secret: string) => createTotp(secret).generate()
/** Returns six digits that are not a code of the current, previous or next time step. */
const generateWrongCode = (secret: string) => {
  const validCodes = [-30, 0, 30].map((offsetSeconds) =>
    createTotp(secret).generate({ timestamp: Date.now() + offsetSeconds * 1000 }),
  )
  return ['000000', '111111', '222222', '333333'].find((code) => !validCodes.includes(code))!
}
const login = (username: string, code?: string) =>
  app.stranger
    .call(authApi.login, { username, password: secondPassword, code })
    .catch((refusal: ErrorAnswer) => refusal)
/** Clears used time steps and counted failures of earlier tests. */
const resetFactorState = async (username: string, userId: string) => {
  await app.app.db.delete(loginFailure).where(eq(loginFailure.key, `user:${username}`))
  await app.app.db.update(secondFactor).set({ lastStep: 0 }).where(eq(secondFactor.userId, userId))
}
const countFailures = async (username: string) =>
  (
    await app.app.db
      .select()
      .from(loginFailure)
      .where(eq(loginFailure.key, `user:${username}`))
  )[0]?.count ?? 0

async function enrolUser(username: string) {
  const client = await app.join(username, 'visitor')
  const { secret } = await client.call(secondFactorApi.enrol, { password: secondPassword })
  const { recoveryCodes } = await client.call(secondFactorApi.confirm, {
    code: generateCode(secret),
  })
  await resetFactorState(username, client.id)
  return { ...client, secret, recoveryCodes }
}

describe('enabling the second factor', () => {
  it('is refused without a session, with a wrong password, and before a secret was requested', async () => {
    await expect(app.stranger.call(secondFactorApi.get, {})).rejects.toMatchObject({ code: 401 })
    const client = await app.join('factor-new', 'visitor')
    await expect(
      client.call(secondFactorApi.enrol, { password: 'wrong-2026' }),
    ).rejects.toMatchObject({ code: 422, data: { fields: { password: '密码不正确' } } })
    expect(await countFailures('factor-new')).toBe(1)
    await expect(client.call(secondFactorApi.confirm, { code: '123456' })).rejects.toMatchObject({
      code: 1001,
      msg: '请先绑定身份验证器',
    })
  })
  it('requires a code at sign-in only after a first valid code', async () => {
    const client = await app.join('factor-half', 'visitor')
    const { secret, uri } = await client.call(secondFactorApi.enrol, { password: secondPassword })
    expect(uri).toContain(`secret=${secret}`)
    expect(uri).toMatch(/^otpauth:\/\/totp\/.*factor-half\?/)
    await expect(
      client.call(secondFactorApi.confirm, { code: generateWrongCode(secret) }),
    ).rejects.toMatchObject({
      code: 422,
      data: { fields: { code: expect.stringContaining('不正确') } },
    })
    expect(await login('factor-half')).toMatchObject({ token: expect.any(String) })
    expect(await client.call(secondFactorApi.get, {})).toEqual({ since: null, recoveryLeft: 0 })
  })
  it('returns ten recovery codes, stores their hashes only, and never returns the secret again', async () => {
    const client = await app.join('factor-on', 'visitor')
    const { secret } = await client.call(secondFactorApi.enrol, { password: secondPassword })
    const { recoveryCodes } = await client.call(secondFactorApi.confirm, {
      code: generateCode(secret),
    })
    expect(new Set(recoveryCodes).size).toBe(10)
    const [row] = await app.app.db
      .select()
      .from(secondFactor)
      .where(eq(secondFactor.userId, client.id))
    for (const code of recoveryCodes) expect(JSON.stringify(row)).not.toContain(code)
    expect(await client.call(secondFactorApi.get, {})).toEqual({
      since: expect.any(String),
      recoveryLeft: 10,
    })
    await expect(
      client.call(secondFactorApi.enrol, { password: secondPassword }),
    ).rejects.toMatchObject({ code: 1001 })
    const log = await app.as('admin').call(actionLogApi.page, { username: 'factor-on' })
    expect(log.list.map(({ verb }) => verb)).toContain('开启两步验证')
    expect(JSON.stringify(log)).not.toContain(secret)
  })
})

describe('signing in with a second factor', () => {
  it('asks for a code after a correct password without counting a failure', async () => {
    await enrolUser('factor-door')
    expect(await login('factor-door')).toMatchObject({
      code: 422,
      data: { captcha: false, fields: { code: '请输入动态验证码' } },
    })
    expect(await countFailures('factor-door')).toBe(0)
  })
  it('accepts an app code once', async () => {
    const { secret, id } = await enrolUser('factor-once')
    const code = generateCode(secret)
    expect(await login('factor-once', code)).toMatchObject({ token: expect.any(String) })
    expect(await login('factor-once', code)).toMatchObject({
      code: 422,
      data: { fields: { code: '动态验证码不正确，或已经用过' } },
    })
    await resetFactorState('factor-once', id)
    const answers = await Promise.all([login('factor-once', code), login('factor-once', code)])
    expect(answers.filter((answer) => 'token' in answer)).toHaveLength(1)
  })
  it('accepts an app code typed in two groups', async () => {
    const { secret } = await enrolUser('factor-groups')
    const code = generateCode(secret).replace(/^.../, '$& ')
    expect(await login('factor-groups', code)).toMatchObject({ token: expect.any(String) })
  })
  it('accepts a recovery code once, in any spelling', async () => {
    const { recoveryCodes, id, call } = await enrolUser('factor-lost')
    const typedCode = recoveryCodes[3]!.toUpperCase().replaceAll('-', ' ')
    expect(await login('factor-lost', typedCode)).toMatchObject({ token: expect.any(String) })
    expect(await login('factor-lost', recoveryCodes[3])).toMatchObject({ code: 422 })
    await resetFactorState('factor-lost', id)
    expect(await call(secondFactorApi.get, {})).toMatchObject({ recoveryLeft: 9 })
  })
  it('counts wrong codes as failures, also with password attempts between them', async () => {
    const { secret } = await enrolUser('factor-guess')
    const wrongCode = generateWrongCode(secret)
    await login('factor-guess', wrongCode)
    await login('factor-guess')
    expect(await login('factor-guess', wrongCode)).toMatchObject({ data: { captcha: true } })
    expect(await countFailures('factor-guess')).toBe(2)
    await app.app.db
      .update(loginFailure)
      .set({ count: 5, lockedUntil: new Date(Date.now() + 600_000).toISOString() })
      .where(eq(loginFailure.key, 'user:factor-guess'))
    expect(await login('factor-guess', generateCode(secret))).toMatchObject({
      msg: expect.stringContaining('失败次数过多'),
    })
  })
})

describe('disabling the second factor and renewing its recovery codes', () => {
  it('requires the password and a code, and a single one counts as a failure', async () => {
    const { secret, call, recoveryCodes } = await enrolUser('factor-off')
    const password = secondPassword
    await expect(
      call(secondFactorApi.disable, { password: 'wrong-2026', code: generateCode(secret) }),
    ).rejects.toMatchObject({ data: { fields: { password: '密码不正确' } } })
    await expect(
      call(secondFactorApi.disable, { password, code: generateWrongCode(secret) }),
    ).rejects.toMatchObject({ data: { fields: { code: expect.any(String) } } })
    expect(await countFailures('factor-off')).toBe(2)
    await call(secondFactorApi.disable, { password, code: recoveryCodes[0]! })
    await expect(
      call(secondFactorApi.disable, { password, code: generateCode(secret) }),
    ).rejects.toMatchObject({ msg: '两步验证没有开启，请刷新' })
    await app.app.db.delete(loginFailure).where(like(loginFailure.key, '%factor-off'))
    expect(await login('factor-off')).toMatchObject({ token: expect.any(String) })
  })
  it('replaces the old recovery codes with ten new ones', async () => {
    const { secret, call, recoveryCodes } = await enrolUser('factor-renew')
    const password = secondPassword
    const renewedCodes = await call(secondFactorApi.renew, { password, code: generateCode(secret) })
    expect(renewedCodes.recoveryCodes).toHaveLength(10)
    expect(await login('factor-renew', recoveryCodes[0])).toMatchObject({ code: 422 })
    expect(await login('factor-renew', renewedCodes.recoveryCodes[0])).toMatchObject({
      token: expect.any(String),
    })
  })
  it('by an administrator for another user is logged', async () => {
    const { id, call } = await enrolUser('factor-reset')
    const admin = app.as('admin')
    await expect(call(userApi.resetSecondFactor, { id })).rejects.toMatchObject({ status: 403 })
    const { user } = await admin.call(authApi.me, {})
    await expect(admin.call(userApi.resetSecondFactor, { id: user.id })).rejects.toMatchObject({
      msg: '自己的两步验证请在“个人中心”关闭',
    })
    expect(await admin.call(userApi.get, { id })).toMatchObject({ secondFactor: true })
    await admin.call(userApi.resetSecondFactor, { id })
    await expect(call(authApi.me, {})).rejects.toMatchObject({ code: 401 })
    await expect(admin.call(userApi.resetSecondFactor, { id })).rejects.toMatchObject({
      msg: '该用户没有开启两步验证',
    })
    expect(await admin.call(userApi.get, { id })).toMatchObject({ secondFactor: false })
    const log = await admin.call(actionLogApi.page, { entityId: id })
    expect(log.list.find(({ ok, verb }) => ok && verb === '重置两步验证')).toMatchObject({
      changes: [{ title: '两步验证', before: '是', after: '否' }],
    })
  })
})
