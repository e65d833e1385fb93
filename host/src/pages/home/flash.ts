import { useRequest } from 'ahooks'
import { App } from 'antd'
import { call } from '@iot/shared/client/call'
import { controlApi, type ControlRequest } from '@iot/shared/contract/control'
import { lightSwitch } from '@iot/shared/contract/light'
import { managedDeviceApi, type Flash } from '@iot/shared/contract/managedDevice'
import { sendCommand } from '@iot/shared/control/sendCommand'
import { useAskProtected } from '@iot/shared/control/useSwitch'
import { quietly } from '@iot/shared/ui/batch'

type Lamp = { id: string; name: string; projectId: number; protected: boolean }
type IsLit = () => boolean | Promise<boolean>
/** Placing devices uses flashing to locate a lamp, so it is allowed in edit mode. */
const locating = { isAllowedInEditMode: true }
type Flashed = { ok: boolean; text: string }
type How = Exclude<Flash, 'none'>

/**
 * Makes a lamp flash by its own service, or by switching it over and back, each step confirmed by the lamp. A protected
 * lamp asks first, and a message tells the result.
 */
export function useFlash() {
  const { message } = App.useApp()
  const askProtected = useAskProtected()
  const { runAsync, loading } = useRequest(
    (lamp: Lamp, how: How, isLit: IsLit): Promise<Flashed> =>
      how === 'service' ? identify(lamp) : blink(lamp, isLit),
    {
      manual: true,
      onError: () => {},
      onSuccess: ({ ok, text }) => void message[ok ? 'success' : 'error'](text),
    },
  )
  const flash = (lamp: Lamp, how: How, isLit: IsLit) =>
    // The question closes at once, because the lamp takes several seconds.
    askProtected(lamp, '闪动', async () => void runAsync(lamp, how, isLit).catch(quietly))
  return { flash, isFlashing: loading }
}

async function identify({ id, name }: Lamp): Promise<Flashed> {
  const input = { id, identifier: 'Identify', params: {} }
  const { code, message: why } = await sendCommand(managedDeviceApi.service, input, locating)
  return code === 200
    ? { ok: true, text: `${name}正在闪灯` }
    : { ok: false, text: `${name}没有闪灯：设备返回 ${code} ${why}` }
}

async function blink({ id, name, projectId }: Lamp, isLit: IsLit): Promise<Flashed> {
  const value = (await isLit()) ? 0 : 1
  const request: ControlRequest = {
    kind: 'set',
    projectId,
    scope: { kind: 'devices', deviceIds: [id] },
    values: { [lightSwitch]: value },
  }
  const task = await sendCommand(controlApi.start, request, locating)
  let now = task
  while (now.doneTime === null) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    now = await call(controlApi.get, { id: task.id })
  }
  if (now.counts.success === 0)
    return { ok: false, text: `${name}没有应答，不能闪灯：${now.reason}` }
  await sendCommand(controlApi.undo, { id: task.id }, locating)
  return { ok: true, text: `${name}开关了一次，正在恢复` }
}
