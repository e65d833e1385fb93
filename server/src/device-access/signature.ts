import { createHmac, timingSafeEqual } from 'node:crypto'
import { isStorable } from '../core/db/storable'
import { keyOf, type Identity } from './alink'

const algorithms: Record<string, string> = {
  hmacsha1: 'sha1',
  hmacsha256: 'sha256',
  hmacmd5: 'md5',
}

/** Signed fields as received; extra fields of the request are not part of the signature. */
export type Signed = Identity & {
  clientId: string
  signMethod: string
  timestamp?: string
  sign: string
  /** Token of a device that registered without pre-entry; it replaces the signature. */
  token?: string
  /** The device listens for synchronous calls at /ext/rrpc/…. */
  extended?: boolean
}

/** Computes the HMAC over the fields sorted by name, as Alibaba specifies; undefined for an unknown method. */
export function hmacOf(fields: Record<string, string>, signMethod: string, secret: string) {
  const algorithm = algorithms[signMethod.toLowerCase()]
  if (!algorithm) return undefined
  const content = Object.keys(fields)
    .sort()
    .map((name) => name + fields[name])
    .join('')
  return createHmac(algorithm, secret).update(content).digest('hex')
}

/** The timestamp is signed only if the device sent it. */
export const signatureOf = (
  { clientId, deviceName, productKey, timestamp, signMethod }: Omit<Signed, 'sign'>,
  secret: string,
) =>
  hmacOf(
    { clientId, deviceName, productKey, ...(timestamp === undefined ? {} : { timestamp }) },
    signMethod,
    secret,
  )

/** Compares hexadecimal signatures in constant time, ignoring case. */
export function isSame(expected: string | undefined, given: string) {
  const lower = given.toLowerCase()
  return (
    expected !== undefined &&
    Buffer.byteLength(lower) === Buffer.byteLength(expected) &&
    timingSafeEqual(Buffer.from(expected), Buffer.from(lower))
  )
}
export const isSignedBy = (signed: Signed, secret: string) =>
  isSame(signatureOf(signed, secret), signed.sign)

/** Returns why the proof of a device is invalid. */
export const describeWrongProof = ({ token, signMethod }: Signed) =>
  token !== undefined
    ? ('wrongToken' as const)
    : algorithms[signMethod.toLowerCase()]
      ? ('wrongSecret' as const)
      : ('wrongSignMethod' as const)

/** Reads the unverified identity from a user name; its fields are empty if it has none. */
export function readClaim(username = ''): Identity {
  const [deviceName = '', productKey = ''] = username.split('&')
  return { deviceName, productKey }
}

/** Parses client id `{id}|name=value,…|` and user name `{deviceName}&{productKey}`. */
function readParts(clientId: string, username: string) {
  if (!isStorable([clientId, username])) return undefined
  const name = /^([^&/+#]{1,64})&([^&/+#]{1,64})$/.exec(username)
  const id = /^([^|]{1,128})\|([^|]*)\|$/.exec(clientId.trim())
  if (!name || !id) return undefined
  const options = new Map(
    id[2]!
      .split(',')
      .map((one) => [one.split('=')[0]!.trim().toLowerCase(), one.split('=')[1]?.trim()]),
  )
  return { deviceName: name[1]!, productKey: name[2]!, clientId: id[1]!, options }
}

/**
 * Parses the credentials of an MQTT connection: user name `{deviceName}&{productKey}`, client id
 * `{id}|securemode=3,signmethod=hmacsha1,timestamp=…|`, and the signature as password. `securemode` 2 is TLS and 3 is
 * TCP; both sign alike. With `authType=connwl` the password is the token of a device that registered without pre-entry.
 * @returns undefined for any other format
 */
export function readCredentials(
  clientId: string,
  username = '',
  password = '',
): Signed | undefined {
  const parts = readParts(clientId, username)
  if (!parts || password.length > 128) return undefined
  const { options, ...identity } = parts
  const authType = options.get('authtype')
  if (authType === 'connwl') return { ...identity, signMethod: '', sign: '', token: password }
  if (authType !== undefined || !['2', '3'].includes(options.get('securemode') ?? ''))
    return undefined
  return {
    ...identity,
    signMethod: options.get('signmethod') ?? 'hmacmd5',
    timestamp: options.get('timestamp'),
    sign: password,
    extended: options.get('ext') === '1',
  }
}

/** Proof, signed with the product secret, that a device belongs to its product. */
export type Registering = Identity & { random: string; signMethod: string; sign: string }

/** Parses a connection that only requests the secret (`register`) or token (`regnwl`) of its device. */
export function readRegistration(
  clientId: string,
  username = '',
  password = '',
): (Registering & { authType: 'register' | 'regnwl' }) | undefined {
  const parts = readParts(clientId, username)
  const authType = parts?.options.get('authtype')
  if (!parts || (authType !== 'register' && authType !== 'regnwl')) return undefined
  const { deviceName, productKey, options } = parts
  return {
    deviceName,
    productKey,
    authType,
    random: options.get('random') ?? '',
    signMethod: options.get('signmethod') ?? 'hmacmd5',
    sign: password.slice(0, 128),
  }
}

/** Builds the MQTT options with which a device of this platform connects. */
export function connectOptions(
  device: Identity & { deviceSecret: string },
  signMethod = 'hmacsha256',
  timestamp = String(Date.now()),
) {
  const signed = { ...device, clientId: keyOf(device), signMethod, timestamp }
  return {
    clientId: `${signed.clientId}|securemode=3,signmethod=${signMethod},timestamp=${timestamp}|`,
    username: `${device.deviceName}&${device.productKey}`,
    password: signatureOf(signed, device.deviceSecret)!,
  }
}
