import type { Identity } from './alink'

/** `action` is the topic without the device: `thing/event/property/post`, `ntp/request`, `ota/inform`. */
export type Located = Identity & { action: string }

const pair = '(?<productKey>[^/+#]+)/(?<deviceName>[^/+#]+)'
/** Topic families of a device, with the prefix of their action. */
const families: [form: RegExp, before: string][] = [
  [new RegExp(`^/sys/${pair}/(?<rest>.+)$`), ''],
  [new RegExp(`^/ext/session/${pair}/(?<rest>.+)$`), ''],
  [new RegExp(`^/ext/(?<word>[a-z]+)/${pair}(?:/(?<rest>.+))?$`), ''],
  [new RegExp(`^/ota/device/(?<word>[a-z]+)/${pair}$`), 'ota/'],
  [new RegExp(`^/ota/(?!device/)${pair}/(?<rest>.+)$`), 'ota/'],
  [new RegExp(`^/shadow/(?<word>get|update)/${pair}$`), 'shadow/'],
  // A product defines these topics itself, mostly below `user`.
  [new RegExp(`^/(?!(?:sys|ext|ota|shadow|broadcast)/)${pair}/(?<rest>.+)$`), 'own/'],
]
/** A synchronous call of the platform puts a message id before any topic of the device. */
const Rrpc = /^\/ext\/rrpc\/([^/#]+)(\/.+)$/

/**
 * Finds the device of a topic, or of a filter with wildcards after the device name.
 * @returns undefined if the topic names no device
 */
export function locate(topic: string): Located | undefined {
  const rrpc = Rrpc.exec(topic)
  if (rrpc) {
    const inner = locate(rrpc[2]!)
    return inner && { ...inner, action: `rrpc/${rrpc[1]}/${inner.action}` }
  }
  for (const [form, before] of families) {
    const found = form.exec(topic)?.groups
    if (!found) continue
    const { productKey, deviceName, word, rest } = found
    return {
      productKey: productKey!,
      deviceName: deviceName!,
      action: before + [word, rest].filter((part) => part !== undefined).join('/'),
    }
  }
  return undefined
}

/** Returns the topic on which the platform publishes an action of `/sys` or of the login to a device. */
export const topicOf = ({ productKey, deviceName }: Identity, action: string) =>
  `${action.startsWith('combine/') ? '/ext/session' : '/sys'}/${productKey}/${deviceName}/${action}`
