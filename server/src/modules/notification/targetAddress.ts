import { lookup as lookupAddresses, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** The target is not allowed; nothing was connected. */
export class TargetRefusedError extends Error {
  override name = 'TargetRefusedError'
}

type Subnet = readonly [address: string, prefix: number]
/** Addresses of the IANA special-purpose registries that are not public. */
const specialIpv4: Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
/** Parts of the global unicast range that lead elsewhere: Teredo, documentation and 6to4 contain or hide IPv4. */
const specialIpv6: Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
/** Metadata services of clouds give away credentials, so no setting allows them. */
const metadataIpv4 = ['169.254.169.254', '100.100.100.200', '169.254.170.2']
const metadataIpv6 = 'fd00:ec2::254'

const specialAddresses = new BlockList()
for (const [address, prefix] of specialIpv4) specialAddresses.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of specialIpv6) specialAddresses.addSubnet(address, prefix, 'ipv6')
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')
const mappedIpv4 = new BlockList()
mappedIpv4.addSubnet('::ffff:0:0', 96, 'ipv6')
const metadataAddresses = new BlockList()
for (const address of metadataIpv4) metadataAddresses.addAddress(address, 'ipv4')
metadataAddresses.addAddress(metadataIpv6, 'ipv6')

const getFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
function isPublic(address: string) {
  const family = getFamily(address)
  if (specialAddresses.check(address, family)) return false
  // A block list compares a mapped address with its IPv4 rules, too.
  return family === 'ipv4' || mappedIpv4.check(address, family) || globalIpv6.check(address, family)
}

/**
 * Parses the list of private networks to which messages may be sent, such as `10.1.0.0/16, 192.168.5.20`.
 * @throws Error that names the wrong entry
 */
export function parseNetworks(text: string) {
  const networks = new BlockList()
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const [address = '', prefixText] = entry.split('/')
    const maxPrefix = isIP(address) === 6 ? 128 : 32
    const prefix = prefixText === undefined ? maxPrefix : Number(prefixText)
    if (!isIP(address) || !Number.isInteger(prefix) || prefix < 0 || prefix > maxPrefix)
      throw new Error(`“${entry}”不是地址或网段，须形如 10.1.0.0/16`)
    networks.addSubnet(address, prefix, getFamily(address))
  }
  return networks
}

export type TargetCheck = ReturnType<typeof createTargetCheck>

/** Decides to which addresses messages may be sent. `privateNetworks` are those that the operator allows besides public ones. */
export function createTargetCheck(privateNetworks = '') {
  const allowedNetworks = parseNetworks(privateNetworks)
  const isAllowed = (address: string) => {
    const family = getFamily(address)
    if (metadataAddresses.check(address, family)) return false
    return isPublic(address) || allowedNetworks.check(address, family)
  }

  /** @throws TargetRefusedError if one of the addresses is not allowed, because the connection may use any of them */
  function assertAllowed(hostname: string, addresses: readonly LookupAddress[]) {
    const refusedAddress = addresses.find(({ address }) => !isAllowed(address))
    if (!refusedAddress) return
    const isLiteral = refusedAddress.address === hostname
    throw new TargetRefusedError(
      `${isLiteral ? hostname : `${hostname}（${refusedAddress.address}）`}不是公网地址，平台的设置不允许向它发送`,
    )
  }

  /** Looks a name up and passes on checked addresses only, so that the connection cannot go to another one. */
  const lookup: LookupFunction = (hostname, options, callback) =>
    lookupAddresses(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      try {
        assertAllowed(hostname, addresses)
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, addresses[0]!.address, addresses[0]!.family)
    })

  return {
    lookup,
    isAllowed,
    /** Returns whether the address is on the public internet; its answers may then be shown. */
    isPublic,
    /** Checks a literal address, for which no lookup takes place. */
    assertLiteralAllowed(hostname: string) {
      const address = hostname.replace(/^\[|\]$/g, '')
      const family = isIP(address)
      if (family) assertAllowed(address, [{ address, family }])
    },
    /** Returns a checked address of a host. */
    resolve: (hostname: string) =>
      new Promise<string>((resolve, reject) =>
        lookup(hostname, { all: false }, (error, address) =>
          error ? reject(error) : resolve(address as string),
        ),
      ),
  }
}
