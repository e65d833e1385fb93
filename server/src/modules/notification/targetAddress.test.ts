import { createTargetCheck, parseNetworks, TargetRefusedError } from './targetAddress'

const isAllowed = (address: string, networks?: string) =>
  createTargetCheck(networks).isAllowed(address)

it.each([
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::1',
  '2001:db8::1',
  'ff02::1',
])('refuses %s', (address) => expect(isAllowed(address)).toBe(false))

it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
  'allows %s',
  (address) => expect(isAllowed(address)).toBe(true),
)

it('allows the private networks of the setting only, and never the metadata services', () => {
  const networks = '10.1.0.0/16, 169.254.0.0/16 fd00::/8 127.0.0.1 100.64.0.0/10'
  expect(isAllowed('10.1.2.3', networks)).toBe(true)
  expect(isAllowed('::ffff:10.1.2.3', networks)).toBe(true)
  expect(isAllowed('10.2.0.1', networks)).toBe(false)
  expect(isAllowed('127.0.0.2', networks)).toBe(false)
  for (const address of [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '100.100.100.200',
    'fd00:ec2::254',
  ])
    expect(isAllowed(address, networks)).toBe(false)
})

it('names a wrong entry of the setting', () => {
  expect(() => parseNetworks('10.0.0.0/33')).toThrow('“10.0.0.0/33”')
  expect(() => parseNetworks('mail.example')).toThrow('“mail.example”')
})

it.each(['0x7f.1', '2130706433', '017700000001', '127.1', '[::ffff:127.0.0.1]', '[::1]'])(
  'recognises the spelling %s of a loopback address',
  (host) => {
    const { hostname } = new URL(`http://${host}/`)
    expect(() => createTargetCheck().assertLiteralAllowed(hostname)).toThrow(TargetRefusedError)
  },
)

it('refuses a name that leads to a private address, at the time of the connection', async () => {
  await expect(createTargetCheck().resolve('localhost')).rejects.toThrow(TargetRefusedError)
  const networks = '127.0.0.1 ::1'
  expect(['127.0.0.1', '::1']).toContain(await createTargetCheck(networks).resolve('localhost'))
})
