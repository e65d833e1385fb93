import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { authApi } from '@iot/shared/contract/access/auth.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { menuApi } from '@iot/shared/contract/access/menu.api'
import { projectApi } from '@iot/shared/contract/project/project.api'
import type { Role } from '@iot/shared/contract/access/role.schema'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { taskFilePath } from '@iot/shared/contract/sheet/task'
import { userApi } from '@iot/shared/contract/access/user.api'
import { secondPassword, ownApp, type TestApp } from '../../testing'
import { eq } from 'drizzle-orm'
import { loginFailure } from '../../tables/auth'
import { user as userTable } from '../../tables/user'

let app: TestApp
let roles: Record<string, Role>
const admin = () => app.as('admin')
const readRoles = async () =>
  Object.fromEntries((await admin().call(roleApi.list, {})).map((role) => [role.code, role]))
type Draft = Input<typeof userApi.create>
const draft = (username: string, change: Partial<Draft> = {}): Draft => ({
  username,
  name: username,
  phone: '',
  email: '',
  roleIds: [roles.visitor!.id],
  projectIds: [1],
  expireTime: null,
  ...change,
})
const getAdminId = async () => (await admin().call(authApi.me, {})).user.id

/** This user may manage accounts but otherwise holds only the rights of a visitor. */
beforeAll(async () => {
  app = await ownApp()
  const enterpriseMenus = (await admin().call(menuApi.list, {})).filter(
    ({ routeName, permission }) =>
      routeName.startsWith('enterprise') || permission.startsWith('enterprise:'),
  )
  const visitorMenuIds = (await readRoles()).visitor!.menuIds
  await admin().call(roleApi.create, {
    name: '用户管理员',
    code: 'clerk',
    description: '',
    menuIds: [...new Set([...visitorMenuIds, ...enterpriseMenus.map(({ id }) => id)])],
    dataScope: 'assigned',
    deviceRights: ['view'],
  })
  roles = await readRoles()
  await app.join('clerk', 'clerk', [1])
  await app.join('guest', 'visitor')
})
afterAll(() => app.close())

describe('POST /v1/user', () => {
  it('refuses without a session and without the permission', async () => {
    await expect(app.stranger.call(userApi.create, draft('someone'))).rejects.toMatchObject({
      code: 401,
    })
    await expect(app.as('guest').call(userApi.create, draft('someone'))).rejects.toMatchObject({
      status: 403,
      msg: '没有“新建用户”的权限',
    })
  })
  it('refuses wrong fields', () =>
    expect(
      admin().call(userApi.create, draft('1x', { name: '', phone: '123', roleIds: [] })),
    ).rejects.toMatchObject({
      code: 422,
      data: {
        fields: {
          username: expect.any(String),
          name: '请输入姓名',
          phone: '请输入 11 位手机号',
          roleIds: '请至少选择一个角色',
        },
      },
    }))
  it('refuses a name that differs only in case, and unknown roles and projects', async () => {
    await expect(admin().call(userApi.create, draft('Admin'))).rejects.toMatchObject({
      code: 422,
      data: { fields: { username: '账号“Admin”已存在' } },
    })
    await expect(
      admin().call(
        userApi.create,
        draft('someone', { roleIds: ['01900000-0000-7000-8000-000000000000'] }),
      ),
    ).rejects.toMatchObject({ data: { fields: { roleIds: expect.any(String) } } })
    await expect(
      admin().call(userApi.create, draft('someone', { projectIds: [99] })),
    ).rejects.toMatchObject({ data: { fields: { projectIds: '所选项目不存在' } } })
  })
  it('refuses a phone number of another user at its field, on creation and on update', async () => {
    const { id } = await admin().call(userApi.create, draft('phoned', { phone: '13800000001' }))
    const phoneConflict = { code: 422, data: { fields: { phone: '手机号已被其他用户使用' } } }
    await expect(
      admin().call(userApi.create, draft('phoned2', { phone: '13800000001' })),
    ).rejects.toMatchObject(phoneConflict)
    await admin().call(userApi.create, draft('phoned3'))
    const { list } = await admin().call(userApi.page, { username: 'phoned3' })
    await expect(
      admin().call(userApi.update, { ...list[0]!, phone: '13800000001' }),
    ).rejects.toMatchObject(phoneConflict)
    const userWithPhone = await admin().call(userApi.get, { id })
    expect(await admin().call(userApi.update, { ...userWithPhone, name: '有电话' })).toMatchObject({
      name: '有电话',
      phone: '13800000001',
    })
  })
  it('refuses permissions beyond those of the caller', async () => {
    for (const code of ['platform-admin', 'operator']) {
      await expect(
        app
          .as('clerk')
          .call(userApi.create, draft('friend', { roleIds: [roles[code]!.id], projectIds: [1] })),
      ).rejects.toMatchObject({
        data: { fields: { roleIds: expect.stringContaining('超出自己') } },
      })
    }
    await expect(
      app.as('clerk').call(userApi.create, draft('friend', { projectIds: [1, 2] })),
    ).rejects.toMatchObject({ data: { fields: { projectIds: expect.any(String) } } })
    expect(
      await app.as('clerk').call(userApi.create, draft('friend', { projectIds: [1] })),
    ).toMatchObject({ password: expect.any(String) })
  })
  it('returns the first password once and stores it nowhere', async () => {
    const { id, password } = await admin().call(userApi.create, draft('fresh'))
    const { list } = await admin().call(actionLogApi.page, { entityId: id })
    expect(JSON.stringify(list)).not.toContain(password)
    expect(list[0]).toMatchObject({
      entity: '用户',
      verb: '新建用户',
      changes: expect.arrayContaining([
        { field: 'roleIds', title: '角色', before: '', after: '只读访客' },
      ]),
    })
    expect(JSON.stringify(await admin().call(userApi.get, { id }))).not.toMatch(/password/i)
  })
})

describe('the last administrator', () => {
  it('cannot be disabled, deleted, removed from the role or given an expiry', async () => {
    const user = await admin().call(userApi.get, { id: await getAdminId() })
    expect(
      await admin().call(userApi.setEnabled, { ids: [user.id], enabled: false }),
    ).toMatchObject([{ ok: false, reason: '不能禁用自己' }])
    await expect(
      admin().call(userApi.update, {
        ...user,
        roleIds: [roles.visitor!.id],
        projectIds: [1],
      }),
    ).rejects.toMatchObject({ code: 1001, msg: expect.stringContaining('最后一个') })
    await expect(
      admin().call(userApi.update, { ...user, expireTime: '2020-01-01T00:00:00Z' }),
    ).rejects.toMatchObject({ code: 1001 })
    await expect(admin().call(userApi.remove, { id: user.id })).rejects.toMatchObject({
      msg: '不能删除自己',
    })
  })
  it('can be disabled by another administrator, who is then the last one', async () => {
    const second = await app.join('second', 'platform-admin')
    const first = await getAdminId()
    expect(
      await second.call(userApi.setEnabled, { ids: [first, second.id], enabled: false }),
    ).toMatchObject([{ ok: true }, { ok: false, reason: '不能禁用自己' }])
    expect(await second.call(userApi.setEnabled, { ids: [first], enabled: true })).toMatchObject([
      { ok: true },
    ])
    app.forget('admin')
    await expect(second.call(userApi.remove, { id: first })).rejects.toMatchObject({
      msg: '内置用户不能删除',
    })
  })
})

it('refuses an expiry of the own account, also with other administrators', async () => {
  const user = await admin().call(userApi.get, { id: await getAdminId() })
  await admin().call(
    userApi.create,
    draft('spare-admin', { roleIds: user.roleIds, projectIds: 'all' }),
  )
  await expect(
    admin().call(userApi.update, { ...user, expireTime: '2020-01-01T00:00:00Z' }),
  ).rejects.toMatchObject({ data: { fields: { expireTime: '不能让自己的账号过期' } } })
})

it('refuses an expiry in the past, and keeps a past one when other fields are edited', async () => {
  const { id } = await admin().call(userApi.create, draft('ends-later'))
  const row = await admin().call(userApi.get, { id })
  await expect(
    admin().call(userApi.update, { ...row, expireTime: '2020-01-01T00:00:00Z' }),
  ).rejects.toMatchObject({ data: { fields: { expireTime: '有效期至须在现在之后' } } })
  await app.app.db
    .update(userTable)
    .set({ expireTime: '2020-01-01T00:00:00Z' })
    .where(eq(userTable.id, id))
  const expiredUser = await admin().call(userApi.get, { id })
  await admin().call(userApi.update, { ...expiredUser, name: '改名' })
  expect(await admin().call(userApi.get, { id })).toMatchObject({ name: '改名', state: 'expired' })
})

describe('a user with more permissions than the caller', () => {
  it('cannot be changed, reset, kicked, disabled or deleted', async () => {
    const id = await getAdminId()
    const clerk = app.as('clerk')
    await expect(clerk.call(userApi.resetPassword, { id })).rejects.toMatchObject({
      code: 1001,
      msg: '不能管理权限比自己多的用户',
    })
    await expect(clerk.call(userApi.kick, { id })).rejects.toMatchObject({ code: 1001 })
    await expect(
      clerk.call(userApi.update, {
        ...(await admin().call(userApi.get, { id })),
        phone: '13800000000',
      }),
    ).rejects.toMatchObject({ code: 1001 })
    expect(await clerk.call(userApi.setEnabled, { ids: [id], enabled: false })).toMatchObject([
      { ok: false },
    ])
    await expect(clerk.call(userApi.sessions, { id })).rejects.toMatchObject({ code: 1001 })
  })
  it('nor can a role with more permissions be changed, renamed or deleted', async () => {
    const strongerRole = await admin().call(roleApi.create, {
      name: '单灯控制',
      code: 'hand',
      description: '',
      menuIds: [],
      dataScope: 'assigned',
      deviceRights: ['view', 'control'],
    })
    const weakerRole = {
      description: '',
      menuIds: [],
      dataScope: 'assigned' as const,
      deviceRights: ['view' as const],
    }
    const clerk = app.as('clerk')
    await expect(
      clerk.call(roleApi.update, { ...strongerRole, deviceRights: [] }),
    ).rejects.toMatchObject({
      code: 1001,
      msg: '不能修改权限比自己多的角色',
    })
    await expect(clerk.call(roleApi.remove, { id: strongerRole.id })).rejects.toMatchObject({
      code: 1001,
      msg: '不能删除权限比自己多的角色',
    })
    expect(
      await clerk.call(roleApi.create, { ...weakerRole, name: '看一看', code: 'look-on' }),
    ).toMatchObject({ name: '看一看' })
  })
})

describe('a change of many users', () => {
  type Assignment = Omit<Input<typeof userApi.assign>, 'ids'>
  const unchanged: Assignment = {
    roleChange: 'keep',
    roleIds: [],
    projectChange: 'keep',
    projectIds: [],
  }
  const createUser = async (username: string, change: Partial<Draft> = {}) =>
    (await admin().call(userApi.create, draft(username, change))).id
  const readUser = (id: string) => admin().call(userApi.get, { id })

  it('is refused without the permission, without a change, and without values', async () => {
    const ids = [await createUser('many-refused')]
    await expect(app.as('guest').call(userApi.assign, { ids, ...unchanged })).rejects.toMatchObject(
      { status: 403 },
    )
    await expect(app.as('guest').call(userApi.removeMany, { ids })).rejects.toMatchObject({
      status: 403,
    })
    for (const [change, fields] of [
      [{}, { roleChange: '请选择要改的角色或项目' }],
      [{ roleChange: 'add' }, { roleIds: '请至少选择一个角色' }],
      [{ projectChange: 'replace' }, { projectIds: '请选择项目' }],
    ] as const)
      await expect(
        admin().call(userApi.assign, { ids, ...unchanged, ...change }),
      ).rejects.toMatchObject({ data: { fields } })
  })

  it('adds, removes and replaces roles and projects, and records each user', async () => {
    const ids = [await createUser('many-a'), await createUser('many-b', { projectIds: [1, 2] })]
    const operatorId = roles.operator!.id
    const visitorId = roles.visitor!.id
    await admin().call(userApi.assign, {
      ids,
      roleChange: 'add',
      roleIds: [operatorId],
      projectChange: 'add',
      projectIds: [2],
    })
    for (const id of ids) {
      const user = await readUser(id)
      expect(new Set(user.roleIds)).toEqual(new Set([visitorId, operatorId]))
      expect(user.projectIds).toEqual([1, 2])
    }
    const rows = await admin().call(userApi.assign, {
      ...unchanged,
      ids,
      roleChange: 'remove',
      roleIds: [visitorId],
      projectChange: 'replace',
      projectIds: [1],
    })
    expect(rows).toMatchObject([{ ok: true }, { ok: true }])
    expect(await readUser(ids[0]!)).toMatchObject({ roleIds: [operatorId], projectIds: [1] })
    const { list } = await admin().call(actionLogApi.page, { entityId: ids[0]! })
    expect(list[0]).toMatchObject({ verb: '分配角色和项目', entity: '用户' })
  })

  it('leaves users as they are whose result would be refused, and says why', async () => {
    const visitorId = roles.visitor!.id
    const ordinaryId = await createUser('many-ok', {
      roleIds: [visitorId, roles.operator!.id],
      projectIds: [1, 2],
    })
    const onlyVisitorId = await createUser('many-last-role')
    const adminId = await getAdminId()
    const rows = await admin().call(userApi.assign, {
      ids: [ordinaryId, onlyVisitorId, adminId],
      roleChange: 'remove',
      roleIds: [visitorId],
      projectChange: 'remove',
      projectIds: [2],
    })
    expect(rows.map(({ reason }) => reason)).toEqual([
      undefined,
      '移除后没有角色，用户至少要有一个角色',
      '管理全部项目，不能移除其中几个，请用“改为”',
    ])
    expect(await readUser(onlyVisitorId)).toMatchObject({ roleIds: [visitorId], projectIds: [1] })
    expect(await readUser(ordinaryId)).toMatchObject({ projectIds: [1] })

    await expect(
      app.as('clerk').call(userApi.assign, {
        ...unchanged,
        ids: [onlyVisitorId],
        projectChange: 'add',
        projectIds: [2],
      }),
    ).rejects.toMatchObject({ data: { fields: { projectIds: '所选项目不存在' } } })
    const [beyondOwnRights] = await app.as('clerk').call(userApi.assign, {
      ...unchanged,
      ids: [onlyVisitorId],
      roleChange: 'add',
      roleIds: [roles.operator!.id],
    })
    expect(beyondOwnRights).toMatchObject({
      ok: false,
      reason: expect.stringContaining('不能授予超出自己的权限'),
    })
    expect(await readUser(onlyVisitorId)).toMatchObject({ projectIds: [1] })
  })

  it('deletes all but oneself, built-in and stronger users', async () => {
    const ids = [await createUser('many-gone-1'), await createUser('many-gone-2')]
    const adminId = await getAdminId()
    const rows = await admin().call(userApi.removeMany, { ids: [...ids, adminId] })
    expect(rows.map(({ ok, reason }) => reason ?? ok)).toEqual([true, true, '不能删除自己'])
    await expect(readUser(ids[0]!)).rejects.toMatchObject({ code: 404 })
    const [refusal] = await app.as('clerk').call(userApi.removeMany, { ids: [adminId] })
    expect(refusal).toMatchObject({ ok: false })
    expect(await readUser(adminId)).toMatchObject({ builtin: true })
  })
})

describe('a user of other projects only', () => {
  it('is invisible to users without access to those projects', async () => {
    const otherProjectUser = await app.join('elsewhere', 'visitor', [2])
    await app.join('colleague', 'visitor', [1, 2])
    const clerk = app.as('clerk')
    const { list, total } = await clerk.call(userApi.page, { pageSize: 999 })
    const names = list.map(({ username }) => username)
    expect(names).toEqual(expect.arrayContaining(['clerk', 'colleague', 'guest']))
    expect(names).not.toContain('elsewhere')
    expect(total).toBe(list.length)
    for (const call of [
      userApi.get,
      userApi.sessions,
      userApi.rights,
      userApi.remove,
      userApi.unlock,
      userApi.kick,
    ]) {
      await expect(clerk.call(call, { id: otherProjectUser.id })).rejects.toMatchObject({
        code: 404,
      })
    }
    expect(
      await clerk.call(userApi.setEnabled, { ids: [otherProjectUser.id], enabled: false }),
    ).toMatchObject([{ ok: false, name: '' }])
    expect((await admin().call(userApi.page, { username: 'elsewhere' })).total).toBe(1)

    const { id } = await clerk.call(userApi.exportRows, { format: 'csv' })
    const { payload } = await app.app.inject({
      url: taskFilePath(id),
      headers: await clerk.headers(),
    })
    expect(payload).toContain('看不到的项目 2')
    expect(payload).not.toContain('elsewhere')
  })
})

describe('a user', () => {
  it('must sign in again after being disabled and enabled, and the old token stays invalid', async () => {
    const { id, call } = await app.join('returned', 'visitor')
    await call(authApi.me, {})
    await admin().call(userApi.setEnabled, { ids: [id], enabled: false })
    await expect(call(authApi.me, {})).rejects.toMatchObject({ code: 401, msg: '账号已禁用' })
    await admin().call(userApi.setEnabled, { ids: [id], enabled: true })
    await expect(call(authApi.me, {})).rejects.toMatchObject({ code: 401, msg: '您已被踢下线' })
    expect(await app.login('returned', secondPassword)).toBeTruthy()
  })
  it('gets a new password and is signed out everywhere after a reset', async () => {
    const { id, call } = await app.join('sleeper', 'visitor')
    await call(authApi.me, {})
    const { password } = await admin().call(userApi.resetPassword, { id })
    await expect(call(authApi.me, {})).rejects.toMatchObject({ code: 401, msg: '您已被踢下线' })
    expect(
      (await app.stranger.call(authApi.login, { username: 'sleeper', password })).token,
    ).toBeTruthy()
  })
  it('is unlocked by an administrator after too many failures', async () => {
    const { id } = await app.join('clumsy', 'visitor')
    const lockedUntilTime = new Date(Date.now() + 600_000).toISOString()
    await app.app.db.insert(loginFailure).values({
      key: 'user:clumsy',
      count: 5,
      since: new Date().toISOString(),
      lockedUntil: lockedUntilTime,
    })
    await expect(app.login('clumsy', secondPassword)).rejects.toMatchObject({ code: 1001 })
    await admin().call(userApi.unlock, { id })
    expect(await app.login('clumsy', secondPassword)).toBeTruthy()
  })
  it('is found by role, name and state', async () => {
    const { list, total } = await admin().call(userApi.page, {
      roleId: roles.clerk!.id,
      state: 'normal',
      sort: '-username',
    })
    expect({ names: list.map(({ username }) => username), total }).toEqual({
      names: ['clerk'],
      total: 1,
    })
    expect(list[0]).toMatchObject({ roleNames: ['用户管理员'], projectIds: [1], state: 'normal' })
    expect((await admin().call(userApi.sessions, { id: list[0]!.id })).length).toBeGreaterThan(0)
  })
  it('is signed out everywhere by an authorised caller, but not by itself', async () => {
    const { id, call } = await app.join('kicked', 'visitor')
    await call(authApi.me, {})
    expect(await admin().call(userApi.kick, { id })).toEqual({ revoked: 1 })
    await expect(call(authApi.me, {})).rejects.toMatchObject({ code: 401, msg: '您已被踢下线' })
    await expect(admin().call(userApi.kick, { id: await getAdminId() })).rejects.toMatchObject({
      code: 1001,
      msg: '不能把自己踢下线',
    })
  })
  it('is deleted with its sessions', async () => {
    const { id, call } = await app.join('gone', 'visitor')
    await admin().call(userApi.remove, { id })
    await expect(call(authApi.me, {})).rejects.toMatchObject({ code: 401 })
    await expect(admin().call(userApi.remove, { id })).rejects.toMatchObject({ code: 404 })
  })
})

describe('the effective rights of a user', () => {
  it('are refused without a session and without the permission', async () => {
    const { id } = (await admin().call(userApi.page, { username: 'clerk' })).list[0]!
    await expect(app.stranger.call(userApi.rights, { id })).rejects.toMatchObject({ code: 401 })
    await expect(app.as('guest').call(userApi.rights, { id })).rejects.toMatchObject({
      status: 403,
      data: { permission: 'enterprise:user:query' },
    })
    await expect(app.as('guest').call(roleApi.rights, {})).rejects.toMatchObject({ status: 403 })
  })
  it('name the roles that grant each of them, and are those of the session', async () => {
    for (const { id, username } of (await admin().call(userApi.page, { pageSize: 999 })).list) {
      if (!['clerk', 'guest', 'admin'].includes(username)) continue
      const { roleIds } = await admin().call(userApi.get, { id })
      const { roles: allRoles, rights } = await admin().call(userApi.rights, { id })
      expect(roleIds.every((roleId) => allRoles.some((role) => role.id === roleId))).toBe(true)
      const heldCodes = rights
        .filter((right) => right.roleIds.some((roleId) => roleIds.includes(roleId)))
        .map(({ permission }) => permission)
      const { permissions } = (await app.as(username).call(authApi.me, {})).user
      expect(heldCodes.sort()).toEqual(
        permissions[0] === '*'
          ? rights.map(({ permission }) => permission).sort()
          : permissions.toSorted(),
      )
    }
    const { id } = (await admin().call(userApi.page, { username: 'clerk' })).list[0]!
    const { rights, projectScope } = await admin().call(userApi.rights, { id })
    expect(projectScope).toEqual([1])
    expect(await admin().call(roleApi.rights, {})).toEqual(rights)
    expect(rights.find(({ permission }) => permission === 'enterprise:user:add')).toMatchObject({
      name: '新建用户',
      place: '企业管理 / 用户管理',
      roleIds: [roles['platform-admin']!.id, roles.clerk!.id].sort(),
    })
    expect(rights.find(({ permission }) => permission === 'home:device:view')).toMatchObject({
      name: '查看设备',
      roleIds: expect.arrayContaining([roles.clerk!.id, roles.visitor!.id]),
    })
  })
  it('find those who may use a right now, through a menu, a device right or every permission', async () => {
    const findUsernames = async (permission: string) =>
      (await admin().call(userApi.page, { permission, pageSize: 999 })).list.map(
        ({ username }) => username,
      )
    const mayAddUsers = await findUsernames('enterprise:user:add')
    expect(mayAddUsers).toEqual(expect.arrayContaining(['admin', 'clerk']))
    expect(mayAddUsers).not.toContain('guest')
    expect(await findUsernames('home:device:view')).toContain('guest')
    expect(await findUsernames('home:device:control')).not.toContain('guest')
    const { id } = await admin().call(
      userApi.create,
      draft('formerclerk', { roleIds: [roles.clerk!.id] }),
    )
    expect(await findUsernames('enterprise:user:add')).toContain('formerclerk')
    await admin().call(userApi.setEnabled, { ids: [id], enabled: false })
    expect(await findUsernames('enterprise:user:add')).not.toContain('formerclerk')
    await admin().call(userApi.remove, { id })
  })
})

describe('roles', () => {
  const createRoleDraft = (
    code: string,
    change: Partial<Input<typeof roleApi.create>> = {},
  ): Input<typeof roleApi.create> => ({
    name: code,
    code,
    description: '',
    menuIds: [],
    dataScope: 'assigned',
    deviceRights: [],
    ...change,
  })
  it('refuse permissions beyond those of their creator', async () => {
    const [menu] = (await admin().call(menuApi.list, {})).filter(
      ({ routeName }) => routeName === 'system.menu',
    )
    await expect(
      app.as('clerk').call(roleApi.create, createRoleDraft('r1', { menuIds: [menu!.id] })),
    ).rejects.toMatchObject({ data: { fields: { menuIds: expect.any(String) } } })
    await expect(
      app.as('clerk').call(roleApi.create, createRoleDraft('r1', { deviceRights: ['control'] })),
    ).rejects.toMatchObject({
      data: { fields: { deviceRights: expect.stringContaining('单灯控制') } },
    })
    await expect(
      app.as('clerk').call(roleApi.create, createRoleDraft('r1', { dataScope: 'all' })),
    ).rejects.toMatchObject({ data: { fields: { dataScope: '不能授予全部项目' } } })
    expect(
      (await app.as('clerk').call(roleApi.grantable, {})).some(({ id }) => id === menu!.id),
    ).toBe(false)
  })
  it('refuse unknown menus', () =>
    expect(
      admin().call(
        roleApi.create,
        createRoleDraft('r2', { menuIds: ['01900000-0000-7000-8000-000000000000'] }),
      ),
    ).rejects.toMatchObject({ data: { fields: { menuIds: expect.stringContaining('不存在') } } }))
  it('refuse a duplicate name, and deletion while built in or in use', async () => {
    await expect(
      admin().call(roleApi.create, createRoleDraft('x', { name: '运维值班' })),
    ).rejects.toMatchObject({ code: 422, data: { fields: { name: '角色名称“运维值班”已存在' } } })
    await expect(
      admin().call(roleApi.create, createRoleDraft('operator', { name: '另一个' })),
    ).rejects.toMatchObject({ code: 422, data: { fields: { code: '角色编码“operator”已存在' } } })
    await expect(
      admin().call(roleApi.update, { ...roles.clerk!, name: '只读访客' }),
    ).rejects.toMatchObject({ code: 422, data: { fields: { name: '角色名称“只读访客”已存在' } } })
    await expect(admin().call(roleApi.remove, { id: roles.operator!.id })).rejects.toMatchObject({
      code: 1001,
      msg: '内置角色不能删除',
    })
    await expect(admin().call(roleApi.remove, { id: roles.clerk!.id })).rejects.toMatchObject({
      code: 1003,
      data: { references: [{ entity: '用户', name: 'clerk' }] },
    })
  })
  it('are deleted when no user has them', async () => {
    const { id } = await admin().call(roleApi.create, createRoleDraft('brief'))
    await admin().call(roleApi.remove, { id })
    expect((await admin().call(roleApi.list, {})).some((candidate) => candidate.id === id)).toBe(
      false,
    )
  })
  it('change the permissions of their users at once, and log the change', async () => {
    const guest = app.as('guest')
    const listDeviceRights = async () =>
      (await guest.call(authApi.me, {})).user.permissions.filter((permission) =>
        permission.startsWith('home:'),
      )
    expect(await listDeviceRights()).toEqual(['home:device:view'])
    const visitor = (await readRoles()).visitor!
    await admin().call(roleApi.update, { ...visitor, deviceRights: ['view', 'control'] })
    expect(await listDeviceRights()).toEqual(['home:device:view', 'home:device:control'])
    const { list } = await admin().call(actionLogApi.page, { entityId: visitor.id })
    expect(list[0]!.changes).toEqual([
      {
        field: 'deviceRights',
        title: '设备权限',
        before: '查看设备',
        after: '查看设备、单灯控制',
        added: ['单灯控制'],
        removed: [],
      },
    ])
  })
  it('leave administrators all permissions, whatever is sent', async () => {
    const row = (await readRoles())['platform-admin']!
    await admin().call(roleApi.update, {
      ...row,
      menuIds: [],
      deviceRights: [],
      description: '全权',
    })
    expect(await admin().call(authApi.me, {})).toMatchObject({
      user: { permissions: expect.arrayContaining(['*']) },
    })
  })
})

describe('the projects of a user', () => {
  const getFieldErrors = (change: Partial<Draft>) =>
    admin()
      .call(userApi.create, draft('projects-no', change))
      .catch(({ data }) => data.fields)
  const readProjectScope = async (name: string, change: Partial<Draft>) => {
    const { password } = await admin().call(userApi.create, draft(name, change))
    const user = app.as(name, password)
    const passwordChange = { oldPassword: password, newPassword: secondPassword }
    await user.call(authApi.changePassword, passwordChange)
    const { seesAllProjects } = (await user.call(authApi.me, {})).user
    const ids: number[] = []
    for (const projectId of [1, 2])
      await user.call(projectApi.spaces, { projectId }).then(
        () => ids.push(projectId),
        () => {},
      )
    return { seesAllProjects, ids }
  }

  it('must not be empty, and "all projects" requires a role that permits it', async () => {
    const chooseMessage = '请选择项目，或选“全部项目”'
    for (const projectIds of [[], 'ALL', '', null] as unknown as Draft['projectIds'][])
      expect(await getFieldErrors({ projectIds })).toEqual({ projectIds: chooseMessage })
    expect(await getFieldErrors({ projectIds: 'all' })).toEqual({
      projectIds: '所选角色只能看分配的项目，请指定项目',
    })
    const roleIds = [roles['platform-admin']!.id]
    expect(await getFieldErrors({ roleIds, projectIds: [1] })).toEqual({
      projectIds: '平台管理员总是管理全部项目，请选“全部项目”',
    })
  })
  it('limit what the user sees', async () => {
    const { id: wideRoleId } = await admin().call(roleApi.create, {
      name: '全部只读',
      code: 'wide',
      description: '',
      menuIds: [],
      dataScope: 'all',
      deviceRights: ['view'],
    })
    const scopeOfAll = await readProjectScope('projects-all', {
      roleIds: [wideRoleId],
      projectIds: 'all',
    })
    expect(scopeOfAll).toEqual({ seesAllProjects: true, ids: [1, 2] })
    const limitedScope = await readProjectScope('projects-some', {
      roleIds: [wideRoleId],
      projectIds: [2],
    })
    expect(limitedScope).toEqual({ seesAllProjects: false, ids: [2] })
    const role = (await readRoles()).wide!
    await expect(
      admin().call(roleApi.update, { ...role, dataScope: 'assigned' }),
    ).rejects.toMatchObject({
      data: {
        fields: {
          dataScope: '有 1 个用户选了“全部项目”，改后看不到任何项目；请先为他们指定项目',
        },
      },
    })
  })
  it('that were stored twice are shown once, so that the user can be saved', async () => {
    const { id } = await admin().call(userApi.create, draft('projects-twice'))
    await app.app.db
      .update(userTable)
      .set({ projectIds: [2, 1, 2] })
      .where(eq(userTable.id, id))
    const row = await admin().call(userApi.get, { id })
    expect(row.projectIds).toEqual([2, 1])
    await admin().call(userApi.update, { ...row, name: '改名' })
    expect(await admin().call(userApi.get, { id })).toMatchObject({ projectIds: [2, 1] })
  })
  it('of an older version keep their effective value', async () => {
    const { id } = await app.join('projects-none', 'visitor')
    const row = await admin().call(userApi.get, { id })
    expect(row.projectIds).toEqual([])
    await expect(admin().call(userApi.update, { ...row, name: '改名' })).rejects.toMatchObject({
      data: { fields: { projectIds: '请选择项目，或选“全部项目”' } },
    })
  })
})

describe('a role used in other projects', () => {
  it('cannot be changed by an administrator of one project', async () => {
    const { id } = await admin().call(roleApi.create, {
      name: '另一角色',
      code: 'clerk-two',
      description: '',
      menuIds: [],
      dataScope: 'assigned',
      deviceRights: [],
    })
    await admin().call(userApi.create, draft('of-two', { roleIds: [id], projectIds: [2] }))
    const row = (await readRoles())['clerk-two']!
    const forbidden = { status: 403, msg: expect.stringContaining('不属于您的项目的用户') }
    const change = { ...row, description: '改了' }
    await expect(app.as('clerk').call(roleApi.update, change)).rejects.toMatchObject(forbidden)
    const visitor = (await readRoles()).visitor!
    await expect(app.as('clerk').call(roleApi.update, visitor)).rejects.toMatchObject({
      status: 403,
    })
  })
})
