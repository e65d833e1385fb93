import { AlinkError, alinkCode, decode, Request, type Identity } from './alink'
import type { Directory } from './directory'
import type { Link } from './link'
import { locate } from './topics'

/**
 * Handles a message about a device that its sender may not speak for.
 * @returns true if a gateway sent it about a sub-device: the message is dropped and error 520 is published; false for a
 * foreign topic
 */
export function openChildTopics(directory: Directory, link: () => Link | undefined) {
  return async function refused(from: Identity, topic: string, payload?: Buffer) {
    const at = locate(topic)
    if (!at) return false
    const [gateway, child] = await Promise.all([directory.find(from), directory.find(at)])
    if (gateway?.node !== 'gateway') return false
    // The gateway may still be configured for a sub-device that was moved, even to another project, or deleted.
    if (child && child.node !== 'sub') return false
    const { message } = new AlinkError(alinkCode.noSession)
    const id = (payload && decode(Request, payload))?.id ?? ''
    const data = { productKey: at.productKey, deviceName: at.deviceName }
    const text = JSON.stringify({ id, code: alinkCode.noSession, message, data })
    link()?.publish(`/ext/error/${from.productKey}/${from.deviceName}`, text)
    // A reply is never answered by another reply.
    if (id && !topic.endsWith('_reply')) link()?.publish(`${topic}_reply`, text)
    return true
  }
}
