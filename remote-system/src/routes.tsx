import { redirect } from 'react-router-dom'
import { actionLogApi } from '@iot/shared/contract/actionLog'
import { menuApi } from '@iot/shared/contract/menu'
import { releaseApi } from '@iot/shared/contract/releaseCenter'
import { paths } from '@iot/shared/paths'
import type { RemoteRoute } from '@iot/shared/ui/remoteRoute'

export const routes = [
  { index: true, loader: () => redirect(paths.menus()) },
  {
    path: 'menu',
    handle: { title: '菜单管理', permission: menuApi.list.permission },
    lazy: () => import('./pages/menu/MenuPage'),
  },
  {
    path: 'log/actionLog',
    handle: { title: '操作日志', permission: actionLogApi.page.permission },
    lazy: () => import('./pages/log/ActionLogPage'),
  },
  {
    path: 'release',
    handle: { title: '发布管理', permission: releaseApi.list.permission },
    lazy: () => import('./pages/release/ReleasePage'),
  },
] satisfies RemoteRoute[]
