import { createBrowserRouter, redirect, type RouteObject } from 'react-router-dom'
import { loadRemote, type Mounted } from './federation/runtime'
import { RemoteFailure } from './federation/RemoteFailure'
import { Layout } from './layout/Layout'
import { Root } from './layout/Root'
import { NotFoundPage } from './pages/errors/NotFoundPage'
import { RouteErrorPage } from './pages/errors/RouteErrorPage'
import { LoginRoute } from './pages/login/LoginRoute'
import { remoteFor, remotes } from './remotes'

const mounted = new Map<string, Mounted>()

const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouteErrorPage,
    children: [
      { path: '/login', Component: LoginRoute },
      { path: '/serviceUnavailable', lazy: () => import('./pages/errors/ServiceUnavailablePage') },
      {
        id: 'shell',
        path: '/',
        Component: Layout,
        children: [
          {
            ErrorBoundary: RouteErrorPage,
            children: [
              { index: true, loader: () => redirect('/home') },
              { path: 'home', handle: { title: '首页' }, lazy: () => import('./pages/home/HomePage') },
              ...remotes.map(({ name }) => ({ id: name, path: name, errorElement: <RemoteFailure />, children: [{ path: '*', Component: NotFoundPage }] })),
              { path: '*', Component: NotFoundPage },
            ],
          },
        ],
      },
    ],
  },
]

export const router = createBrowserRouter(routes, {
  async patchRoutesOnNavigation({ path, patch }) {
    const remote = remoteFor(path)
    if (!remote || mounted.has(remote.name)) return
    const loaded = await loadRemote(remote.name)
    mounted.set(remote.name, loaded)
    patch(remote.name, loaded.routes.map((route) => ({ ...route, errorElement: <RemoteFailure /> }) as RouteObject))
  },
})
