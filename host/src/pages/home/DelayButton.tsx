import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import Button from 'antd/es/button'
import { formatDelay } from '@iot/shared/contract/control/delayedControl'
import { getLastLightState } from '@iot/shared/contract/control/light'
import type { MapDevice } from '@iot/shared/contract/device/device.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { Can } from '@iot/shared/ui/right'
import { delayAction, delayProtectedRefusal } from './delayAction'
import { createDeviceAction } from './voice/createSpokenAction'

/** Common delays in minutes; the text command takes any other up to a day. */
const offeredDelays = [5, 10, 30, 60, 120]

type DelayButtonProps = {
  light: MapDevice
  projectId: number
  refusal: string | false
  onAsk: (action: ControlConfirmation) => void
}

/** Offers to switch one lamp once after a delay; the confirmation says what it does. */
export function DelayButton({ light, projectId, refusal, onAsk }: DelayButtonProps) {
  const isOn = getLastLightState(light) === 'on'
  const verb = isOn ? '关闭' : '打开'
  const action = createDeviceAction({ kind: 'switch', on: !isOn }, light, projectId)
  return (
    <Can
      to={devicePermissions.control}
      unless={refusal || (light.protected && delayProtectedRefusal)}
    >
      <DelayMenu
        verb={verb}
        onChoose={(delayMinutes) => onAsk(delayAction(action, delayMinutes))}
      />
    </Can>
  )
}

type DelayMenuProps = {
  verb: string
  onChoose: (delayMinutes: number) => void
  disabled?: boolean
}

const DelayMenu = ({ verb, onChoose, disabled }: DelayMenuProps) => (
  <ButtonMenu
    entries={offeredDelays.map((delayMinutes) => ({
      label: `${formatDelay(delayMinutes)}后${verb}`,
      onClick: () => onChoose(delayMinutes),
    }))}
    disabled={disabled}
  >
    <Button block icon={<ClockCircleOutlined />} disabled={disabled}>
      延时{verb}
    </Button>
  </ButtonMenu>
)
