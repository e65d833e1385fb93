import { createServer, type AddressInfo, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'

const [ipv4Loopback, ipv6Loopback] = ['127.0.0.1', '::1']
const isWildcard = (host: string) => host === '0.0.0.0' || host === '::'

/**
 * `localhost` means both loopback addresses. A server binds the IPv4 one here; `bindOtherLoopback` adds the IPv6 one.
 */
export const toBindHost = (host: string | undefined) => (host === 'localhost' ? ipv4Loopback : host)

/** Returns the address at which programs of this machine reach a server that listens on `host`. */
export const toLocalAddress = (host = '::') =>
  isWildcard(host) || host === 'localhost' ? ipv4Loopback : host

/** Formats an address for a URL; IPv6 addresses need brackets. */
export const toUrlHost = (address: string) => (address.includes(':') ? `[${address}]` : address)

/** The addresses that lead to a listening server, and in `beside` a second server that must be closed with it. */
export type Listening = { addresses: string[]; beside?: Server }

/** Listens on a host; `localhost` binds both loopback addresses. */
export async function listenOn(server: Server, port: number | undefined, host?: string) {
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, toBindHost(host), resolve),
  )
  return findAddresses(server, host)
}

/**
 * Returns the addresses that reach the server, loopback first; a wildcard stands for the addresses of all interfaces.
 */
export async function findAddresses(server: Server, host?: string): Promise<Listening> {
  const { address, port } = server.address() as AddressInfo
  if (host === 'localhost') {
    const beside = await bindOtherLoopback(server, port)
    return { beside, addresses: beside ? [ipv4Loopback, ipv6Loopback] : [ipv4Loopback] }
  }
  if (!isWildcard(address)) return { addresses: [address] }
  const entries = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  const addresses = entries
    // A link-local address is reachable only together with the name of an interface.
    .filter((one) => one.family === 'IPv4' || (address === '::' && !one.address.startsWith('fe80')))
    .sort((one, other) => Number(other.internal) - Number(one.internal))
    .map((one) => one.address)
  return { addresses }
}

/**
 * Accepts connections to `[::1]` for a server on 127.0.0.1 with the same port, because browsers and libraries resolve
 * `localhost` to either. No second server is bound if IPv6 is missing or the port is in use.
 */
function bindOtherLoopback(server: Server, port: number) {
  // Node documents this event as the way to hand a connection to an HTTP or TLS server.
  const beside = createServer((socket) => server.emit('connection', socket))
  return new Promise<Server | undefined>((resolve) =>
    beside
      .once('error', () => resolve(undefined))
      .listen(port, ipv6Loopback, () => resolve(beside)),
  )
}
