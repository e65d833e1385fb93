import { createHmac, timingSafeEqual } from 'node:crypto'
import { isStorable } from '../core/db/storable'
import { keyOf, type Identity } from './alink'

const algorithms: Record<string, string> = {
  hmacsha1: 'sha1',
  hmacsha256: 'sha256',
  hmacmd5: 'md5',
}

/** What a device signs, as it came; extra fields of the request take no part. */
export type Signed = Identity & {
  clientId: string
  signMethod: string
  timestamp?: string
  sign: string
  /** Given to a device that registered freely, in place of a signature. */
  token?: string
  /** It hears calls behind their id, as /ext/rrpc/… */
  extended?: boolean
}

/** HMAC over fields in the order of their names, as Alibaba's devices compute it. Undefined for a method that is none. */
export function hmacOf(fields: Record<string, string>, signMethod: string, secret: string) {
  const algorithm = algorithms[signMethod.toLowerCase()]
  if (!algorithm) return undefined
  const content = Object.keys(fields)
    .sort()
    .map((name) => name + fields[name])
    .join('')
  return createHmac(algorithm, secret).update(content).digest('hex')
}

/** `timestamp` takes part only where the device sent it. */
export const signatureOf = (
  { clientId, deviceName, productKey, timestamp, signMethod }: Omit<Signed, 'sign'>,
  secret: string,
) =>
  hmacOf(
    { clientId, deviceName, productKey, ...(timestamp === undefined ? {} : { timestamp }) },
    signMethod,
    secret,
  )

/** Hexadecimal in either case, compared in constant time. */
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

/** Why what a device showed proves nothing. */
export const describeWrongProof = ({ token, signMethod }: Signed) =>
  token !== undefined
    ? ('wrongToken' as const)
    : algorithms[signMethod.toLowerCase()]
      ? ('wrongSecret' as const)
      : ('wrongSignMethod' as const)

/** The name in a username that need not be right; empty where there is none. */
export function readClaim(username = ''): Identity {
  const [deviceName = '', productKey = ''] = username.split('&')
  return { deviceName, productKey }
}

/** Client id `{id}|name=value,…|` and username `{deviceName}&{productKey}`. */
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
 * The parts of an MQTT connection: username `{deviceName}&{productKey}`,
 * client id `{id}|securemode=3,signmethod=hmacsha1,timestamp=…|`, password the signature.
 * Undefined for anything else. `securemode` 2 is TLS, 3 is TCP; both sign alike. With `authType=connwl` the password is
 * the token of a device that registered freely.
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

/** A product's proof that a device is of it. */
export type Registering = Identity & { random: string; signMethod: string; sign: string }

/** A connection that only asks for the secret (`register`) or token (`regnwl`) of its device. */
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

/** Options a device of ours connects with. */
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
