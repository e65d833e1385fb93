import { actionLogApi } from '@iot/shared/contract/actionLog'
import type { Permission } from '@iot/shared/contract/endpoint'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { menuApi } from '@iot/shared/contract/menu'
import { releaseApi } from '@iot/shared/contract/releaseCenter'
import { roleApi } from '@iot/shared/contract/role'
import { userApi } from '@iot/shared/contract/user'
import type { Db } from '../../core/db/db'
import { menu } from '../../tables/menu'

type Page = {
  name: string
  path: string
  routeName: string
  icon: string
  permission?: Permission
  buttons?: Record<string, Permission>
}
type Folder = {
  name: string
  path: string
  routeName: string
  icon: string
  children: (Page | Folder)[]
}

/** Only screens that are built. Rows are found again by route name, buttons by permission code. */
const tree: (Page | Folder)[] = [
  { name: '首页', path: '/home', routeName: 'home', icon: 'HomeOutlined' },
  {
    name: '设备接入',
    path: '/deviceAccess',
    routeName: 'deviceAccess',
    icon: 'ApiOutlined',
    children: [
      {
        name: '配置',
        path: '/deviceAccess/config',
        routeName: 'deviceAccess.config',
        icon: 'SettingOutlined',
        children: [
          {
            name: '厂商管理',
            path: '/deviceAccess/config/manufacturer',
            routeName: 'deviceAccess.config.manufacturer',
            icon: 'ShopOutlined',
            permission: manufacturerApi.page.permission,
            buttons: {
              查看厂商: manufacturerApi.get.permission,
              新建厂商: manufacturerApi.create.permission,
              修改厂商: manufacturerApi.update.permission,
              删除厂商: manufacturerApi.remove.permission,
              导入厂商: manufacturerApi.importRows.permission,
              导出厂商: manufacturerApi.exportRows.permission,
            },
          },
        ],
      },
    ],
  },
  {
    name: '系统管理',
    path: '/system',
    routeName: 'system',
    icon: 'ControlOutlined',
    children: [
      {
        name: '菜单管理',
        path: '/system/menu',
        routeName: 'system.menu',
        icon: 'MenuOutlined',
        permission: menuApi.list.permission,
        buttons: {
          新建菜单: menuApi.create.permission,
          修改菜单: menuApi.update.permission,
          删除菜单: menuApi.remove.permission,
        },
      },
      {
        name: '日志',
        path: '/system/log',
        routeName: 'system.log',
        icon: 'FileTextOutlined',
        children: [
          {
            name: '操作日志',
            path: '/system/log/actionLog',
            routeName: 'system.log.actionLog',
            icon: 'AuditOutlined',
            permission: actionLogApi.page.permission,
            buttons: { 导出操作日志: actionLogApi.exportRows.permission },
          },
        ],
      },
      {
        name: '发布管理',
        path: '/system/release',
        routeName: 'system.release',
        icon: 'RocketOutlined',
        permission: releaseApi.list.permission,
        buttons: { 查看发布: releaseApi.list.permission, 回退发布: releaseApi.rollback.permission },
      },
    ],
  },
  {
    name: '企业管理',
    path: '/enterprise',
    routeName: 'enterprise',
    icon: 'TeamOutlined',
    children: [
      {
        name: '用户管理',
        path: '/enterprise/user',
        routeName: 'enterprise.user',
        icon: 'UserOutlined',
        permission: userApi.page.permission,
        buttons: {
          查看用户: userApi.get.permission,
          新建用户: userApi.create.permission,
          修改用户: userApi.update.permission,
          删除用户: userApi.remove.permission,
          重置密码: userApi.resetPassword.permission,
          查看角色: roleApi.list.permission,
          新建角色: roleApi.create.permission,
          修改角色: roleApi.update.permission,
          删除角色: roleApi.remove.permission,
        },
      },
    ],
  },
]

export async function seedMenus(db: Db) {
  const rows = await db
    .select({
      id: menu.id,
      routeName: menu.routeName,
      permission: menu.permission,
      type: menu.type,
    })
    .from(menu)
  const pages = new Map(rows.filter((row) => row.routeName).map((row) => [row.routeName, row.id]))
  const buttons = new Set(rows.filter((row) => row.type === 'button').map((row) => row.permission))
  const common = {
    createBy: '系统',
    updateBy: '系统',
    visible: true,
    status: 'enabled' as const,
    builtin: true,
  }

  async function place(items: (Page | Folder)[], parentId: string | null) {
    for (const [index, item] of items.entries()) {
      const { name, path, routeName, icon } = item
      let id = pages.get(routeName)
      if (!id) {
        const type = 'children' in item ? 'folder' : 'page'
        const permission = 'permission' in item ? (item.permission ?? '') : ''
        const [row] = await db
          .insert(menu)
          .values({
            ...common,
            parentId,
            type,
            name,
            path,
            routeName,
            icon,
            permission,
            sort: index + 1,
          })
          .returning({ id: menu.id })
        id = row!.id
      }
      if ('children' in item) await place(item.children, id)
      else await addButtons(item.buttons ?? {}, id)
    }
  }
  async function addButtons(codes: Record<string, Permission>, parentId: string) {
    const missing = Object.entries(codes).filter(([, code]) => !buttons.has(code))
    if (missing.length === 0) return
    await db.insert(menu).values(
      missing.map(([name, permission], index) => ({
        ...common,
        parentId,
        type: 'button' as const,
        name,
        path: '',
        routeName: '',
        icon: '',
        permission,
        sort: index + 1,
      })),
    )
  }
  await place(tree, null)
}
