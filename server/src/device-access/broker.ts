import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Aedes, type AuthenticateError, type Client } from 'aedes'
import { LRUCache } from 'lru-cache'
import { toLocalAddress, toUrlHost } from '../core/bindAddress'
import { plainAddress } from '../core/serve/addressGroup'
import { AlinkError, keyOf, type Identity } from './alink'
import { defaultLimits, GuardedSocket, unreadTooLong, type Limits } from './guard'
import { inTurn } from './inTurn'
import { isHeard } from './link'
import { openListeners, type Certificate, type Ports } from './listeners'
import { connected, disconnected } from './presenceTopics'
import type { Register } from './registration'
import type { RefusedConnection } from './refusals'
import { readClaim, readCredentials, readRegistration, type Signed } from './signature'
import { names, reaches, type Reach } from './topicRules'
import { locate } from './topics'
import { openTraffic } from './traffic'

/** The platform's answers to the questions of the broker. */
export type Authority = {
  register: Register
  /** Returns `yes` if the device is known and enabled and its signature is valid, `slowed` if it connects too often. */
  admits: (signed: Signed, address: string) => Promise<'yes' | 'no' | 'slowed'>
  /** Records a connection that was refused before its device was looked up. */
  noteRefusal: (refused: Omit<RefusedConnection, 'device'>) => Promise<void>
  childrenOf: (gateway: Identity) => Reach['children']
  /** Returns the key of the gateway through which a sub-device is logged in. */
  gatewayOf: (child: string) => string | undefined
  /**
   * Returns true if the gateway may speak for the sub-device; it reads the database, because an external broker may ask
   * any process.
   */
  speaksFor: (gateway: Identity, child: Identity) => Promise<boolean>
  /**
   * Returns true if the topic concerns a sub-device without a session: the gateway has received error 520 and the
   * message is dropped.
   */
  answersFor: (gateway: Identity, topic: string, payload?: Buffer) => Promise<boolean>
}
export type BrokerOptions = {
  ports: Ports
  host?: string
  /** This certificate serves TLS and WebSocket over TLS. */
  secure?: Certificate
  authority: Authority
  limits?: Partial<Limits>
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
  const traffic = openTraffic()
  const wayOf = ({ conn }: Client) => (conn instanceof GuardedSocket ? conn.way : 'tcp')
  const secret = randomBytes(24).toString('hex')
  const claims = new WeakMap<Client, Signed>()
  const reaching = new WeakMap<Client, Reach>()
  const since = new WeakMap<Client, number>()
  let clock = 0
  const platform = new WeakSet<Client>()
  const registering = new WeakMap<Client, NonNullable<ReturnType<typeof readRegistration>>>()
  const outOfRange = new WeakSet<Client>()
  const answers = new WeakMap<Client, { topic: string; payload: string }>()

  const aedes = await Aedes.createBroker({
    connectTimeout,
    // `GuardedSocket` disconnects clients that do not read.
    drainTimeout: 0,
    maxClientsIdLength: 256,
    preConnect(client, packet, done) {
      const credentials = [packet.clientId, packet.username, packet.password?.toString()] as const
      const asking = readRegistration(...credentials)
      if (asking) {
        registering.set(client, asking)
        // Registration clients need not set a keep-alive, and their random client id replaces no other connection.
        packet.keepalive = registrationSeconds
        packet.clientId = `register-${randomBytes(12).toString('hex')}`
        packet.clean = true
        return done(null, true)
      }
      const signed = readCredentials(...credentials)
      if (signed) {
        claims.set(client, signed)
        // The client id is the identity, so that the broker closes the older of two connections of one device.
        packet.clientId = keyOf(signed)
        // Clean sessions are forced: a persistent session would deliver outdated commands when the device returns.
        packet.clean = true
        if (!packet.keepalive || packet.keepalive > keepaliveMost) outOfRange.add(client)
      }
      done(null, true)
    },
    authenticate(client, username, password, done) {
      if (username === platformUser && equal(password, secret)) {
        platform.add(client)
        if (client.conn instanceof GuardedSocket) client.conn.isWaitedFor = true
        return done(null, true)
      }
      const signed = claims.get(client)
      const refuse = (returnCode: AuthenticateError['returnCode'], message: string) =>
        done(Object.assign(new Error(message), { returnCode }) as AuthenticateError, null)
      const wrong = () => refuse(4, 'bad user name or password')
      const note = (reason: RefusedConnection['reason'], clientId = client.id) =>
        void authority.noteRefusal({
          ...readClaim(username),
          clientId,
          address: addressOf(client),
          reason,
        })
      const asking = registering.get(client)
      if (asking) {
        const { authType, productKey, deviceName } = asking
        const wanted = authType === 'regnwl' ? 'token' : 'secret'
        return void authority
          .register(asking, { way: 'mqtt', address: addressOf(client), wanted })
          .then(
            (given) => {
              const payload = JSON.stringify({ productKey, deviceName, ...given })
              answers.set(client, { topic: `/ext/${authType}`, payload })
              done(null, true)
            },
            (error: unknown) =>
              error instanceof AlinkError ? wrong() : refuse(3, 'server unavailable'),
          )
      }
      if (!signed) {
        note('wrongFormat')
        return wrong()
      }
      authority.admits(signed, addressOf(client)).then(
        (admitted) => {
          if (admitted === 'no') return wrong()
          if (admitted === 'slowed') return refuse(3, 'connects too often')
          // MQTT 3.1.1 has no code for a wrong keep-alive; 5 is known to every library and makes none try another
          // password.
          if (outOfRange.has(client)) {
            say(signed, `保活时间须为 1–${keepaliveMost} 秒，已拒绝连接`)
            note('keepAlive', signed.clientId)
            return refuse(5, 'keep alive out of range')
          }
          reaching.set(client, {
            productKey: signed.productKey,
            deviceName: signed.deviceName,
            children: authority.childrenOf(signed),
          })
          done(null, true)
        },
        () => refuse(3, 'server unavailable'),
      )
    },
    authorizePublish(client, packet, done) {
      if (client && platform.has(client)) return done(null)
      const reach = client && reaching.get(client)
      // Retained messages would outlive the device that sent them, so the flag is removed.
      packet.retain = false
      const isOwn = reach && reaches(reach, packet.topic)
      if (isOwn || (reach && names(reach, packet.topic))) {
        if (!isOwn || !isHeard(packet.topic))
          say(reach, `消息无人处理，已丢弃：${packet.topic.slice(0, 200)}`)
        return done(null)
      }
      const foreign = new Error(`not its topic: ${packet.topic.slice(0, 200)}`)
      if (!reach) return done(foreign)
      authority
        .answersFor(reach, packet.topic, Buffer.from(packet.payload))
        // The owner of the topic is unknown while the database is away, so the message is dropped without an error.
        .catch(() => true)
        .then((answered) => {
          if (!answered) return done(foreign)
          packet.topic = nowhere
          done(null)
        })
    },
    // A gateway may still subscribe to topics of a sub-device that has moved to another gateway; it must receive
    // nothing.
    authorizeForward(client, packet) {
      const reach = reaching.get(client)
      const at = reach && locate(packet.topic)
      const gateway = at && authority.gatewayOf(keyOf(at))
      return gateway === undefined || gateway === keyOf(reach!) ? packet : null
    },
    authorizeSubscribe(client, subscription, done) {
      const reach = reaching.get(client)
      done(
        null,
        platform.has(client) ||
          (reach && reaches(reach, subscription.topic)) ||
          answers.get(client)?.topic === subscription.topic
          ? subscription
          : null,
      )
    },
  })
  inTurn((aedes as unknown as { mq: Parameters<typeof inTurn>[0] }).mq)

  const tell = (topic: string, client: Client, reason = '') => {
    const reach = reaching.get(client)
    if (!reach) return
    const payload = JSON.stringify({
      clientid: client.id,
      username: `${reach.deviceName}&${reach.productKey}`,
      connected_at: since.get(client),
      reason,
      ipaddress: addressOf(client),
    })
    aedes.publish({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, () => {})
  }
  aedes.on('client', (client) => {
    since.set(client, (clock = Math.max(Date.now(), clock + 1)))
    tell(connected(client.id), client)
  })
  aedes.on('clientReady', (client) => {
    const answer = answers.get(client)
    if (!answer) return
    // The registration reply goes to this client only, even if it has not subscribed.
    const packet = { cmd: 'publish', qos: 0, dup: false, retain: false, ...answer } as const
    client.publish(packet, () => {})
    setTimeout(() => client.close(), registrationSeconds * 1000).unref()
  })
  // Messages of the platform itself also pass here and are not counted as device traffic.
  aedes.on('publish', (_packet, client) => {
    if (client && !platform.has(client)) traffic.message(wayOf(client))
  })
  aedes.on('clientError', (client, error) => {
    traffic.failed(wayOf(client))
    const reach = reaching.get(client)
    if (reach && error.message === unreadTooLong) say(reach, '连接收取过慢，已断开')
  })
  aedes.on('connectionError', (client) => traffic.failed(wayOf(client)))
  // A will at QoS 1 is still being delivered. The platform would lose it if the disconnect event overtook it.
  aedes.on('clientDisconnect', (client) =>
    setImmediate(() => tell(disconnected(client.id), client)),
  )

  const listeners = await openListeners(
    {
      ports,
      host,
      secure,
      limits: { ...defaultLimits, ...limits },
      handshakeTimeout: connectTimeout,
      traffic,
      onRefused: ({ username, address, clientId = '', reason }) =>
        void authority.noteRefusal({
          ...readClaim(username),
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
    figures: traffic.figures,
    /** The platform connects to the broker at this address. */
    url: `mqtt://${toUrlHost(toLocalAddress(host))}:${listeners.ports.tcp}`,
    login: { username: platformUser, password: secret },
    kick(identity: Identity) {
      const client = Object.values(
        (aedes as unknown as { clients: Record<string, Client> }).clients,
      ).find((one) => one.id === keyOf(identity))
      client?.close()
    },
    async close() {
      const closed = listeners.close()
      await new Promise<void>((resolve) => aedes.close(resolve))
      await closed
    },
  }
}

const said = new LRUCache<string, true>({ max: 2000, ttl: 3600_000 })
/** The same warning is logged at most once an hour, because firmware repeats its faults. */
function say(device: Identity, what: string) {
  const line = `设备 ${keyOf(device)} 的${what}`
  if (said.has(line)) return
  said.set(line, true)
  console.warn(line)
}

/**
 * Maximum keep-alive in seconds, as on Alibaba's platform. A device without keep-alive would stay online forever after
 * its cable is pulled.
 */
const keepaliveMost = 1200
/** Maximum lifetime in seconds of a connection that only registers. */
const registrationSeconds = 30
/** Returns IPv4 addresses in dotted form, even if the socket accepts both address families. */
const addressOf = ({ conn }: Client) =>
  conn instanceof GuardedSocket ? plainAddress(conn.remoteAddress) : ''

const platformUser = '$platform'
/** Dropped messages are moved to this topic, which has no subscriber: the sender still gets its acknowledgement. */
const nowhere = 'nowhere'
const equal = (given: Readonly<Buffer> | undefined, expected: string) => {
  const wanted = Buffer.from(expected)
  return given !== undefined && given.length === wanted.length && timingSafeEqual(given, wanted)
}
