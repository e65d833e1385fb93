import { readFileSync } from 'node:fs'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { menuApi } from '@iot/shared/contract/access/menu.api'
import { releaseTrialApi } from '@iot/shared/contract/release/releaseTrial.api'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { menuRecords } from '@iot/shared/screens/all'
import { area, getMenuRecords } from '@iot/shared/screens/area'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { listMigrationNames } from '../../core/db/migrate'
import { menu as menuTable } from '../../tables/menu'
import { role as roleTable, roleMenu, roleOffer } from '../../tables/role'
import { ownApp, type TestApp } from '../../testing'
import { seedMenus } from '../menu/seed'
import { seedRoles } from './seed'

let app: TestApp
const db = () => app.app.db
const admin = () => app.as('admin')
const findRole = async (code: string) =>
  (await admin().call(roleApi.list, {})).find((role) => role.code === code)!
const findMenuIds = async (routeName: string) => {
  const rows = await admin().call(menuApi.list, {})
  const { id } = rows.find((row) => row.routeName === routeName)!
  return rows.filter((row) => row.id === id || row.parentId === id).map((row) => row.id)
}
/** Returns the permissions of a role on a page: the page and the codes of its buttons. */
async function listPermissions(code: string, routeName: string) {
  const ids = await findMenuIds(routeName)
  const rows = await db()
    .select({ of: sql<string>`coalesce(nullif(${menuTable.permission}, ''), ${routeName})` })
    .from(roleMenu)
    .innerJoin(menuTable, eq(menuTable.id, roleMenu.menuId))
    .innerJoin(roleTable, eq(roleTable.id, roleMenu.roleId))
    .where(and(eq(roleTable.code, code), inArray(menuTable.id, ids)))
  return rows.map((row) => row.of).sort()
}
/** Revokes a page or folder, with everything below it, from a role, as an administrator does. */
async function revokeScreens(code: string, ...routeNames: string[]) {
  const role = await findRole(code)
  const ids = (await Promise.all(routeNames.map(findMenuIds))).flat()
  await admin().call(roleApi.update, {
    ...role,
    menuIds: role.menuIds.filter((id) => !ids.includes(id)),
  })
}
/** Simulates the next version, which adds a screen with an unused name to an existing folder. */
async function simulateUpgrade(name: string) {
  const permissionCode = (verb: string) => `deviceAccess:${name}:${verb}` as const
  const nextArea = area('deviceAccess', {
    title: '',
    icon: '',
    screens: {
      config: {
        title: '',
        icon: '',
        screens: {
          [name]: {
            title: name,
            icon: '',
            api: {
              page: { title: '列表', permission: permissionCode('list') },
              get: { title: '查看', permission: permissionCode('query') },
              create: { title: '新建', permission: permissionCode('add') },
            },
            roles: { 'project-admin': 'all', operator: 'read' },
          },
        },
      },
    },
  })
  await seedAll([...menuRecords, ...getMenuRecords(nextArea).slice(-1)])
}
async function seedAll(rows = menuRecords) {
  await seedMenus(db(), rows)
  await seedRoles(db(), rows)
}

let initialGrants: (typeof roleMenu.$inferSelect)[]
beforeAll(async () => {
  app = await ownApp({ empty: true })
  initialGrants = await db().select().from(roleMenu)
})
beforeEach(async () => {
  for (const table of [roleMenu, roleOffer]) {
    await db().delete(table)
    await db().insert(table).values(initialGrants)
  }
})
afterAll(() => app.close())

it('grants a new page to a built-in role, and its codes to the users of the role', async () => {
  const operator = await app.join('night', 'operator')
  await simulateUpgrade('novelty')
  expect(await listPermissions('operator', 'deviceAccess.config.novelty')).toEqual([
    'deviceAccess:novelty:list',
    'deviceAccess:novelty:query',
  ])
  expect(await listPermissions('project-admin', 'deviceAccess.config.novelty')).toEqual([
    'deviceAccess:novelty:add',
    'deviceAccess:novelty:list',
    'deviceAccess:novelty:query',
  ])
  expect(await listPermissions('visitor', 'deviceAccess.config.novelty')).toEqual([])
  app.app.sessions.forget()
  const { user, menu } = await operator.call(authApi.me, {})
  expect(user.permissions).toContain('deviceAccess:novelty:query')
  expect(user.permissions).not.toContain('deviceAccess:novelty:add')
  expect(JSON.stringify(menu)).toContain('/deviceAccess/config/novelty')
})

it('offers a new button of an existing page without granting it', async () => {
  const { permission, title } = releaseTrialApi.start
  const listMenus = () => admin().call(menuApi.list, {})
  const findButton = async () => (await listMenus()).find((row) => row.permission === permission)
  await db().delete(menuTable).where(eq(menuTable.permission, permission))
  expect(await findButton()).toBeUndefined()
  await seedAll()
  const page = (await listMenus()).find(({ routeName }) => routeName === 'system.release')!
  const button = await findButton()
  expect(button).toMatchObject({ type: 'button', name: title, parentId: page.id })
  expect(await listPermissions('project-admin', 'system.release')).toEqual([])
  const operator = await findRole('operator')
  const developer = await app.join('developer', 'operator')
  const menuIds = [...operator.menuIds, page.id, button!.id]
  await admin().call(roleApi.update, { ...operator, menuIds })
  app.app.sessions.forget()
  expect((await developer.call(authApi.me, {})).user.permissions).toContain(permission)
})

it('does not restore a page that an administrator revoked, nor pages below it', async () => {
  await revokeScreens('operator', 'deviceAccess.config.manufacturer')
  await revokeScreens('project-admin', 'deviceAccess.config', 'deviceAccess.config.manufacturer')
  await simulateUpgrade('novelty')
  expect(await listPermissions('operator', 'deviceAccess.config.manufacturer')).toEqual([])
  expect(await listPermissions('operator', 'deviceAccess.config.novelty')).not.toEqual([])
  expect(await listPermissions('project-admin', 'deviceAccess.config.novelty')).toEqual([])
  await revokeScreens('operator', 'deviceAccess.config.novelty')
  await simulateUpgrade('novelty')
  expect(await listPermissions('operator', 'deviceAccess.config.novelty')).toEqual([])
})

it('does not change custom roles, and changes nothing the second time', async () => {
  const draft = {
    name: '巡检',
    code: 'rounds',
    description: '',
    menuIds: (await findRole('operator')).menuIds,
    dataScope: 'assigned' as const,
    deviceRights: [],
  }
  const { menuIds } = await admin().call(roleApi.create, draft)
  await simulateUpgrade('novelty')
  expect(new Set((await findRole('rounds')).menuIds)).toEqual(new Set(menuIds))
  const readGrants = async () => [
    await db().select().from(roleMenu),
    await db().select().from(roleOffer),
  ]
  const grantsBefore = await readGrants()
  await simulateUpgrade('novelty')
  expect(await readGrants()).toEqual(grantsBefore)
})

it('treats grants from before the grant history as already offered', async () => {
  await db().delete(roleOffer)
  await revokeScreens('operator', 'deviceAccess.config.manufacturer')
  const name = (await listMigrationNames()).find((file) => file.endsWith('role_offer.sql'))!
  const file = readFileSync(new URL(`../../migrations/${name}`, import.meta.url), 'utf8')
  await db().execute(sql.raw(file.split('--> statement-breakpoint').at(-1)!))
  await simulateUpgrade('novelty')
  expect(await listPermissions('operator', 'deviceAccess.config.manufacturer')).toEqual([])
  expect(await listPermissions('operator', 'deviceAccess.config.novelty')).not.toEqual([])
  expect(await listPermissions('project-admin', 'deviceAccess.config.manufacturer')).toHaveLength(3)
})
