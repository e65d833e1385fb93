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

/** What the broker asks the platform. */
export type Authority = {
  register: Register
  /** The device is known, not disabled, and signed this. */
  admits: (signed: Signed, address: string) => Promise<'yes' | 'no' | 'slowed'>
  /** A connection that was refused before its device was looked up. */
  noteRefusal: (refused: Omit<RefusedConnection, 'device'>) => Promise<void>
  childrenOf: (gateway: Identity) => Reach['children']
  /** The gateway a child is signed in over. */
  gatewayOf: (child: string) => string | undefined
  /** The same by the rows, for a broker that asks any of several processes. */
  speaksFor: (gateway: Identity, child: Identity) => Promise<boolean>
  /** It is about a sub-device of a gateway that has no session: answered already, and goes no further. */
  answersFor: (gateway: Identity, topic: string, payload?: Buffer) => Promise<boolean>
}
export type BrokerOptions = {
  ports: Ports
  host?: string
  /** For TLS and WebSocket over TLS. */
  secure?: Certificate
  authority: Authority
  limits?: Partial<Limits>
  connectTimeout?: number
}

/**
 * The embedded MQTT broker. The platform itself is one of its clients, over the same TCP port, so that a broker of
 * another make can take its place.
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
    // The guard sees to who does not read.
    drainTimeout: 0,
    maxClientsIdLength: 256,
    preConnect(client, packet, done) {
      const credentials = [packet.clientId, packet.username, packet.password?.toString()] as const
      const asking = readRegistration(...credentials)
      if (asking) {
        registering.set(client, asking)
        // The documents ask no keep-alive of a connection that lives for one answer, and it replaces nobody's.
        packet.keepalive = registrationSeconds
        packet.clientId = `register-${randomBytes(12).toString('hex')}`
        packet.clean = true
        return done(null, true)
      }
      const signed = readCredentials(...credentials)
      if (signed) {
        claims.set(client, signed)
        // One connection an identity: the broker closes the first when a second registers under the same client id.
        packet.clientId = keyOf(signed)
        // A session kept while the device is away would hand it old commands when it returns.
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
          // No code of MQTT 3.1.1 says it; this one every library knows, and tries no other password for.
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
      // Kept messages would outlive the device that sent them.
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
        // The database is away: nobody knows whose topic it is.
        .catch(() => true)
        .then((answered) => {
          if (!answered) return done(foreign)
          packet.topic = nowhere
          done(null)
        })
    },
    // A gateway goes on listening where its child was before it moved to another.
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
    // To it alone, and whether it subscribed or not.
    const packet = { cmd: 'publish', qos: 0, dup: false, retain: false, ...answer } as const
    client.publish(packet, () => {})
    setTimeout(() => client.close(), registrationSeconds * 1000).unref()
  })
  // What the platform itself says goes by the same door.
  aedes.on('publish', (_packet, client) => {
    if (client && !platform.has(client)) traffic.message(wayOf(client))
  })
  aedes.on('clientError', (client, error) => {
    traffic.failed(wayOf(client))
    const reach = reaching.get(client)
    if (reach && error.message === unreadTooLong) say(reach, '连接收取过慢，已断开')
  })
  aedes.on('connectionError', (client) => traffic.failed(wayOf(client)))
  // A will at QoS 1 is on its way still, and what overtakes it would be all that the platform is handed.
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
    /** How the platform connects to it. */
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
/** Once an hour: firmware repeats itself. */
function say(device: Identity, what: string) {
  const line = `设备 ${keyOf(device)} 的${what}`
  if (said.has(line)) return
  said.set(line, true)
  console.warn(line)
}

/** Alibaba's longest; a device without keep-alive would stay online for ever after its cable is pulled. */
const keepaliveMost = 1200
/** How long a connection may live that only registers. */
const registrationSeconds = 30
/** An IPv4 address as people write it, also where the socket takes both kinds. */
const addressOf = ({ conn }: Client) =>
  conn instanceof GuardedSocket ? plainAddress(conn.remoteAddress) : ''

const platformUser = '$platform'
/** Where nobody listens: the sender has its acknowledgement, the message its end. */
const nowhere = 'nowhere'
const equal = (given: Readonly<Buffer> | undefined, expected: string) => {
  const wanted = Buffer.from(expected)
  return given !== undefined && given.length === wanted.length && timingSafeEqual(given, wanted)
}
