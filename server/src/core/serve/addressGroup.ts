import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'

/** An IPv4 address as people write it, also where the socket takes both kinds. */
export const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Names the source that limits count together: an IPv4 address, or the /64 of an IPv6 address, because a customer of a
 * provider may use any address within it.
 * @example addressGroup('2001:db8:0:7::1') // '2001:db8:0:7::/64'
 */
export function addressGroup(address: string) {
  const plain = plainAddress(address.replace(/%.*$/, ''))
  if (isIP(plain) !== 6) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    // A dotted end stands for two groups.
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
