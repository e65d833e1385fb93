import { AlinkError, alinkCode, decode, Request, type Identity } from './alink'
import type { Directory } from './directory'
import type { Link } from './link'
import { locate } from './topics'

/**
 * What becomes of a message about a device its sender does not speak for now. Of a gateway about a sub-device it is not
 * worked on and answered with 520; true. False: somebody else's topic.
 */
export function openChildTopics(directory: Directory, link: () => Link | undefined) {
  return async function refused(from: Identity, topic: string, payload?: Buffer) {
    const at = locate(topic)
    if (!at) return false
    const [gateway, child] = await Promise.all([directory.find(from), directory.find(at)])
    if (gateway?.node !== 'gateway') return false
    // A child that moved, also to another project, or is not known any more, is still configured where it was.
    if (child && child.node !== 'sub') return false
    const { message } = new AlinkError(alinkCode.noSession)
    const id = (payload && decode(Request, payload))?.id ?? ''
    const data = { productKey: at.productKey, deviceName: at.deviceName }
    const text = JSON.stringify({ id, code: alinkCode.noSession, message, data })
    link()?.publish(`/ext/error/${from.productKey}/${from.deviceName}`, text)
    // Answers have no answer.
    if (id && !topic.endsWith('_reply')) link()?.publish(`${topic}_reply`, text)
    return true
  }
}
