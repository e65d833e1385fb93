import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'

/** Removes the IPv6 prefix of an IPv4 address that a dual-stack socket reports. */
export const stripIpv4Prefix = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Returns the address group that limits count as one source: an IPv4 address, or the /64 network of an IPv6 address,
 * because a provider's customer can use any address within a /64.
 * @example addressGroup('2001:db8:0:7::1') // '2001:db8:0:7::/64'
 */
export function addressGroup(address: string) {
  const bareAddress = stripIpv4Prefix(address.replace(/%.*$/, ''))
  if (isIP(bareAddress) !== 6) return bareAddress
  const [head = '', tail] = bareAddress.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    // A dotted IPv4 suffix stands for two groups.
    const restLength = rest.length + (tail.includes('.') ? 1 : 0)
    groups.push(...Array.from({ length: 8 - groups.length - restLength }, () => '0'), ...rest)
  }
  const prefix = groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}

/**
 * Says whether a connection comes from a proxy of `TRUST_PROXY`, as Fastify itself reads the setting: many callers stand
 * behind its one address.
 */
export function createProxyMatcher(trustProxy?: string): (address: string) => boolean {
  if (!trustProxy) return () => false
  const isTrusted = compile(trustProxy.split(',').map((range) => range.trim()))
  return (address) => isTrusted(address, 0)
}
