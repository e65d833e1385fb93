import type { Identity } from './alink'

/** `action` is the topic without the device: `thing/event/property/post`, `ntp/request`, `ota/inform`. */
export type DeviceTopic = Identity & { action: string }

const identityPattern = '(?<productKey>[^/+#]+)/(?<deviceName>[^/+#]+)'
/** Topic families of a device, with the prefix of their action. */
const topicFamilies: [form: RegExp, before: string][] = [
  [new RegExp(`^/sys/${identityPattern}/(?<rest>.+)$`), ''],
  [new RegExp(`^/ext/session/${identityPattern}/(?<rest>.+)$`), ''],
  [new RegExp(`^/ext/(?<word>[a-z]+)/${identityPattern}(?:/(?<rest>.+))?$`), ''],
  [new RegExp(`^/ota/device/(?<word>[a-z]+)/${identityPattern}$`), 'ota/'],
  [new RegExp(`^/ota/(?!device/)${identityPattern}/(?<rest>.+)$`), 'ota/'],
  [new RegExp(`^/shadow/(?<word>get|update)/${identityPattern}$`), 'shadow/'],
  // A product defines these topics itself, mostly below `user`.
  [new RegExp(`^/(?!(?:sys|ext|ota|shadow|broadcast)/)${identityPattern}/(?<rest>.+)$`), 'own/'],
]
/** A synchronous call of the platform puts a message id before any topic of the device. */
const rrpcTopicPattern = /^\/ext\/rrpc\/([^/#]+)(\/.+)$/

/**
 * Finds the device of a topic, or of a filter with wildcards after the device name.
 * @returns undefined if the topic names no device
 */
export function parseDeviceTopic(topic: string): DeviceTopic | undefined {
  const rrpc = rrpcTopicPattern.exec(topic)
  if (rrpc) {
    const innerTopic = parseDeviceTopic(rrpc[2]!)
    return innerTopic && { ...innerTopic, action: `rrpc/${rrpc[1]}/${innerTopic.action}` }
  }
  for (const [familyPattern, actionPrefix] of topicFamilies) {
    const matchGroups = familyPattern.exec(topic)?.groups
    if (!matchGroups) continue
    const { productKey, deviceName, word, rest } = matchGroups
    return {
      productKey: productKey!,
      deviceName: deviceName!,
      action: actionPrefix + [word, rest].filter((part) => part !== undefined).join('/'),
    }
  }
  return undefined
}

/** Returns the topic on which the platform publishes an action of `/sys` or of the login to a device. */
export const buildDeviceTopic = ({ productKey, deviceName }: Identity, action: string) =>
  `${action.startsWith('combine/') ? '/ext/session' : '/sys'}/${productKey}/${deviceName}/${action}`
