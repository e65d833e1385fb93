import { App as AntdApp } from 'antd'
import { RouterProvider } from 'react-router/dom'
import { router } from './router'

/** What a signed-in operator sees. */
export const App = () => (
  <AntdApp>
    <RouterProvider router={router} />
  </AntdApp>
)
