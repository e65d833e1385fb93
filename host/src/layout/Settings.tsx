import { SettingOutlined } from '@ant-design/icons'
import { Button, Popover, Spin } from 'antd'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { inHeader } from './inHeader'
import { PartBoundary } from './PartBoundary'

const Choices = lazyPart(
  () => import('./Choices'),
  () => <Spin />,
)

export const Settings = () => (
  <Popover
    trigger="click"
    getPopupContainer={inHeader}
    placement="bottomRight"
    content={
      <PartBoundary>
        <Choices />
      </PartBoundary>
    }
  >
    <Button type="text" icon={<SettingOutlined />} aria-label="设置" title="设置" />
  </Popover>
)
