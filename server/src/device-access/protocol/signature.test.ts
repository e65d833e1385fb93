import { connectOptions, isSignedBy, readCredentials, computeSignature } from './signature'

const device = { productKey: 'pk1', deviceName: 'lamp-1', deviceSecret: 'secret' }
const readDeviceCredentials = (change: Partial<ReturnType<typeof connectOptions>> = {}) => {
  const { clientId, username, password } = { ...connectOptions(device), ...change }
  return readCredentials(clientId, username, password)
}

describe('credentials of a device', () => {
  it.each([
    ['no options in the client id', { clientId: 'pk1&lamp-1' }],
    ['an unknown securemode', { clientId: 'x|securemode=9,signmethod=hmacsha1|' }],
    ['a username without product key', { username: 'lamp-1' }],
    ['a username with a topic separator', { username: 'lamp/1&pk1' }],
    ['a wildcard as device name', { username: '+&pk1' }],
    ['a password that is too long', { password: 'a'.repeat(200) }],
  ])('are refused with %s', (_, change) => expect(readDeviceCredentials(change)).toBeUndefined())

  it('are refused with another secret', () =>
    expect(isSignedBy(readDeviceCredentials()!, 'other')).toBe(false))
  it('are refused with an unknown sign method', () =>
    expect(isSignedBy({ ...readDeviceCredentials()!, signMethod: 'plain' }, 'secret')).toBe(false))
  it('are refused with a changed timestamp', () =>
    expect(isSignedBy({ ...readDeviceCredentials()!, timestamp: '1' }, 'secret')).toBe(false))

  it.each(['hmacsha1', 'hmacsha256', 'hmacmd5', 'hmacSha1', 'HMACMD5'])(
    'are accepted with %s',
    (method) => {
      const { clientId, username, password } = connectOptions(device, method)
      expect(isSignedBy(readCredentials(clientId, username, password)!, 'secret')).toBe(true)
    },
  )
  it('are accepted without a timestamp in the signature', () => {
    const signedFields = { ...device, clientId: 'mac', signMethod: 'hmacsha1' }
    const credentials = readCredentials(
      'mac|securemode=2,signmethod=hmacsha1|',
      'lamp-1&pk1',
      computeSignature(signedFields, 'secret'),
    )
    expect(isSignedBy(credentials!, 'secret')).toBe(true)
  })
  it('are accepted in upper case', () => {
    const { clientId, username, password } = connectOptions(device)
    expect(isSignedBy(readCredentials(clientId, username, password.toUpperCase())!, 'secret')).toBe(
      true,
    )
  })
  it('match a signature computed by another implementation', () => {
    // printf 'clientIdmacdeviceNamelamp-1productKeypk1timestamp1' | openssl dgst -sha1 -hmac secret
    expect(
      computeSignature(
        { ...device, clientId: 'mac', signMethod: 'hmacsha1', timestamp: '1' },
        'secret',
      ),
    ).toBe('2c32b7b1bd616dd13fb4ab9549878fc5c30eb865')
  })
})
