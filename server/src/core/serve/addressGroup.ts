import { BlockList, isIP } from 'node:net'

/** Removes the IPv6 prefix of an IPv4 address that a dual-stack socket reports. */
export const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Returns the address group that limits count as one source: an IPv4 address, or the /64 network of an IPv6 address,
 * because a provider's customer can use any address within a /64.
 * @example addressGroup('2001:db8:0:7::1') // '2001:db8:0:7::/64'
 */
export function addressGroup(address: string) {
  const plain = plainAddress(address.replace(/%.*$/, ''))
  if (isIP(plain) !== 6) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
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

const namedRanges: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Creates a test for addresses of the proxies in `TRUST_PROXY`; the clients behind a proxy share its address, so
 * limits per address do not apply.
 */
export function proxyMatcher(trustProxy = '') {
  const list = new BlockList()
  const named = trustProxy.split(',').map((one) => one.trim())
  for (const range of named.flatMap((one) => namedRanges[one] ?? one)) {
    const [address = '', prefix] = range.split('/')
    const version = isIP(address)
    if (version === 0) continue
    const family = version === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, prefix ? Number(prefix) : version === 6 ? 128 : 32, family)
  }
  return (address: string) => {
    const plain = plainAddress(address)
    return isIP(plain) !== 0 && list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
  }
}
