import { readFileSync } from 'node:fs'
import { authApi } from '@iot/shared/contract/auth'
import { menuApi } from '@iot/shared/contract/menu'
import { releaseTrialApi } from '@iot/shared/contract/releaseTrial'
import { roleApi } from '@iot/shared/contract/role'
import { menu } from '@iot/shared/screens/all'
import { area, menuOf } from '@iot/shared/screens/area'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { migrationNames } from '../../core/db/migrate'
import { menu as menuTable } from '../../tables/menu'
import { role as roleTable, roleMenu, roleOffer } from '../../tables/role'
import { testApp, type TestApp } from '../../testing'
import { seedMenus } from '../menu/seed'
import { seedRoles } from './seed'

let app: TestApp
const db = () => app.app.db
const admin = () => app.as('admin')
const roleOf = async (code: string) =>
  (await admin().call(roleApi.list, {})).find((role) => role.code === code)!
const rowsOf = async (routeName: string) => {
  const rows = await admin().call(menuApi.list, {})
  const { id } = rows.find((row) => row.routeName === routeName)!
  return rows.filter((row) => row.id === id || row.parentId === id).map((row) => row.id)
}
/** Returns the permissions of a role on a page: the page and the codes of its buttons. */
async function held(code: string, routeName: string) {
  const ids = await rowsOf(routeName)
  const rows = await db()
    .select({ of: sql<string>`coalesce(nullif(${menuTable.permission}, ''), ${routeName})` })
    .from(roleMenu)
    .innerJoin(menuTable, eq(menuTable.id, roleMenu.menuId))
    .innerJoin(roleTable, eq(roleTable.id, roleMenu.roleId))
    .where(and(eq(roleTable.code, code), inArray(menuTable.id, ids)))
  return rows.map((row) => row.of).sort()
}
/** Revokes a page or folder, with everything below it, from a role, as an administrator does. */
async function take(code: string, ...routeNames: string[]) {
  const role = await roleOf(code)
  const ids = (await Promise.all(routeNames.map(rowsOf))).flat()
  await admin().call(roleApi.update, {
    ...role,
    menuIds: role.menuIds.filter((id) => !ids.includes(id)),
  })
}
/** Simulates the next version, which adds a screen with an unused name to an existing folder. */
async function upgrade(name: string) {
  const code = (verb: string) => `deviceAccess:${name}:${verb}` as const
  const next = area('deviceAccess', {
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
              page: { title: '列表', permission: code('list') },
              get: { title: '查看', permission: code('query') },
              create: { title: '新建', permission: code('add') },
            },
            roles: { 'project-admin': 'all', operator: 'read' },
          },
        },
      },
    },
  })
  await seed([...menu, ...menuOf(next).slice(-1)])
}
async function seed(rows = menu) {
  await seedMenus(db(), rows)
  await seedRoles(db(), rows)
}

let fresh: (typeof roleMenu.$inferSelect)[]
beforeAll(async () => {
  app = await testApp({ empty: true })
  fresh = await db().select().from(roleMenu)
})
beforeEach(async () => {
  for (const table of [roleMenu, roleOffer]) {
    await db().delete(table)
    await db().insert(table).values(fresh)
  }
})
afterAll(() => app.close())

it('gives a built-in role a page that is new, and its users the codes', async () => {
  const operator = await app.join('night', 'operator')
  await upgrade('novelty')
  expect(await held('operator', 'deviceAccess.config.novelty')).toEqual([
    'deviceAccess:novelty:list',
    'deviceAccess:novelty:query',
  ])
  expect(await held('project-admin', 'deviceAccess.config.novelty')).toEqual([
    'deviceAccess:novelty:add',
    'deviceAccess:novelty:list',
    'deviceAccess:novelty:query',
  ])
  expect(await held('visitor', 'deviceAccess.config.novelty')).toEqual([])
  app.app.sessions.forget()
  const { user, menu } = await operator.call(authApi.me, {})
  expect(user.permissions).toContain('deviceAccess:novelty:query')
  expect(user.permissions).not.toContain('deviceAccess:novelty:add')
  expect(JSON.stringify(menu)).toContain('/deviceAccess/config/novelty')
})

it('brings a button that is new to a page that was there, for a role to be given', async () => {
  const { permission, title } = releaseTrialApi.start
  const rows = () => admin().call(menuApi.list, {})
  const theButton = async () => (await rows()).find((row) => row.permission === permission)
  await db().delete(menuTable).where(eq(menuTable.permission, permission))
  expect(await theButton()).toBeUndefined()
  await seed()
  const page = (await rows()).find(({ routeName }) => routeName === 'system.release')!
  const button = await theButton()
  expect(button).toMatchObject({ type: 'button', name: title, parentId: page.id })
  expect(await held('project-admin', 'system.release')).toEqual([])
  const operator = await roleOf('operator')
  const developer = await app.join('developer', 'operator')
  const menuIds = [...operator.menuIds, page.id, button!.id]
  await admin().call(roleApi.update, { ...operator, menuIds })
  app.app.sessions.forget()
  expect((await developer.call(authApi.me, {})).user.permissions).toContain(permission)
})

it('does not give back what an administrator took, nor what is new below it', async () => {
  await take('operator', 'deviceAccess.config.manufacturer')
  await take('project-admin', 'deviceAccess.config', 'deviceAccess.config.manufacturer')
  await upgrade('novelty')
  expect(await held('operator', 'deviceAccess.config.manufacturer')).toEqual([])
  expect(await held('operator', 'deviceAccess.config.novelty')).not.toEqual([])
  expect(await held('project-admin', 'deviceAccess.config.novelty')).toEqual([])
  await take('operator', 'deviceAccess.config.novelty')
  await upgrade('novelty')
  expect(await held('operator', 'deviceAccess.config.novelty')).toEqual([])
})

it('leaves the roles of the site alone, and changes nothing the second time', async () => {
  const draft = {
    name: '巡检',
    code: 'rounds',
    description: '',
    menuIds: (await roleOf('operator')).menuIds,
    dataScope: 'assigned' as const,
    deviceRights: [],
  }
  const { menuIds } = await admin().call(roleApi.create, draft)
  await upgrade('novelty')
  expect(new Set((await roleOf('rounds')).menuIds)).toEqual(new Set(menuIds))
  const state = async () => [
    await db().select().from(roleMenu),
    await db().select().from(roleOffer),
  ]
  const before = await state()
  await upgrade('novelty')
  expect(await state()).toEqual(before)
})

it('takes what the version without a memory gave for given', async () => {
  await db().delete(roleOffer)
  await take('operator', 'deviceAccess.config.manufacturer')
  const name = (await migrationNames()).find((file) => file.endsWith('role_offer.sql'))!
  const file = readFileSync(new URL(`../../migrations/${name}`, import.meta.url), 'utf8')
  await db().execute(sql.raw(file.split('--> statement-breakpoint').at(-1)!))
  await upgrade('novelty')
  expect(await held('operator', 'deviceAccess.config.manufacturer')).toEqual([])
  expect(await held('operator', 'deviceAccess.config.novelty')).not.toEqual([])
  expect(await held('project-admin', 'deviceAccess.config.manufacturer')).toHaveLength(3)
})
