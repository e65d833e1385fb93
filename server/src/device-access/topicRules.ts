import { keyOf, type Identity } from './alink'
import { locate } from './topics'

/** What a device may touch: its own topics and, for a gateway, those of its children that are signed in. */
export type Reach = Identity & { children: { has: (key: string) => boolean } }

/**
 * A topic of no known family that still names the device, or a child: `/shadow/delete/{productKey}/{deviceName}`.
 * Nobody takes it, and it is nobody else's.
 */
export function names(reach: Reach, topic: string) {
  if (topic.length <= 512 && locate(topic)) return false
  const parts = topic.split('/')
  return parts.slice(1).some((deviceName, at) => {
    const key = keyOf({ productKey: parts[at]!, deviceName })
    return key === keyOf(reach) || reach.children.has(key)
  })
}

/** Filter or topic alike: wildcards are fine below the device's name, never in or above it. */
export function reaches(reach: Reach, topic: string) {
  const owner = topic.length > 512 ? undefined : locate(topic)
  if (!owner) return false
  const key = keyOf(owner)
  return key === keyOf(reach) || reach.children.has(key)
}
