import { redirect, type RouteObject } from 'react-router-dom'
import { screen, type RemoteRoute } from '@iot/shared/screens/route'
import { screens } from './area'

export const area: object = screens
export const routes: RouteObject[] = [
  { index: true, loader: () => redirect(screens.overview.path) },
  screen(screens.overview, () => import('./pages/OverviewPage')),
] satisfies RemoteRoute[]
