import { redirect } from 'react-router-dom'
import { enterprise } from '@iot/shared/screens/enterprise'
import { paths } from '@iot/shared/screens/paths'
import { screen, type RemoteRoute } from '@iot/shared/screens/route'

export { enterprise as area }
export const routes = [
  { index: true, loader: () => redirect(paths.enterprise.user()) },
  screen(enterprise.user, () => import('./pages/user/UserPage')),
  screen(enterprise.holiday, () => import('./pages/holiday/HolidayPage')),
] satisfies RemoteRoute[]
