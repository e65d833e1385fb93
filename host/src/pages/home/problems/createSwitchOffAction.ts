import type { ActionMode } from '@iot/shared/contract/device/device.schema'
import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { hasStrictMode } from '../bulkActions'

/** Asks to switch off unneeded lamps, with the same level of confirmation as the off button of lamps. */
export const createSwitchOffAction = (
  projectId: number,
  modes: ActionMode[],
  deviceIds: string[],
  name: string,
): ControlConfirmation => ({
  title: `关${name}的灯`,
  okText: '关灯',
  request: {
    kind: 'set',
    projectId,
    scope: { kind: 'devices', deviceIds },
    values: { [lightSwitchIdentifier]: 0 },
  },
  spoken: { kind: 'all_off', name },
  ...(hasStrictMode(modes, 'all_off') && { confirm: 'strict' }),
})
