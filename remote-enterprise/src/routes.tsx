import { redirect } from 'react-router-dom'
import { userApi } from '@iot/shared/contract/user'
import { paths } from '@iot/shared/paths'
import type { RemoteRoute } from '@iot/shared/ui/remoteRoute'

export const routes = [
  { index: true, loader: () => redirect(paths.users()) },
  {
    path: 'user',
    handle: { title: '用户管理', permission: userApi.page.permission },
    lazy: () => import('./pages/user/UserPage'),
  },
] satisfies RemoteRoute[]
