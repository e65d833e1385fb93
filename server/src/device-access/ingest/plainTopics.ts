import { isUtf8 } from 'node:buffer'
import type { Db } from '../../core/db/db'
import type { WriteAsHolder } from '../../core/lease/leases'
import type { KnownDevice } from '../directory'
import { createFirmwareStore } from './firmwareStore'
import type { BrokerLink } from '../broker/brokerLink'
import { createShadowHandler } from './deviceShadow'

type PlainTopicDependencies = {
  db: Db
  writeAsHolder: WriteAsHolder
  link: () => BrokerLink | undefined
}
type PlainTopicHandler = (
  device: KnownDevice,
  message: Record<string, unknown>,
  payload: Buffer,
) => Promise<void> | void

/**
 * Handles topics without Alink's envelope: time requests, firmware, the device shadow, and topics that a product
 * defines itself.
 */
export function createPlainTopics({ db, writeAsHolder, link }: PlainTopicDependencies) {
  const firmware = createFirmwareStore(writeAsHolder)
  const shadow = createShadowHandler(db, writeAsHolder)

  const actions: Record<string, PlainTopicHandler> = {
    'ntp/request': ({ productKey, deviceName }, { deviceSendTime }) => {
      // The documents show all three times as text, so they are sent as text even if the device sent a number.
      const now = String(Date.now())
      const times = {
        deviceSendTime: toText(deviceSendTime),
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
  const isProductTopic = (action: string) => action.startsWith('own/')
  return {
    handles: (action: string) => isProductTopic(action) || Object.hasOwn(actions, action),
    /** Messages on topics of the product itself are only stored, which the caller does for all messages. */
    async handle(device: KnownDevice, action: string, payload: Buffer) {
      if (!isProductTopic(action)) await actions[action]!(device, parse(payload), payload)
    },
  }
}

const toText = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? String(value).slice(0, 32) : ''

function parse(payload: Buffer): Record<string, unknown> {
  try {
    const message: unknown = isUtf8(payload) ? JSON.parse(payload.toString('utf8')) : undefined
    return typeof message === 'object' && message !== null
      ? (message as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}
