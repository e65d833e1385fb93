import { createBrowserRouter, redirect, type RouteObject } from 'react-router-dom'
import { loadRemote, type Mounted } from './federation/runtime'
import { RemoteFailure } from './federation/RemoteFailure'
import { Layout } from './layout/Layout'
import { LoginRoute } from './pages/login/LoginRoute'
import { remoteFor, remotes } from './remotes'

const mounted = new Map<string, Mounted>()

const routes: RouteObject[] = [
  { path: '/login', Component: LoginRoute },
  {
    id: 'shell',
    path: '/',
    Component: Layout,
    children: [
      { index: true, loader: () => redirect('/home') },
      { path: 'home', element: <h1>首页</h1> },
      ...remotes.map(({ name }) => ({ id: name, path: name, errorElement: <RemoteFailure />, children: [{ path: '*', element: <h1>404</h1> }] })),
      { path: '*', element: <h1>404</h1> },
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
