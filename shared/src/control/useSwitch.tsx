import { App } from 'antd'
import { useCan } from '../session/can'
import type { ControlRequest } from '../contract/control'
import type { MapDevice } from '../contract/device'
import { outgoingText } from '../session/outgoing'
import { lightSwitch, lastLookOf } from '../contract/light'
import { isWaiting, type DeviceNow } from '../plan/lights'
import { rights } from '../contract/homeRights'
import type { Tasks } from './useTasks'

/** Runs the command at once, or after a confirmation for a protected device, which bulk actions never reach. */
export function useAskProtected() {
  const { modal } = App.useApp()
  return (
    { name, protected: isProtected }: Pick<MapDevice, 'name' | 'protected'>,
    verb: string,
    go: () => Promise<unknown>,
  ) => {
    if (!isProtected) return void go().catch(() => {})
    void modal.confirm({
      title: `${verb}受保护的灯？`,
      content: `${name}是应急或疏散照明，批量操作不会动它。确定要单独${verb}吗？`,
      okText: verb,
      onOk: go,
    })
  }
}

/** Switches one light; asks before switching a protected one, and shows why a light cannot be switched. */
export function useSwitch(projectId: number, { start }: Tasks) {
  const { message } = App.useApp()
  const askProtected = useAskProtected()
  const can = useCan()

  return (light: DeviceNow) => {
    const isOn = lastLookOf(light) === 'on'
    const verb = isOn ? '关闭' : '打开'
    if (!can(rights.control)) return void message.warning(`缺少权限：${rights.control.title}`)
    if (light.state !== 'online') return void message.warning(`${light.name}离线，不能控制`)
    if (light.outgoing) return void message.info(`${light.name}${outgoingText[light.outgoing]}`)
    if (isWaiting(light)) return void message.info(`${light.name}正在等待设备确认`)
    const go = async () => {
      const values = { [lightSwitch]: isOn ? 0 : 1 }
      const request: ControlRequest = {
        kind: 'set',
        projectId,
        scope: { kind: 'devices', deviceIds: [light.id] },
        values,
      }
      await start(request, { kind: 'single', name: light.name })
    }
    askProtected(light, verb, go)
  }
}
