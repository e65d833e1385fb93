import { useCan } from '../session/can'
import type { ControlRequest } from '../contract/control/control.schema'
import type { MapDevice } from '../contract/device/device.schema'
import { inFlightText } from '../session/outgoing'
import { lightSwitchIdentifier, getLastLightState } from '../contract/control/light'
import { isCommandPending, type LiveDevice } from '../plan/lights'
import { devicePermissions } from '../contract/device/devicePermissions'
import { deviceStateText } from '../contract/device/managedDevice'
import type { ControlTasks } from './useTasks'
import { useFeedback } from '../ui/feedback'

/** Runs the command at once, or after a confirmation for a protected device, which bulk actions never reach. */
export function useProtectedConfirm() {
  const { modal } = useFeedback()
  return (
    { name, protected: isProtected }: Pick<MapDevice, 'name' | 'protected'>,
    verb: string,
    execute: () => Promise<unknown>,
    onCancel?: () => void,
  ) => {
    if (!isProtected) return void execute().catch(() => {})
    void modal.confirm({
      title: `${verb}受保护的灯？`,
      content: `${name}是应急或疏散照明，批量操作不会动它。确定要单独${verb}吗？`,
      okText: verb,
      onOk: execute,
      onCancel,
    })
  }
}

/** Switches one light; asks before switching a protected one, and shows why a light cannot be switched. */
export function useLightSwitch(projectId: number, { start }: ControlTasks) {
  const { message } = useFeedback()
  const confirmProtected = useProtectedConfirm()
  const can = useCan()

  return (light: LiveDevice) => {
    const isOn = getLastLightState(light) === 'on'
    const verb = isOn ? '关闭' : '打开'
    if (!can(devicePermissions.control))
      return void message.warning(`缺少权限：${devicePermissions.control.title}`)
    if (light.state !== 'online')
      return void message.warning(`${light.name}${deviceStateText[light.state]}，不能控制`)
    if (light.outgoing) return void message.info(`${light.name}${inFlightText[light.outgoing]}`)
    if (isCommandPending(light)) return void message.info(`${light.name}正在等待设备确认`)
    const sendSwitch = async () => {
      const values = { [lightSwitchIdentifier]: isOn ? 0 : 1 }
      const request: ControlRequest = {
        kind: 'set',
        projectId,
        scope: { kind: 'devices', deviceIds: [light.id] },
        values,
      }
      await start(request, { kind: 'single', name: light.name })
    }
    confirmProtected(light, verb, sendSwitch)
  }
}

/** @deprecated Use {@link useProtectedConfirm}; kept for remotes that were built before. */
export const useAskProtected = useProtectedConfirm

/** @deprecated Use {@link useLightSwitch}; kept for remotes that were built before. */
export const useSwitch = useLightSwitch
