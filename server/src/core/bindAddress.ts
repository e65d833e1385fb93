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

/** The addresses that lead to a listening server, and in `ipv6Server` a second server that must be closed with it. */
export type Listening = { addresses: string[]; ipv6Server?: Server }

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
    const ipv6Server = await bindOtherLoopback(server, port)
    return { ipv6Server, addresses: ipv6Server ? [ipv4Loopback, ipv6Loopback] : [ipv4Loopback] }
  }
  if (!isWildcard(address)) return { addresses: [address] }
  const interfaceAddresses = Object.values(networkInterfaces()).flatMap(
    (interfaceList) => interfaceList ?? [],
  )
  const addresses = interfaceAddresses
    // A link-local address is reachable only together with the name of an interface.
    .filter(
      (entry) => entry.family === 'IPv4' || (address === '::' && !entry.address.startsWith('fe80')),
    )
    .sort((first, second) => Number(second.internal) - Number(first.internal))
    .map((entry) => entry.address)
  return { addresses }
}

/**
 * Accepts connections to `[::1]` for a server on 127.0.0.1 with the same port, because browsers and libraries resolve
 * `localhost` to either. No second server is bound if IPv6 is missing or the port is in use.
 */
function bindOtherLoopback(server: Server, port: number) {
  // Node documents this event as the way to hand a connection to an HTTP or TLS server.
  const ipv6Server = createServer((socket) => server.emit('connection', socket))
  return new Promise<Server | undefined>((resolve) =>
    ipv6Server
      .once('error', () => resolve(undefined))
      .listen(port, ipv6Loopback, () => resolve(ipv6Server)),
  )
}
