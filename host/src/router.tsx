import { createBrowserRouter, redirect, type RouteObject } from 'react-router-dom'
import { connect, discover, routesOf } from './federation/areas'
import { RemoteFailure } from './federation/RemoteFailure'
import { Layout } from './layout/Layout'
import { Root } from './layout/Root'
import { NotFoundPage } from './pages/errors/NotFoundPage'
import { RouteErrorPage } from './pages/errors/RouteErrorPage'
import { LoginRoute } from './pages/login/LoginRoute'
import { remotes } from './remotes'

const routes = (): RouteObject[] => [
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
              ...remotes.map(({ name }) => ({ id: name, ErrorBoundary: RemoteFailure, children: [...routesOf(name), { path: `${name}/*`, Component: NotFoundPage }] })),
              { path: '*', Component: NotFoundPage },
            ],
          },
        ],
      },
    ],
  },
]

export const router = createBrowserRouter(routes(), { patchRoutesOnNavigation: discover })
connect(router, routes)
