import BellFilled from '@ant-design/icons/BellFilled'
import BellOutlined from '@ant-design/icons/BellOutlined'
import Button from 'antd/es/button'
import Popover from 'antd/es/popover'
import { useAtomValue } from 'jotai'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import { useCan } from '@iot/shared/session/can'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { PartBoundary } from '../PartBoundary'
import { alertsAtom } from './alerts'

const AlertChoices = lazyPart(() => import('./AlertChoices'))

/**
 * Chooses the incidents that sound or show a browser notification; `Alerts` and `Notifications` raise them. A user
 * without the permission to list incidents gets no alerts about them.
 */
export function AlertSettings() {
  const { sound, notify } = useAtomValue(alertsAtom)
  const canList = useCan()(incidentApi.page)
  const isOn = sound || notify
  if (!canList) return null
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title="新告警提醒"
      styles={{ content: { width: 272 } }}
      content={
        <PartBoundary>
          <AlertChoices />
        </PartBoundary>
      }
    >
      <Button
        size="small"
        type="text"
        icon={isOn ? <BellFilled /> : <BellOutlined />}
        aria-label="提醒设置"
        title={isOn ? '提醒已开' : '提醒设置'}
      />
    </Popover>
  )
}
