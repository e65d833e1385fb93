import { createServer, type AddressInfo, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'

const [ipv4Loopback, ipv6Loopback] = ['127.0.0.1', '::1']
const isWildcard = (host: string) => host === '0.0.0.0' || host === '::'

/** `localhost` stands for both loopback addresses; a server is bound to the first, `bindOtherLoopback` adds the second. */
export const toBindHost = (host: string | undefined) => (host === 'localhost' ? ipv4Loopback : host)

/** Where a program of this machine reaches what listens on this host. */
export const toLocalAddress = (host = '::') =>
  isWildcard(host) || host === 'localhost' ? ipv4Loopback : host

/** As it stands in a URL. */
export const toUrlHost = (address: string) => (address.includes(':') ? `[${address}]` : address)

/** A server that listens, the addresses that lead to it, and what else has to be closed with it. */
export type Listening = { addresses: string[]; beside?: Server }

/** Listens on a host, for `localhost` on both loopback addresses. */
export async function listenOn(server: Server, port: number | undefined, host?: string) {
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, toBindHost(host), resolve),
  )
  return findAddresses(server, host)
}

/** Of a wildcard, those of all interfaces; loopback first. */
export async function findAddresses(server: Server, host?: string): Promise<Listening> {
  const { address, port } = server.address() as AddressInfo
  if (host === 'localhost') {
    const beside = await bindOtherLoopback(server, port)
    return { beside, addresses: beside ? [ipv4Loopback, ipv6Loopback] : [ipv4Loopback] }
  }
  if (!isWildcard(address)) return { addresses: [address] }
  const entries = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  const addresses = entries
    // A link-local address needs the name of an interface to be reached.
    .filter((one) => one.family === 'IPv4' || (address === '::' && !one.address.startsWith('fe80')))
    .sort((one, other) => Number(other.internal) - Number(one.internal))
    .map((one) => one.address)
  return { addresses }
}

/**
 * Takes connections to `[::1]` for a server that listens on 127.0.0.1 at the same port: browsers and libraries take either
 * for `localhost`. Where there is no IPv6, or somebody else has that port, nothing is bound.
 */
function bindOtherLoopback(server: Server, port: number) {
  // Node documents the event as the way to hand a connection to an HTTP or TLS server.
  const beside = createServer((socket) => server.emit('connection', socket))
  return new Promise<Server | undefined>((resolve) =>
    beside
      .once('error', () => resolve(undefined))
      .listen(port, ipv6Loopback, () => resolve(beside)),
  )
}
