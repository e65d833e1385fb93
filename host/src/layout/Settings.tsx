import SettingOutlined from '@ant-design/icons/SettingOutlined'
import Button from 'antd/es/button'
import Popover from 'antd/es/popover'
import Spin from 'antd/es/spin'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { getHeaderContainer } from './getHeaderContainer'
import { PartBoundary } from './PartBoundary'

const AppearanceSettings = lazyPart(
  () => import('./AppearanceSettings'),
  () => <Spin />,
)

export const Settings = () => (
  <Popover
    trigger="click"
    getPopupContainer={getHeaderContainer}
    placement="bottomRight"
    content={
      <PartBoundary>
        <AppearanceSettings />
      </PartBoundary>
    }
  >
    <Button type="text" icon={<SettingOutlined />} aria-label="设置" title="设置" />
  </Popover>
)
