import { inArray } from 'drizzle-orm'
import { menu } from '../../tables/menu'
import type { Db } from '../../core/db/db'
import { role, roleMenu } from '../../tables/role'

type Right = 'view' | 'control' | 'bulkControl' | 'configure'
type Seed = {
  code: string
  name: string
  description: string
  deviceRights: Right[]
  dataScope: 'all' | 'assigned'
  everything?: true
  verbs: string[]
  pages: string[]
}

/** A role holds the listed pages, the folders above them, and of their buttons those with the listed verbs. */
const seeds: Seed[] = [
  {
    code: 'platform-admin',
    name: '平台管理员',
    description: '拥有全部权限，包括以后新增的',
    everything: true,
    dataScope: 'all',
    deviceRights: ['view', 'control', 'bulkControl', 'configure'],
    verbs: [],
    pages: [],
  },
  {
    code: 'project-admin',
    name: '项目管理员',
    description: '管理所属项目的设备与厂商',
    dataScope: 'assigned',
    deviceRights: ['view', 'control', 'bulkControl', 'configure'],
    verbs: ['query', 'add', 'edit', 'remove', 'import', 'export'],
    pages: ['home', 'deviceAccess', 'deviceAccess.config', 'deviceAccess.config.manufacturer'],
  },
  {
    code: 'operator',
    name: '运维值班',
    description: '查看并控制所属项目的设备',
    dataScope: 'assigned',
    deviceRights: ['view', 'control', 'bulkControl'],
    verbs: ['query', 'export'],
    pages: ['home', 'deviceAccess', 'deviceAccess.config', 'deviceAccess.config.manufacturer'],
  },
  {
    code: 'visitor',
    name: '只读访客',
    description: '只能查看所属项目',
    dataScope: 'assigned',
    deviceRights: ['view'],
    verbs: [],
    pages: ['home'],
  },
]

/** Once, into an empty table: what an administrator makes of the roles afterwards stays. */
export async function seedRoles(db: Db) {
  if ((await db.select({ id: role.id }).from(role).limit(1)).length > 0) return
  for (const { pages, verbs, ...seed } of seeds) {
    const [row] = await db
      .insert(role)
      .values({
        ...seed,
        everything: seed.everything ?? false,
        builtin: true,
        createBy: '系统',
        updateBy: '系统',
      })
      .returning({ id: role.id })
    if (pages.length === 0) continue
    const held = await db.select().from(menu).where(inArray(menu.routeName, pages))
    const below = await db
      .select()
      .from(menu)
      .where(
        inArray(
          menu.parentId,
          held.map((item) => item.id),
        ),
      )
    const buttons = below.filter(
      (item) =>
        item.type === 'button' && verbs.some((verb) => item.permission.endsWith(`:${verb}`)),
    )
    await db
      .insert(roleMenu)
      .values([...held, ...buttons].map((item) => ({ roleId: row!.id, menuId: item.id })))
  }
}
