import { isUtf8 } from 'node:buffer'
import type { Db } from '../core/db/db'
import type { KnownDevice } from './directory'
import { openFirmware } from './firmware'
import type { Link } from './link'
import { openShadow } from './shadow'

type Parts = { db: Db; link: () => Link | undefined }
type Take = (
  device: KnownDevice,
  message: Record<string, unknown>,
  payload: Buffer,
) => Promise<void> | void

/**
 * Handles topics without Alink's envelope: time requests, firmware, the device shadow, and topics that a product
 * defines itself.
 */
export function openPlainTopics({ db, link }: Parts) {
  const firmware = openFirmware(db)
  const shadow = openShadow(db)

  const actions: Record<string, Take> = {
    'ntp/request': ({ productKey, deviceName }, { deviceSendTime }) => {
      // The documents show all three times as text, so they are sent as text even if the device sent a number.
      const now = String(Date.now())
      const times = {
        deviceSendTime: textOf(deviceSendTime),
        serverRecvTime: now,
        serverSendTime: now,
      }
      link()?.publish(`/ext/ntp/${productKey}/${deviceName}/response`, JSON.stringify(times))
    },
    'ota/inform': (device, message) => firmware.inform(device, message),
    'ota/progress': (device, message) => firmware.progress(device, message),
    'shadow/update': async (device, _, payload) => {
      const { productKey, deviceName } = device
      const text = await shadow.answer(device, payload)
      link()?.publish(`/shadow/get/${productKey}/${deviceName}`, text)
    },
  }
  const isOwn = (action: string) => action.startsWith('own/')
  return {
    handles: (action: string) => isOwn(action) || Object.hasOwn(actions, action),
    /** Messages on topics of the product itself are only stored, which the caller does for all messages. */
    async take(device: KnownDevice, action: string, payload: Buffer) {
      if (!isOwn(action)) await actions[action]!(device, parse(payload), payload)
    },
  }
}

const textOf = (given: unknown) =>
  typeof given === 'number' || typeof given === 'string' ? String(given).slice(0, 32) : ''

function parse(payload: Buffer): Record<string, unknown> {
  try {
    const given: unknown = isUtf8(payload) ? JSON.parse(payload.toString('utf8')) : undefined
    return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
