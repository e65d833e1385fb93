import { redirect } from 'react-router-dom'
import { screen, type RemoteRoute } from '@iot/shared/screens/route'
import { screens } from './area'

export { screens as area }
export const routes = [
  { index: true, loader: () => redirect(screens.overview.path) },
  screen(screens.overview, () => import('./pages/OverviewPage')),
] satisfies RemoteRoute[]
