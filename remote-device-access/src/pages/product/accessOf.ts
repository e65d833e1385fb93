import type { ProductDraft } from '@iot/shared/contract/product'

type Node = ProductDraft['node']
type Access = Pick<ProductDraft, 'net' | 'protocol'>
type Turn = {
  /** Whose usual values nobody chose; of a product that was saved none are. */
  from?: Node
  to: Node
  /** Codes of the protocols offered there; none yet while not read. */
  offered: string[] | undefined
}

/** Behind a gateway no protocol is usual: it is asked for. */
export const usual = (node: Node): Access =>
  node === 'sub' ? { net: 'gateway', protocol: '' } : { net: 'wifi', protocol: 'mqtt' }

/** How devices reach the platform once they are of another node: what was chosen stays where it is offered there. */
export function accessOf({ net, protocol }: Access, { from, to, offered }: Turn): Access {
  const before = from && usual(from)
  const isOff = protocol !== '' && offered !== undefined && !offered.includes(protocol)
  return {
    net: net === before?.net || (net === 'gateway' && to !== 'sub') ? usual(to).net : net,
    protocol: protocol === before?.protocol || isOff ? usual(to).protocol : protocol,
  }
}
