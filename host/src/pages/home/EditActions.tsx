import Button from 'antd/es/button'
import Space from 'antd/es/space'
import { Link, useNavigate } from 'react-router-dom'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { Space as Place } from '@iot/shared/contract/project/project.schema'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { platformOnlyReason } from '@iot/shared/contract/access/ownership'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { Can } from '@iot/shared/ui/right'
import type { ViewTab } from './useViews'

type EditActionsProps = { view?: ViewTab; floor?: Place; onBegin: () => void }

/**
 * Offers the actions of edit mode when home shows no cards: placing devices on the visible floor, and starting a card
 * view.
 */
export default function EditActions({ view, floor, onBegin }: EditActionsProps) {
  const can = useCan()
  const navigate = useNavigate()
  return (
    <Space wrap>
      <Can to={managedDeviceApi.place} unless={!floor && '先选一层'}>
        <Button
          size="small"
          type="primary"
          onClick={() => floor && void navigate(paths.home({ placing: floor.id }))}
        >
          摆放设备
        </Button>
      </Can>
      {view ? (
        <Can to={viewApi.arrange} unless={!view.isOwn && platformOnlyReason}>
          <Button size="small" onClick={onBegin}>
            为“{view.name}”编排卡片
          </Button>
        </Can>
      ) : (
        can(viewApi.create) && (
          <Link to={paths.deviceAccess.config.viewManager()}>
            <Button size="small">新建带卡片的视图</Button>
          </Link>
        )
      )}
    </Space>
  )
}
