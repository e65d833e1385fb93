import { Aedes, type Client } from 'aedes'
import { toLocalAddress, toUrlHost } from '../../core/bindAddress'
import { deviceKey, type Identity } from '../protocol/alink'
import { readClaimedIdentity } from '../protocol/signature'
import type { BrokerAuthority } from './brokerAuthority'
import { createClientAuthenticator, type ClientAuthenticator } from './clientAuthenticator'
import { maxRegistrationSeconds } from './connectClaims'
import {
  defaultConnectionLimits,
  GuardedSocket,
  slowReaderMessage,
  type ConnectionLimits,
} from './guardedSocket'
import { openListeners, type Certificate, type Ports } from './listeners'
import { preventEmitterRecursion } from './preventEmitterRecursion'
import { publishPresenceEvents } from './publishPresenceEvents'
import { createTopicAuthorizer } from './topicAuthorizer'
import { createTrafficCounters, type Traffic } from './trafficCounters'
import { warnOncePerHour } from './warnOncePerHour'
import { runInBackground } from '../../core/db/outage'

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
  const clients = createClientAuthenticator(authority)
  const topics = createTopicAuthorizer(authority, clients)
  const aedes = await Aedes.createBroker({
    connectTimeout,
    // `GuardedSocket` disconnects clients that do not read.
    drainTimeout: 0,
    maxClientsIdLength: 256,
    preConnect: clients.preConnect,
    authenticate: clients.authenticate,
    ...topics,
  })
  preventEmitterRecursion(
    (aedes as unknown as { mq: Parameters<typeof preventEmitterRecursion>[0] }).mq,
  )
  publishPresenceEvents(aedes, clients.findTopicScope)
  sendRegistrationReplies(aedes, clients)
  countTraffic(aedes, traffic, clients)

  const listeners = await openListeners(
    {
      ports,
      host,
      secure,
      limits: { ...defaultConnectionLimits, ...limits },
      handshakeTimeout: connectTimeout,
      traffic,
      onRefused: ({ username, address, clientId = '', reason }) =>
        runInBackground(
          authority.recordRefusal({
            ...readClaimedIdentity(username),
            clientId,
            address,
            reason,
          }),
          '接入拒绝暂未记录',
        ),
    },
    (socket) => aedes.handle(socket),
  )

  const findClient = (identity: Identity) =>
    Object.values((aedes as unknown as { clients: Record<string, Client> }).clients).find(
      ({ id }) => id === deviceKey(identity),
    )

  return {
    ports: listeners.ports,
    addresses: listeners.addresses,
    figures: traffic.getFigures,
    /** The platform connects to the broker at this address. */
    url: `mqtt://${toUrlHost(toLocalAddress(host))}:${listeners.ports.tcp}`,
    login: clients.platformLogin,
    disconnect: (identity: Identity) => findClient(identity)?.close(),
    /** Returns how a device is connected, or undefined if it is not. */
    describeConnection(identity: Identity) {
      const client = findClient(identity)
      return (
        client && {
          transport: getTransport(client),
          protocolVersion: client.version,
          cleanSession: client.clean,
        }
      )
    },
    async close() {
      const listenersClosed = listeners.close()
      await new Promise<void>((resolve) => aedes.close(resolve))
      await listenersClosed
    },
  }
}

function sendRegistrationReplies(aedes: Aedes, clients: ClientAuthenticator) {
  aedes.on('clientReady', (client) => {
    const registrationReply = clients.findRegistrationReply(client)
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
}

const getTransport = ({ conn }: Client) => (conn instanceof GuardedSocket ? conn.transport : 'tcp')

function countTraffic(aedes: Aedes, traffic: Traffic, clients: ClientAuthenticator) {
  // Messages of the platform itself also pass here and are not counted as device traffic.
  aedes.on('publish', (_packet, client) => {
    if (client && !clients.isPlatform(client)) traffic.countMessage(getTransport(client))
  })
  aedes.on('clientError', (client, error) => {
    traffic.countError(getTransport(client))
    const topicScope = clients.findTopicScope(client)
    if (topicScope && error.message === slowReaderMessage)
      warnOncePerHour(topicScope, '连接收取过慢，已断开')
  })
  aedes.on('connectionError', (client) => traffic.countError(getTransport(client)))
}
