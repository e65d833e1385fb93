import { redirect } from 'react-router-dom'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { paths } from '@iot/shared/paths'
import type { RemoteRoute } from '@iot/shared/ui/remoteRoute'

export const routes = [
  { index: true, loader: () => redirect(`${paths.deviceAccess()}/productCategory`) },
  { path: 'config', loader: () => redirect(paths.manufacturers()) },
  {
    path: 'config/manufacturer',
    handle: { title: '厂商管理', permission: manufacturerApi.page.permission },
    lazy: () => import('./pages/manufacturer/ManufacturerPage'),
  },
] satisfies RemoteRoute[]
