import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Aedes, type AuthenticateError, type Client } from 'aedes'
import { LRUCache } from 'lru-cache'
import { toLocalAddress, toUrlHost } from '../../core/bindAddress'
import { stripIpv4Prefix } from '../../core/serve/addressGroup'
import { AlinkError, deviceKey, type Identity } from '../protocol/alink'
import {
  defaultConnectionLimits,
  GuardedSocket,
  slowReaderMessage,
  type ConnectionLimits,
} from './guardedSocket'
import { preventEmitterRecursion } from './preventEmitterRecursion'
import { isHandledTopic } from './brokerLink'
import { openListeners, type Certificate, type Ports } from './listeners'
import { buildConnectedTopic, buildDisconnectedTopic } from './presenceTopics'
import type { Register } from '../registration/registration'
import type { RefusedConnection } from './refusalLog'
import {
  readClaimedIdentity,
  readCredentials,
  readRegistration,
  type SignedCredentials,
} from '../protocol/signature'
import { containsDevice, canAccessTopic, type TopicScope } from './topicAccess'
import { parseDeviceTopic } from '../protocol/topics'
import { createTrafficCounters } from './trafficCounters'
import { log } from '../../core/log'

/** The platform's answers to the questions of the broker. */
export type BrokerAuthority = {
  register: Register
  /** Returns `yes` if the device is known and enabled and its signature is valid, `slowed` if it connects too often. */
  admits: (credentials: SignedCredentials, address: string) => Promise<'yes' | 'no' | 'slowed'>
  /** Records a connection that was refused before its device was looked up. */
  recordRefusal: (refusal: Omit<RefusedConnection, 'device'>) => Promise<void>
  getChildren: (gateway: Identity) => TopicScope['children']
  /** Returns the key of the gateway through which a sub-device is logged in. */
  findGatewayKey: (child: string) => string | undefined
  /**
   * Returns true if the gateway may speak for the sub-device; it reads the database, because an external broker may ask
   * any process.
   */
  canActFor: (gateway: Identity, child: Identity) => Promise<boolean>
  /**
   * Returns true if the topic concerns a sub-device without a session: the gateway has received error 520 and the
   * message is dropped.
   */
  rejectChildMessage: (gateway: Identity, topic: string, payload?: Buffer) => Promise<boolean>
}
export type BrokerOptions = {
  ports: Ports
  host?: string
  /** This certificate serves TLS and WebSocket over TLS. */
  secure?: Certificate
  authority: BrokerAuthority
  limits?: Partial<ConnectionLimits>
  connectTimeout?: number
}

/**
 * Starts the embedded MQTT broker. The platform connects to it as an ordinary client over TCP, so that an external
 * broker can replace it.
 */
export async function startBroker({
  ports,
  host,
  secure,
  authority,
  limits,
  connectTimeout = 10_000,
}: BrokerOptions) {
  const traffic = createTrafficCounters()
  const getTransport = ({ conn }: Client) =>
    conn instanceof GuardedSocket ? conn.transport : 'tcp'
  const platformPassword = randomBytes(24).toString('hex')
  const claimedCredentials = new WeakMap<Client, SignedCredentials>()
  const topicScopes = new WeakMap<Client, TopicScope>()
  const connectedAt = new WeakMap<Client, number>()
  let lastConnectTime = 0
  const platformClients = new WeakSet<Client>()
  const registrationRequests = new WeakMap<
    Client,
    NonNullable<ReturnType<typeof readRegistration>>
  >()
  const keepaliveOutOfRange = new WeakSet<Client>()
  const registrationReplies = new WeakMap<Client, { topic: string; payload: string }>()

  const aedes = await Aedes.createBroker({
    connectTimeout,
    // `GuardedSocket` disconnects clients that do not read.
    drainTimeout: 0,
    maxClientsIdLength: 256,
    preConnect(client, packet, callback) {
      const credentials = [packet.clientId, packet.username, packet.password?.toString()] as const
      const registration = readRegistration(...credentials)
      if (registration) {
        registrationRequests.set(client, registration)
        // Registration clients need not set a keep-alive, and their random client id replaces no other connection.
        packet.keepalive = maxRegistrationSeconds
        packet.clientId = `register-${randomBytes(12).toString('hex')}`
        packet.clean = true
        return callback(null, true)
      }
      const signedCredentials = readCredentials(...credentials)
      if (signedCredentials) {
        claimedCredentials.set(client, signedCredentials)
        // The client id is the identity, so that the broker closes the older of two connections of one device.
        packet.clientId = deviceKey(signedCredentials)
        // Clean sessions are forced: a persistent session would deliver outdated commands when the device returns.
        packet.clean = true
        if (!packet.keepalive || packet.keepalive > maxKeepaliveSeconds)
          keepaliveOutOfRange.add(client)
      }
      callback(null, true)
    },
    authenticate(client, username, password, callback) {
      if (username === platformUsername && isEqualSecret(password, platformPassword)) {
        platformClients.add(client)
        if (client.conn instanceof GuardedSocket) client.conn.canBlockBroker = true
        return callback(null, true)
      }
      const signedCredentials = claimedCredentials.get(client)
      const refuse = (returnCode: AuthenticateError['returnCode'], message: string) =>
        callback(Object.assign(new Error(message), { returnCode }) as AuthenticateError, null)
      const refuseCredentials = () => refuse(4, 'bad user name or password')
      const reportRefusal = (reason: RefusedConnection['reason'], clientId = client.id) =>
        void authority.recordRefusal({
          ...readClaimedIdentity(username),
          clientId,
          address: getRemoteAddress(client),
          reason,
        })
      const registration = registrationRequests.get(client)
      if (registration) {
        const { authType, productKey, deviceName } = registration
        const credentialKind = authType === 'regnwl' ? 'token' : 'secret'
        return void authority
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
              error instanceof AlinkError ? refuseCredentials() : refuse(3, 'server unavailable'),
          )
      }
      if (!signedCredentials) {
        reportRefusal('wrongFormat')
        return refuseCredentials()
      }
      authority.admits(signedCredentials, getRemoteAddress(client)).then(
        (admission) => {
          if (admission === 'no') return refuseCredentials()
          if (admission === 'slowed') return refuse(3, 'connects too often')
          // MQTT 3.1.1 has no code for a wrong keep-alive; 5 is known to every library and makes none try another
          // password.
          if (keepaliveOutOfRange.has(client)) {
            warnOncePerHour(
              signedCredentials,
              `保活时间须为 1–${maxKeepaliveSeconds} 秒，已拒绝连接`,
            )
            reportRefusal('keepAlive', signedCredentials.clientId)
            return refuse(5, 'keep alive out of range')
          }
          topicScopes.set(client, {
            productKey: signedCredentials.productKey,
            deviceName: signedCredentials.deviceName,
            children: authority.getChildren(signedCredentials),
          })
          callback(null, true)
        },
        () => refuse(3, 'server unavailable'),
      )
    },
    authorizePublish(client, packet, callback) {
      if (client && platformClients.has(client)) return callback(null)
      const topicScope = client && topicScopes.get(client)
      // Retained messages would outlive the device that sent them, so the flag is removed.
      packet.retain = false
      const isOwn = topicScope && canAccessTopic(topicScope, packet.topic)
      if (isOwn || (topicScope && containsDevice(topicScope, packet.topic))) {
        if (!isOwn || !isHandledTopic(packet.topic))
          warnOncePerHour(topicScope, `消息无人处理，已丢弃：${packet.topic.slice(0, 200)}`)
        return callback(null)
      }
      const foreignTopicError = new Error(`not its topic: ${packet.topic.slice(0, 200)}`)
      if (!topicScope) return callback(foreignTopicError)
      authority
        .rejectChildMessage(topicScope, packet.topic, Buffer.from(packet.payload))
        // The owner of the topic is unknown while the database is away, so the message is dropped without an error.
        .catch(() => true)
        .then((isRejectedChild) => {
          if (!isRejectedChild) return callback(foreignTopicError)
          packet.topic = discardTopic
          callback(null)
        })
    },
    // A gateway may still subscribe to topics of a sub-device that has moved to another gateway; it must receive
    // nothing.
    authorizeForward(client, packet) {
      const topicScope = topicScopes.get(client)
      const deviceTopic = topicScope && parseDeviceTopic(packet.topic)
      const gatewayKey = deviceTopic && authority.findGatewayKey(deviceKey(deviceTopic))
      return gatewayKey === undefined || gatewayKey === deviceKey(topicScope!) ? packet : null
    },
    authorizeSubscribe(client, subscription, callback) {
      const topicScope = topicScopes.get(client)
      callback(
        null,
        platformClients.has(client) ||
          (topicScope && canAccessTopic(topicScope, subscription.topic)) ||
          registrationReplies.get(client)?.topic === subscription.topic
          ? subscription
          : null,
      )
    },
  })
  preventEmitterRecursion(
    (aedes as unknown as { mq: Parameters<typeof preventEmitterRecursion>[0] }).mq,
  )

  const publishPresence = (topic: string, client: Client, reason = '') => {
    const topicScope = topicScopes.get(client)
    if (!topicScope) return
    const payload = JSON.stringify({
      clientid: client.id,
      username: `${topicScope.deviceName}&${topicScope.productKey}`,
      connected_at: connectedAt.get(client),
      reason,
      ipaddress: getRemoteAddress(client),
    })
    aedes.publish({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, () => {})
  }
  aedes.on('client', (client) => {
    connectedAt.set(client, (lastConnectTime = Math.max(Date.now(), lastConnectTime + 1)))
    publishPresence(buildConnectedTopic(client.id), client)
  })
  aedes.on('clientReady', (client) => {
    const registrationReply = registrationReplies.get(client)
    if (!registrationReply) return
    // The registration reply goes to this client only, even if it has not subscribed.
    const packet = {
      cmd: 'publish',
      qos: 0,
      dup: false,
      retain: false,
      ...registrationReply,
    } as const
    client.publish(packet, () => {})
    setTimeout(() => client.close(), maxRegistrationSeconds * 1000).unref()
  })
  // Messages of the platform itself also pass here and are not counted as device traffic.
  aedes.on('publish', (_packet, client) => {
    if (client && !platformClients.has(client)) traffic.countMessage(getTransport(client))
  })
  aedes.on('clientError', (client, error) => {
    traffic.countError(getTransport(client))
    const topicScope = topicScopes.get(client)
    if (topicScope && error.message === slowReaderMessage)
      warnOncePerHour(topicScope, '连接收取过慢，已断开')
  })
  aedes.on('connectionError', (client) => traffic.countError(getTransport(client)))
  // A will at QoS 1 is still being delivered. The platform would lose it if the disconnect event overtook it.
  aedes.on('clientDisconnect', (client) =>
    setImmediate(() => publishPresence(buildDisconnectedTopic(client.id), client)),
  )

  const listeners = await openListeners(
    {
      ports,
      host,
      secure,
      limits: { ...defaultConnectionLimits, ...limits },
      handshakeTimeout: connectTimeout,
      traffic,
      onRefused: ({ username, address, clientId = '', reason }) =>
        void authority.recordRefusal({
          ...readClaimedIdentity(username),
          clientId,
          address,
          reason,
        }),
    },
    (socket) => aedes.handle(socket),
  )

  return {
    ports: listeners.ports,
    addresses: listeners.addresses,
    figures: traffic.getFigures,
    /** The platform connects to the broker at this address. */
    url: `mqtt://${toUrlHost(toLocalAddress(host))}:${listeners.ports.tcp}`,
    login: { username: platformUsername, password: platformPassword },
    disconnect(identity: Identity) {
      const client = Object.values(
        (aedes as unknown as { clients: Record<string, Client> }).clients,
      ).find((one) => one.id === deviceKey(identity))
      client?.close()
    },
    async close() {
      const listenersClosed = listeners.close()
      await new Promise<void>((resolve) => aedes.close(resolve))
      await listenersClosed
    },
  }
}

const recentWarnings = new LRUCache<string, true>({ max: 2000, ttl: 3600_000 })
/** The same warning is logged at most once an hour, because firmware repeats its faults. */
function warnOncePerHour(device: Identity, message: string) {
  const line = `设备 ${deviceKey(device)} 的${message}`
  if (recentWarnings.has(line)) return
  recentWarnings.set(line, true)
  log.warn({ module: 'broker', deviceId: deviceKey(device) }, line)
}

/**
 * Maximum keep-alive in seconds, as on Alibaba's platform. A device without keep-alive would stay online forever after
 * its cable is pulled.
 */
const maxKeepaliveSeconds = 1200
/** Maximum lifetime in seconds of a connection that only registers. */
const maxRegistrationSeconds = 30
/** Returns IPv4 addresses in dotted form, even if the socket accepts both address families. */
const getRemoteAddress = ({ conn }: Client) =>
  conn instanceof GuardedSocket ? stripIpv4Prefix(conn.remoteAddress) : ''

const platformUsername = '$platform'
/** Dropped messages are moved to this topic, which has no subscriber: the sender still gets its acknowledgement. */
const discardTopic = 'nowhere'
const isEqualSecret = (received: Readonly<Buffer> | undefined, expected: string) => {
  const expectedBytes = Buffer.from(expected)
  return (
    received !== undefined &&
    received.length === expectedBytes.length &&
    timingSafeEqual(received, expectedBytes)
  )
}
