import { createBrowserRouter, matchRoutes, redirect, type RouteObject } from 'react-router-dom'
import { getBasePath, removeBasePath } from '@iot/shared/contract/platform/siteAddress'
import { home } from '@iot/shared/screens/home'
import { release } from '@iot/shared/screens/release'
import { connectRouter, mountForPath, getRemoteRoutes } from './federation/mountedRemotes'
import { hostBuild } from './federation/install'
import { hasOverride } from './federation/override'
import { createLazyScreen } from './federation/screens'
import { Layout } from './layout/Layout'
import { ScreenLoadingBar } from './layout/ScreenLoadingBar'
import { Root } from './layout/Root'
import { NotFoundPage } from './pages/errors/NotFoundPage'
import { RouteErrorPage } from './pages/errors/RouteErrorPage'
import { LoginRoute } from './pages/login/LoginRoute'
import { listRemoteNames } from './remotes'

const createRoutes = (): RouteObject[] => [
  {
    Component: Root,
    ErrorBoundary: RouteErrorPage,
    children: [
      { path: '/login', Component: LoginRoute },
      {
        path: '/serviceUnavailable',
        ...createLazyScreen(
          'serviceUnavailable',
          hostBuild,
          () => import('./pages/errors/ServiceUnavailablePage'),
        ),
      },
      {
        id: 'shell',
        path: '/',
        Component: Layout,
        children: [
          {
            ErrorBoundary: RouteErrorPage,
            // The shell and the menu show until the first screen is loaded.
            HydrateFallback: ScreenLoadingBar,
            children: [
              { index: true, loader: () => redirect(home.path) },
              {
                path: home.path,
                handle: { title: home.title },
                ...createLazyScreen('home', hostBuild, () => import('./pages/home/HomePage')),
              },
              { path: `${home.path}/scene`, loader: () => redirect(home.path) },
              {
                path: `${home.path}/scene/new`,
                handle: { title: '新建场景' },
                ...createLazyScreen(
                  'scene/new',
                  hostBuild,
                  () => import('./pages/home/scene/ScenePage'),
                ),
              },
              {
                path: `${home.path}/scene/:id`,
                handle: { title: '编辑场景' },
                ...createLazyScreen(
                  'scene',
                  hostBuild,
                  () => import('./pages/home/scene/ScenePage'),
                ),
              },
              {
                path: release.path,
                handle: { title: release.title },
                ...createLazyScreen(
                  'release',
                  hostBuild,
                  () => import('./pages/release/ReleasePage'),
                ),
              },
              {
                path: `${release.path}/:id`,
                handle: { title: '发布详情' },
                ...createLazyScreen(
                  'releaseDetail',
                  hostBuild,
                  () => import('./pages/release/ReleaseDetailPage'),
                ),
              },
              ...listRemoteNames().map((name) => ({
                id: name,
                ErrorBoundary: RouteErrorPage,
                children: [
                  ...getRemoteRoutes(name, RouteErrorPage),
                  { id: `${name}/*`, path: `${name}/*`, Component: NotFoundPage },
                ],
              })),
              { path: '*', Component: NotFoundPage },
            ],
          },
        ],
      },
    ],
  },
]

export function createRouter() {
  const router = createBrowserRouter(createRoutes(), {
    basename: getBasePath() || '/',
    patchRoutesOnNavigation: ({ path }) => mountForPath(removeBasePath(path)),
  })
  connectRouter(router, createRoutes)
  return router
}

/** Preloads the code of an address before the router opens it. */
export async function preloadRoute(path: string) {
  // The permission for a development build is unknown before sign-in.
  if (hasOverride()) return
  await mountForPath(path)
  const lazy = matchRoutes(createRoutes(), path)?.at(-1)?.route.lazy
  if (typeof lazy === 'function') await lazy()
}
