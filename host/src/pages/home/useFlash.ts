import useRequest from 'ahooks/es/useRequest'
import { call } from '@iot/shared/client/call'
import type { ControlRequest } from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import type { FlashMethod } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { sendCommand } from '@iot/shared/control/sendCommand'
import { useProtectedConfirm } from '@iot/shared/control/useSwitch'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'

type FlashableLamp = { id: string; name: string; projectId: number; protected: boolean }
type LitStateReader = () => boolean | Promise<boolean>
/** Placing devices uses flashing to locate a lamp, so it is allowed in edit mode. */
const flashOptions = { isAllowedInEditMode: true }
type FlashResult = { ok: boolean; text: string }
type LampFlashMethod = Exclude<FlashMethod, 'none'>

/**
 * Makes a lamp flash by its own service, or by switching it over and back, each step confirmed by the lamp. A protected
 * lamp asks first, and a message tells the result.
 */
export function useFlash() {
  const { message } = useFeedback()
  const askProtected = useProtectedConfirm()
  const { runAsync, loading } = useRequest(
    (lamp: FlashableLamp, method: LampFlashMethod, isLit: LitStateReader): Promise<FlashResult> =>
      method === 'service' ? identify(lamp) : blink(lamp, isLit),
    {
      manual: true,
      onError: () => {},
      onSuccess: ({ ok, text }) => void message[ok ? 'success' : 'error'](text),
    },
  )
  const flash = (lamp: FlashableLamp, method: LampFlashMethod, isLit: LitStateReader) =>
    // The question closes at once, because the lamp takes several seconds.
    askProtected(lamp, '闪动', async () => void runAsync(lamp, method, isLit).catch(ignoreHandled))
  return { flash, isFlashing: loading }
}

async function identify({ id, name }: FlashableLamp): Promise<FlashResult> {
  const input = { id, identifier: 'Identify', params: {} }
  const { code, message: reason } = await sendCommand(managedDeviceApi.service, input, flashOptions)
  return code === 200
    ? { ok: true, text: `${name}正在闪灯` }
    : { ok: false, text: `${name}没有闪灯：设备返回 ${code} ${reason}` }
}

async function blink(
  { id, name, projectId }: FlashableLamp,
  isLit: LitStateReader,
): Promise<FlashResult> {
  const value = (await isLit()) ? 0 : 1
  const request: ControlRequest = {
    kind: 'set',
    projectId,
    scope: { kind: 'devices', deviceIds: [id] },
    values: { [lightSwitchIdentifier]: value },
  }
  const task = await sendCommand(controlApi.start, request, flashOptions)
  let latestTask = task
  while (latestTask.doneTime === null) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    latestTask = await call(controlApi.get, { id: task.id })
  }
  if (latestTask.counts.success === 0)
    return { ok: false, text: `${name}没有应答，不能闪灯：${latestTask.reason}` }
  await sendCommand(controlApi.undo, { id: task.id }, flashOptions)
  return { ok: true, text: `${name}开关了一次，正在恢复` }
}
