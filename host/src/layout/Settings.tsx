import { SettingOutlined } from '@ant-design/icons'
import { Button, Popover, Spin } from 'antd'
import { lazy, Suspense } from 'react'

const Choices = lazy(() => import('./Choices'))

export const Settings = () => (
  <Popover
    trigger="click"
    placement="bottomRight"
    content={
      <Suspense fallback={<Spin />}>
        <Choices />
      </Suspense>
    }
  >
    <Button type="text" icon={<SettingOutlined />} aria-label="设置" title="设置" />
  </Popover>
)
