import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { AedesOptions, AuthenticateError, Client } from 'aedes'
import { AlinkError } from '../protocol/alink'
import { readClaimedIdentity, type SignedCredentials } from '../protocol/signature'
import type { BrokerAuthority } from './brokerAuthority'
import { createConnectClaims, maxKeepaliveSeconds, type RegistrationClaim } from './connectClaims'
import { getRemoteAddress } from './getRemoteAddress'
import { GuardedSocket } from './guardedSocket'
import type { RefusedConnection } from './refusalLog'
import type { TopicScope } from './topicAccess'
import { warnOncePerHour } from './warnOncePerHour'
import { runInBackground } from '../../core/db/outage'

const platformUsername = '$platform'
const isEqualSecret = (received: Readonly<Buffer> | undefined, expected: string) => {
  const expectedBytes = Buffer.from(expected)
  return (
    received !== undefined &&
    received.length === expectedBytes.length &&
    timingSafeEqual(received, expectedBytes)
  )
}

type Authenticate = NonNullable<AedesOptions['authenticate']>
type AuthenticationCallback = Parameters<Authenticate>[3]

const refuse = (
  callback: AuthenticationCallback,
  returnCode: AuthenticateError['returnCode'],
  message: string,
) => callback(Object.assign(new Error(message), { returnCode }) as AuthenticateError, null)
const refuseCredentials = (callback: AuthenticationCallback) =>
  refuse(callback, 4, 'bad user name or password')

/** Authenticates the clients of the broker: the platform itself, devices, and devices that only register. */
export function createClientAuthenticator(authority: BrokerAuthority) {
  const platformPassword = randomBytes(24).toString('hex')
  const claims = createConnectClaims()
  const topicScopes = new WeakMap<Client, TopicScope>()
  const platformClients = new WeakSet<Client>()
  const registrationReplies = new WeakMap<Client, { topic: string; payload: string }>()

  function authenticateRegistration(
    client: Client,
    registration: RegistrationClaim,
    callback: AuthenticationCallback,
  ) {
    const { authType, productKey, deviceName } = registration
    const credentialKind = authType === 'regnwl' ? 'token' : 'secret'
    authority
      .register(registration, {
        way: 'mqtt',
        address: getRemoteAddress(client),
        credentialKind,
      })
      .then(
        (issuedCredentials) => {
          const payload = JSON.stringify({ productKey, deviceName, ...issuedCredentials })
          registrationReplies.set(client, { topic: `/ext/${authType}`, payload })
          callback(null, true)
        },
        (error: unknown) =>
          error instanceof AlinkError
            ? refuseCredentials(callback)
            : refuse(callback, 3, 'server unavailable'),
      )
  }

  function authenticateDevice(
    client: Client,
    signedCredentials: SignedCredentials,
    reportRefusal: (reason: RefusedConnection['reason'], clientId?: string) => void,
    callback: AuthenticationCallback,
  ) {
    authority.admits(signedCredentials, getRemoteAddress(client)).then(
      (admission) => {
        if (admission === 'no') return refuseCredentials(callback)
        if (admission === 'slowed') return refuse(callback, 3, 'connects too often')
        // MQTT 3.1.1 has no code for a wrong keep-alive; 5 is known to every library and makes none try another
        // password.
        if (claims.isKeepaliveOutOfRange(client)) {
          warnOncePerHour(signedCredentials, `保活时间须为 1–${maxKeepaliveSeconds} 秒，已拒绝连接`)
          reportRefusal('keepAlive', signedCredentials.clientId)
          return refuse(callback, 5, 'keep alive out of range')
        }
        topicScopes.set(client, {
          productKey: signedCredentials.productKey,
          deviceName: signedCredentials.deviceName,
          children: authority.getChildren(signedCredentials),
        })
        callback(null, true)
      },
      () => refuse(callback, 3, 'server unavailable'),
    )
  }

  const authenticate: Authenticate = (client, username, password, callback) => {
    if (username === platformUsername && isEqualSecret(password, platformPassword)) {
      platformClients.add(client)
      if (client.conn instanceof GuardedSocket) client.conn.canBlockBroker = true
      return callback(null, true)
    }
    const reportRefusal = (reason: RefusedConnection['reason'], clientId = client.id) =>
      runInBackground(
        authority.recordRefusal({
          ...readClaimedIdentity(username),
          clientId,
          address: getRemoteAddress(client),
          reason,
        }),
        '接入拒绝暂未记录',
      )
    const registration = claims.findRegistration(client)
    if (registration) return authenticateRegistration(client, registration, callback)
    const signedCredentials = claims.findCredentials(client)
    if (!signedCredentials) {
      reportRefusal('wrongFormat')
      return refuseCredentials(callback)
    }
    authenticateDevice(client, signedCredentials, reportRefusal, callback)
  }

  return {
    preConnect: claims.preConnect,
    authenticate,
    /** The platform itself connects with this user name and password. */
    platformLogin: { username: platformUsername, password: platformPassword },
    isPlatform: (client: Client) => platformClients.has(client),
    /** Returns the topics of an authenticated device. */
    findTopicScope: (client: Client) => topicScopes.get(client),
    /** Returns the reply to a client that has registered. */
    findRegistrationReply: (client: Client) => registrationReplies.get(client),
  }
}
export type ClientAuthenticator = ReturnType<typeof createClientAuthenticator>
