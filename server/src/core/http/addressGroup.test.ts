import { addressGroup, createProxyMatcher } from './addressGroup'

it.each([
  ['10.0.0.7', '10.0.0.7'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
  ['2001:DB8:0:7:ffff:ffff:ffff:ffff', '2001:db8:0:7::/64'],
  ['2001:0db8:0000:0007::', '2001:db8:0:7::/64'],
  ['2001:db8::7:0:0:0:1', '2001:db8:0:7::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::10.0.0.7', '64:ff9b:0:0::/64'],
  ['', ''],
])('groups %s as %s', (address, group) => expect(addressGroup(address)).toBe(group))

it('recognises the configured proxies and no other address', () => {
  const isProxy = createProxyMatcher('loopback, 10.1.0.0/16,192.168.0.9, 2001:db8::/32')
  const proxyAddresses = ['127.0.0.1', '::1', '::ffff:10.1.2.3', '192.168.0.9', '2001:db8:1::1']
  const otherAddresses = ['10.2.0.1', '192.168.0.8', '2001:db9::1', '', 'x']
  expect(proxyAddresses.map(isProxy)).toEqual(proxyAddresses.map(() => true))
  expect(otherAddresses.map(isProxy)).toEqual(otherAddresses.map(() => false))
  expect(createProxyMatcher()('127.0.0.1')).toBe(false)
})
