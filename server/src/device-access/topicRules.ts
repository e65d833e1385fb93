import { keyOf, type Identity } from './alink'
import { locate } from './topics'

/** Topics that a device may use: its own and, for a gateway, those of its logged-in sub-devices. */
export type Reach = Identity & { children: { has: (key: string) => boolean } }

/**
 * Returns true for a topic of an unknown family that contains the device or a sub-device, such as
 * `/shadow/delete/{productKey}/{deviceName}`. The platform does not handle it, but it is no foreign topic.
 */
export function names(reach: Reach, topic: string) {
  if (topic.length <= 512 && locate(topic)) return false
  const parts = topic.split('/')
  return parts.slice(1).some((deviceName, at) => {
    const key = keyOf({ productKey: parts[at]!, deviceName })
    return key === keyOf(reach) || reach.children.has(key)
  })
}

/** Accepts a topic or a filter: wildcards are allowed after the device name, never in it or before it. */
export function reaches(reach: Reach, topic: string) {
  const owner = topic.length > 512 ? undefined : locate(topic)
  if (!owner) return false
  const key = keyOf(owner)
  return key === keyOf(reach) || reach.children.has(key)
}
