import { redirect, type RouteObject } from 'react-router-dom'
import { enterprise } from '@iot/shared/screens/enterprise'
import { paths } from '@iot/shared/screens/paths'
import { detail, screen, type RemoteRoute } from '@iot/shared/screens/route'

export const area: object = enterprise
export const routes: RouteObject[] = [
  { index: true, loader: () => redirect(paths.enterprise.user()) },
  screen(enterprise.user, () => import('./pages/user/UserPage')),
  detail(enterprise.user, '用户详情', () => import('./pages/user/UserDetailPage')),
  // Query parameters of this page do not belong to the list of calendars, which is read completely.
  screen({ ...enterprise.holiday, page: undefined }, () => import('./pages/holiday/HolidayPage')),
] satisfies RemoteRoute[]
