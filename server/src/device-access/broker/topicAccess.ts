import { deviceKey, type Identity } from '../protocol/alink'
import { parseDeviceTopic } from '../protocol/topics'

/** Topics that a device may use: its own and, for a gateway, those of its logged-in sub-devices. */
export type TopicScope = Identity & { children: { has: (key: string) => boolean } }

/**
 * Returns true for a topic of an unknown family that contains the device or a sub-device, such as
 * `/shadow/delete/{productKey}/{deviceName}`. The platform does not handle it, but it is no foreign topic.
 */
export function containsDevice(scope: TopicScope, topic: string) {
  if (topic.length <= 512 && parseDeviceTopic(topic)) return false
  const parts = topic.split('/')
  return parts.slice(1).some((deviceName, index) => {
    const key = deviceKey({ productKey: parts[index]!, deviceName })
    return key === deviceKey(scope) || scope.children.has(key)
  })
}

/** Accepts a topic or a filter: wildcards are allowed after the device name, never in it or before it. */
export function canAccessTopic(scope: TopicScope, topic: string) {
  const deviceTopic = topic.length > 512 ? undefined : parseDeviceTopic(topic)
  if (!deviceTopic) return false
  const key = deviceKey(deviceTopic)
  return key === deviceKey(scope) || scope.children.has(key)
}
