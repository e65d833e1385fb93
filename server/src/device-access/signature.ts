import { createHmac, timingSafeEqual } from 'node:crypto'
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
  /** It hears calls behind their id, as /ext/rrpc/… */
  extended?: boolean
}

/**
 * HMAC over the given fields in the order of their names, as Alibaba's devices compute it.
 * `timestamp` takes part only where the device sent it.
 */
export function signatureOf(
  { clientId, deviceName, productKey, timestamp, signMethod }: Omit<Signed, 'sign'>,
  secret: string,
) {
  const algorithm = algorithms[signMethod.toLowerCase()]
  if (!algorithm) return undefined
  const fields = {
    clientId,
    deviceName,
    productKey,
    ...(timestamp === undefined ? {} : { timestamp }),
  }
  const content = Object.entries(fields)
    .map(([name, value]) => name + value)
    .join('')
  return createHmac(algorithm, secret).update(content).digest('hex')
}

/** Hexadecimal in either case, compared in constant time. */
export function isSignedBy(signed: Signed, secret: string) {
  const expected = signatureOf(signed, secret)
  const given = signed.sign.toLowerCase()
  return (
    expected !== undefined &&
    expected.length === given.length &&
    timingSafeEqual(Buffer.from(expected), Buffer.from(given))
  )
}

/**
 * The parts of an MQTT connection: username `{deviceName}&{productKey}`,
 * client id `{id}|securemode=3,signmethod=hmacsha1,timestamp=…|`, password the signature.
 * Undefined for anything else. `securemode` 2 is TLS, 3 is TCP; both sign alike.
 */
export function readCredentials(
  clientId: string,
  username = '',
  password = '',
): Signed | undefined {
  const name = /^([^&/+#]{1,64})&([^&/+#]{1,64})$/.exec(username)
  const id = /^([^|]{1,128})\|([^|]*)\|$/.exec(clientId.trim())
  if (!name || !id || password.length > 128) return undefined
  const options = new Map(
    id[2]!.split(',').map((pair) => [pair.split('=')[0]!.trim(), pair.split('=')[1]]),
  )
  if (!['2', '3'].includes(options.get('securemode') ?? '')) return undefined
  return {
    deviceName: name[1]!,
    productKey: name[2]!,
    clientId: id[1]!,
    signMethod: options.get('signmethod') ?? 'hmacmd5',
    timestamp: options.get('timestamp'),
    sign: password,
    extended: options.get('ext') === '1',
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
