import { keyOf, type Identity } from './alink'

/** What a device may touch: its own topics and, for a gateway, those of its children that are signed in. */
export type Reach = Identity & { children: { has: (key: string) => boolean } }

const forms = [
  // shadow/get/{pk}/{dn} is read by every stock SDK; nothing is ever published there by the platform.
  /^\/(?:sys|ota|ext\/session)\/([^/+#]+)\/([^/+#]+)\/.+$/,
  /^\/shadow\/(?:get|update)\/([^/+#]+)\/([^/+#]+)$/,
]

const ownerOf = (topic: string) => {
  for (const form of forms) {
    const match = form.exec(topic)
    if (match) return keyOf({ productKey: match[1]!, deviceName: match[2]! })
  }
  return undefined
}

/** Filter or topic alike: wildcards are fine below the device's name, never in or above it. */
export function reaches(reach: Reach, topic: string) {
  if (topic.length > 512) return false
  const owner = ownerOf(topic)
  return owner !== undefined && (owner === keyOf(reach) || reach.children.has(owner))
}
