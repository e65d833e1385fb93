import type { Identity } from './alink'

/** `action` is what is left of a topic without its device: `thing/event/property/post`, `ntp/request`, `ota/inform`. */
export type Located = Identity & { action: string }

const pair = '(?<productKey>[^/+#]+)/(?<deviceName>[^/+#]+)'
/** The families of topics a device has, by what stands before their action. */
const families: [form: RegExp, before: string][] = [
  [new RegExp(`^/sys/${pair}/(?<rest>.+)$`), ''],
  [new RegExp(`^/ext/session/${pair}/(?<rest>.+)$`), ''],
  [new RegExp(`^/ext/(?<word>[a-z]+)/${pair}(?:/(?<rest>.+))?$`), ''],
  [new RegExp(`^/ota/device/(?<word>[a-z]+)/${pair}$`), 'ota/'],
  [new RegExp(`^/ota/(?!device/)${pair}/(?<rest>.+)$`), 'ota/'],
  [new RegExp(`^/shadow/(?<word>get|update)/${pair}$`), 'shadow/'],
  // What a product defines itself, mostly below `user`.
  [new RegExp(`^/(?!(?:sys|ext|ota|shadow|broadcast)/)${pair}/(?<rest>.+)$`), 'own/'],
]
/** A call the platform waits for: any topic of the device behind a message id. */
const Rrpc = /^\/ext\/rrpc\/([^/#]+)(\/.+)$/

/** Whose topic it is; a filter too, whose wildcards stand behind the names. Undefined for what names no device. */
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

/** Where the platform speaks to a device about an action of `/sys` or of its sign-in. */
export const topicOf = ({ productKey, deviceName }: Identity, action: string) =>
  `${action.startsWith('combine/') ? '/ext/session' : '/sys'}/${productKey}/${deviceName}/${action}`
