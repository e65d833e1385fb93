import type { ProductDraft } from '@iot/shared/contract/product/product.schema'

type Node = ProductDraft['node']
type ConnectionSettings = Pick<ProductDraft, 'net' | 'protocol'>
type NodeChange = {
  /** The default values of the previous node type were not chosen by the user; a stored product has no such type. */
  from?: Node
  to: Node
  /** The protocol codes for the new node type are `undefined` until they are read. */
  offered: string[] | undefined
}

/** There is no default protocol behind a gateway, so the user must choose one. */
export const getDefaultAccess = (node: Node): ConnectionSettings =>
  node === 'sub' ? { net: 'gateway', protocol: '' } : { net: 'wifi', protocol: 'mqtt' }

/** Returns the connection settings after a change of the node type; chosen values stay if they are available there. */
export function adjustAccess(
  { net, protocol }: ConnectionSettings,
  { from: previousNode, to: newNode, offered: availableProtocols }: NodeChange,
): ConnectionSettings {
  const previousDefaults = previousNode && getDefaultAccess(previousNode)
  const isUnavailable =
    protocol !== '' && availableProtocols !== undefined && !availableProtocols.includes(protocol)
  return {
    net:
      net === previousDefaults?.net || (net === 'gateway' && newNode !== 'sub')
        ? getDefaultAccess(newNode).net
        : net,
    protocol:
      protocol === previousDefaults?.protocol || isUnavailable
        ? getDefaultAccess(newNode).protocol
        : protocol,
  }
}
