import { BellFilled, BellOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { useAtomValue } from 'jotai'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { PartBoundary } from '../PartBoundary'
import { alertsAtom } from './alerts'

const AlertChoices = lazyPart(() => import('./AlertChoices'))

/** Chooses the incidents that sound or show a browser notification; `Alerts` raises them. */
export function AlertSettings() {
  const { kinds, sound, notify } = useAtomValue(alertsAtom)
  const isOn = kinds.length > 0 && (sound || notify)
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title="新问题提醒"
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
