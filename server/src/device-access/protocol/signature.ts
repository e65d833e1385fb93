import { createHmac, timingSafeEqual } from 'node:crypto'
import { isStorable } from '../../core/db/storable'
import { deviceKey, type Identity } from './alink'

const algorithms: Record<string, string> = {
  hmacsha1: 'sha1',
  hmacsha256: 'sha256',
  hmacmd5: 'md5',
}

/** Signed fields as received; extra fields of the request are not part of the signature. */
export type SignedCredentials = Identity & {
  clientId: string
  signMethod: string
  timestamp?: string
  /** Time in ms after which these credentials are refused; the signature covers it, so that it cannot be changed. */
  expire?: string
  sign: string
  /** Token of a device that registered without pre-entry; it replaces the signature. */
  token?: string
  /** The device listens for synchronous calls at /ext/rrpc/…. */
  extended?: boolean
}

/** Computes the HMAC over the fields sorted by name, as Alibaba specifies; undefined for an unknown method. */
export function computeHmac(fields: Record<string, string>, signMethod: string, secret: string) {
  const algorithm = algorithms[signMethod.toLowerCase()]
  if (!algorithm) return undefined
  const content = Object.keys(fields)
    .sort()
    .map((name) => name + fields[name])
    .join('')
  return createHmac(algorithm, secret).update(content).digest('hex')
}

/** Timestamp and expiry are signed only if the device sent them. */
export const computeSignature = (
  {
    clientId,
    deviceName,
    productKey,
    timestamp,
    expire,
    signMethod,
  }: Omit<SignedCredentials, 'sign'>,
  secret: string,
) =>
  computeHmac(
    {
      clientId,
      deviceName,
      productKey,
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(expire === undefined ? {} : { expire }),
    },
    signMethod,
    secret,
  )

/** Compares hexadecimal signatures in constant time, ignoring case. */
export function isSameSignature(expectedSignature: string | undefined, received: string) {
  const receivedLower = received.toLowerCase()
  return (
    expectedSignature !== undefined &&
    Buffer.byteLength(receivedLower) === Buffer.byteLength(expectedSignature) &&
    timingSafeEqual(Buffer.from(expectedSignature), Buffer.from(receivedLower))
  )
}
export const isSignedBy = (credentials: SignedCredentials, secret: string) =>
  isSameSignature(computeSignature(credentials, secret), credentials.sign)

/** Returns whether the credentials were issued for a limited time that is over; an unreadable time has no validity. */
export const isExpired = ({ expire }: SignedCredentials, nowMs = Date.now()) =>
  expire !== undefined && !(Number(expire) > nowMs)

/** Returns why the proof of a device is invalid. */
export const describeWrongProof = ({ token, signMethod }: SignedCredentials) =>
  token !== undefined
    ? ('wrongToken' as const)
    : algorithms[signMethod.toLowerCase()]
      ? ('wrongSecret' as const)
      : ('wrongSignMethod' as const)

/** Reads the unverified identity from a user name; its fields are empty if it has none. */
export function readClaimedIdentity(username = ''): Identity {
  const [deviceName = '', productKey = ''] = username.split('&')
  return { deviceName, productKey }
}

/** Parses client id `{id}|name=value,…|` and user name `{deviceName}&{productKey}`. */
function parseConnectFields(clientId: string, username: string) {
  if (!isStorable([clientId, username])) return undefined
  const nameMatch = /^([^&/+#]{1,64})&([^&/+#]{1,64})$/.exec(username)
  const idMatch = /^([^|]{1,128})\|([^|]*)\|$/.exec(clientId.trim())
  if (!nameMatch || !idMatch) return undefined
  const options = new Map(
    idMatch[2]!
      .split(',')
      .map((one) => [one.split('=')[0]!.trim().toLowerCase(), one.split('=')[1]?.trim()]),
  )
  return { deviceName: nameMatch[1]!, productKey: nameMatch[2]!, clientId: idMatch[1]!, options }
}

/**
 * Parses the credentials of an MQTT connection: user name `{deviceName}&{productKey}`, client id
 * `{id}|securemode=3,signmethod=hmacsha1,timestamp=…|`, and the signature as password. `securemode` 2 is TLS and 3 is
 * TCP; both sign alike. `expire=…` in ms limits the credentials in time. With `authType=connwl` the password is the token
 * of a device that registered without pre-entry.
 * @returns undefined for any other format
 */
export function readCredentials(
  clientId: string,
  username = '',
  password = '',
): SignedCredentials | undefined {
  const parts = parseConnectFields(clientId, username)
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
    expire: options.get('expire'),
    sign: password,
    extended: options.get('ext') === '1',
  }
}

/** Proof, signed with the product secret, that a device belongs to its product. */
export type RegistrationRequest = Identity & { random: string; signMethod: string; sign: string }

/** Parses a connection that only requests the secret (`register`) or token (`regnwl`) of its device. */
export function readRegistration(
  clientId: string,
  username = '',
  password = '',
): (RegistrationRequest & { authType: 'register' | 'regnwl' }) | undefined {
  const parts = parseConnectFields(clientId, username)
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

/** Builds the MQTT options with which a device of this platform connects; they are valid until `expireMs`, if given. */
export function connectOptions(
  device: Identity & { deviceSecret: string },
  signMethod = 'hmacsha256',
  timestamp = String(Date.now()),
  expireMs?: number,
) {
  const expire = expireMs === undefined ? undefined : String(expireMs)
  const credentials = { ...device, clientId: deviceKey(device), signMethod, timestamp, expire }
  const expiryOption = expire === undefined ? '' : `,expire=${expire}`
  return {
    clientId: `${credentials.clientId}|securemode=3,signmethod=${signMethod},timestamp=${timestamp}${expiryOption}|`,
    username: `${device.deviceName}&${device.productKey}`,
    password: computeSignature(credentials, device.deviceSecret)!,
  }
}
