import { loadRemote, registerRemotes } from '@module-federation/enhanced/runtime'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider, type RouteObject } from 'react-router-dom'

registerRemotes([
  { name: 'enterprise', entry: `${location.origin}/remotes/enterprise/mf-manifest.json` },
])
const remote = await loadRemote<{ routes: RouteObject[] }>('enterprise/routes')
const router = createBrowserRouter([{ path: '/enterprise', children: remote!.routes }])
createRoot(document.getElementById('root')!).render(<RouterProvider router={router} />)
