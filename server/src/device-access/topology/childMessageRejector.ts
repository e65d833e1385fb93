import { AlinkError, alinkCode, decode, Request, type Identity } from '../protocol/alink'
import type { Directory } from '../directory'
import type { BrokerLink } from '../broker/brokerLink'
import { parseDeviceTopic } from '../protocol/topics'

/**
 * Handles a message about a device that its sender may not speak for.
 * @returns true if a gateway sent it about a sub-device: the message is dropped and error 520 is published; false for a
 * foreign topic
 */
export function createChildMessageRejector(
  directory: Directory,
  link: () => BrokerLink | undefined,
) {
  return async function rejectChildMessage(
    gatewayIdentity: Identity,
    topic: string,
    payload?: Buffer,
  ) {
    const deviceTopic = parseDeviceTopic(topic)
    if (!deviceTopic) return false
    const [gateway, child] = await Promise.all([
      directory.find(gatewayIdentity),
      directory.find(deviceTopic),
    ])
    if (gateway?.node !== 'gateway') return false
    // The gateway may still be configured for a sub-device that was moved, even to another project, or deleted.
    if (child && child.node !== 'sub') return false
    const { message } = new AlinkError(alinkCode.noSession)
    const id = (payload && decode(Request, payload))?.id ?? ''
    const data = { productKey: deviceTopic.productKey, deviceName: deviceTopic.deviceName }
    const text = JSON.stringify({ id, code: alinkCode.noSession, message, data })
    link()?.publish(`/ext/error/${gatewayIdentity.productKey}/${gatewayIdentity.deviceName}`, text)
    // A reply is never answered by another reply.
    if (id && !topic.endsWith('_reply')) link()?.publish(`${topic}_reply`, text)
    return true
  }
}
