import { keyOf, type Identity } from './alink'
import { locate } from './topics'

/** What a device may touch: its own topics and, for a gateway, those of its children that are signed in. */
export type Reach = Identity & { children: { has: (key: string) => boolean } }

/** Filter or topic alike: wildcards are fine below the device's name, never in or above it. */
export function reaches(reach: Reach, topic: string) {
  const owner = topic.length > 512 ? undefined : locate(topic)
  if (!owner) return false
  const key = keyOf(owner)
  return key === keyOf(reach) || reach.children.has(key)
}
