import type { ProductDraft } from '@iot/shared/contract/product'

type Node = ProductDraft['node']
type Access = Pick<ProductDraft, 'net' | 'protocol'>
type Turn = {
  /** The default values of the previous node type were not chosen by the user; a stored product has no such type. */
  from?: Node
  to: Node
  /** The protocol codes for the new node type are `undefined` until they are read. */
  offered: string[] | undefined
}

/** There is no default protocol behind a gateway, so the user must choose one. */
export const usual = (node: Node): Access =>
  node === 'sub' ? { net: 'gateway', protocol: '' } : { net: 'wifi', protocol: 'mqtt' }

/** Returns the connection settings after a change of the node type; chosen values stay if they are available there. */
export function accessOf({ net, protocol }: Access, { from, to, offered }: Turn): Access {
  const before = from && usual(from)
  const isOff = protocol !== '' && offered !== undefined && !offered.includes(protocol)
  return {
    net: net === before?.net || (net === 'gateway' && to !== 'sub') ? usual(to).net : net,
    protocol: protocol === before?.protocol || isOff ? usual(to).protocol : protocol,
  }
}
