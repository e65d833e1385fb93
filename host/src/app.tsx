import { App as AntdApp } from 'antd'
import { RouterProvider } from 'react-router-dom'
import { Banners } from './federation/Banners'
import { router } from './router'

/** What a signed-in operator sees. */
export const App = () => (
  <AntdApp message={{ duration: 3, top: 8, maxCount: 3 }}>
    <Banners />
    <RouterProvider router={router} />
  </AntdApp>
)
