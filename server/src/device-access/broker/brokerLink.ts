import { setTimeout as wait } from 'node:timers/promises'
import { getBackoffMs } from '@iot/shared/contract/backoff'
import mqtt, { type MqttClient } from 'mqtt'
import { externalConnectOptions } from './connectOptions'
import { presenceTopics } from './presenceTopics'
import { describeReason } from '../../core/logging/safeError'
import { log } from '../../core/logging/log'

/**
 * Topics on which devices send requests. They are listed one by one, because a wildcard would also return the
 * platform's own messages.
 */
const requestTopics = [
  '/sys/+/+/thing/event/+/post',
  '/sys/+/+/thing/event/property/+/post',
  '/sys/+/+/thing/topo/add',
  '/sys/+/+/thing/topo/delete',
  '/sys/+/+/thing/topo/get',
  '/sys/+/+/thing/sub/register',
  '/sys/+/+/thing/list/found',
  '/sys/+/+/thing/deviceinfo/update',
  '/sys/+/+/thing/deviceinfo/delete',
  '/sys/+/+/thing/property/desired/get',
  '/sys/+/+/thing/property/desired/delete',
  '/sys/+/+/thing/config/get',
  '/sys/+/+/thing/dsltemplate/get',
  '/sys/+/+/thing/dynamicTsl/get',
  '/sys/+/+/thing/ota/firmware/get',
  '/ext/session/+/+/combine/login',
  '/ext/session/+/+/combine/logout',
  '/ext/session/+/+/combine/batch_login',
  '/ext/session/+/+/combine/batch_logout',
  '/ext/ntp/+/+/request',
  '/ota/device/inform/+/+',
  '/ota/device/progress/+/+',
  '/shadow/update/+/+',
  '/+/+/user/#',
]
/** Topics of replies to the platform and of presence events. */
const replyTopics = [
  '/sys/+/+/thing/service/property/set_reply',
  '/sys/+/+/thing/service/property/get_reply',
  '/sys/+/+/thing/service/+',
  '/sys/+/+/thing/config/push_reply',
  '/sys/+/+/rrpc/response/+',
  '/ext/rrpc/+/sys/+/+/thing/service/+',
  ...presenceTopics,
]

const handledTopicPatterns = [...requestTopics, ...replyTopics].map(
  (filter) =>
    new RegExp(`^${filter.replaceAll('$', '\\$').replaceAll('+', '[^/]+').replace('#', '.+')}$`),
)
/** Returns true if the platform handles the topic; replies are always accepted. */
export const isHandledTopic = (topic: string) =>
  topic.endsWith('_reply') || handledTopicPatterns.some((filter) => filter.test(topic))

/** Filters that replies and requests of one product arrive on; without a product those of all. */
export const buildDeviceFilters = (productKey?: string) =>
  [...requestTopics, ...replyTopics].map((filter) =>
    productKey === undefined || filter.startsWith('$SYS/')
      ? filter
      : filter.replace('+/+', `${productKey}/+`),
  )

export type LinkOptions = {
  url: string
  username?: string
  password?: string
  /** The broker keeps the session of this id, with its QoS 1 messages, until the next holder connects with it. */
  clientId: string
  /** False on the embedded broker, which ends with this process. */
  external: boolean
  /** Returns the filters to subscribe to, and those that an earlier session may have left. */
  listFilters: () => Promise<{ wantedFilters: string[]; outdatedFilters: string[] }>
  /** Returns false if another process may have taken over, so that this one must not connect again. */
  isHolder: () => boolean
  /**
   * Resolves once the message is stored; it is acknowledged then. A redelivered one may have been stored by a holder
   * that ended before its acknowledgement arrived.
   */
  receive: (topic: string, payload: Buffer, isRedelivered: boolean) => Promise<void>
  /** Stores the messages up to now without waiting for the next batch. */
  flush: () => void
  /** The broker had no session of this id, so messages of an unknown time are missing. */
  onSessionLost: () => void
  /** Called for each message that the platform publishes to a device. */
  onPublished?: (topic: string, payload: string) => void
}

/**
 * A broker sends no more messages while its window is full, 20 of them by Mosquitto's default. A pause with at least
 * this many unacknowledged messages therefore ends the batch.
 */
const minWindow = 16
const windowPauseMs = 5

/** A PUBACK of MQTT 3.1.1 (section 3.4) has four bytes: its type, the remaining length and the message id. */
const encodeAcknowledgement = (messageId: number) =>
  Buffer.from([0x40, 2, messageId >> 8, messageId & 0xff])

/**
 * Acknowledges messages in their order once they are stored. The library acknowledges a QoS 1 message before the next
 * one is read, which would lose the messages of the current batch at a crash, or limit the rate to one message per
 * batch. It therefore receives them as QoS 0.
 */
function acknowledgeWhenStored(
  client: MqttClient,
  { receive, flush, isHolder }: Pick<LinkOptions, 'receive' | 'flush' | 'isHolder'>,
) {
  let lastAcknowledgement: Promise<void> = Promise.resolve()
  let unacknowledgedCount = 0
  const windowTimer = setTimeout(() => {
    if (unacknowledgedCount >= minWindow) flush()
  }, windowPauseMs).unref()
  client.on('packetreceive', (packet) => {
    if (packet.cmd === 'publish' && packet.qos === 1) packet.qos = 0
  })
  client.on('message', (topic, payload, { messageId, dup: isRedelivered }) => {
    const storage = receive(topic, payload, isRedelivered)
    if (messageId === undefined) return
    const { stream } = client
    if (++unacknowledgedCount >= minWindow) windowTimer.refresh()
    lastAcknowledgement = lastAcknowledgement
      .then(() => storage)
      .then(() => {
        // The broker delivers the message again after a reconnect and expects an acknowledgement of that delivery.
        if (client.stream !== stream || stream.destroyed || !isHolder()) return
        unacknowledgedCount--
        stream.write(encodeAcknowledgement(messageId))
      })
  })
  // A message of a former connection must not delay the acknowledgements of this one.
  client.on('close', () => {
    lastAcknowledgement = Promise.resolve()
    unacknowledgedCount = 0
  })
}

/** Brokers limit the size of a packet, and a partition of many products has thousands of filters. */
const maxFiltersPerPacket = 200
const splitFilters = (filters: string[]) =>
  Array.from({ length: Math.ceil(filters.length / maxFiltersPerPacket) }, (_, n) =>
    filters.slice(n * maxFiltersPerPacket, (n + 1) * maxFiltersPerPacket),
  )

/** Subscriptions that fail are repeated with these pauses. */
const subscribeBackoff = { firstMs: 250, maxMs: 5000 }
/** The caller does not wait longer than this for a broker that is away or refuses the subscriptions. */
const openTimeoutMs = 5000

/** The client reconnects and subscribes again and again; the same reason is logged once. */
function createErrorLog() {
  let lastMessage = ''
  return {
    write(title: string, error: unknown) {
      const message = `${title}：${describeReason(error)}`
      if (message !== lastMessage) log.error({ module: 'broker', err: error }, message)
      lastMessage = message
    },
    reset: () => void (lastMessage = ''),
  }
}

/** Connects an ingest partition to the broker as an ordinary MQTT client. */
export async function openBrokerLink(options: LinkOptions) {
  const { url, username, password, clientId, external: isExternal, isHolder, receive } = options
  const client = mqtt.connect(url, {
    username,
    password,
    clientId,
    clean: !isExternal,
    reconnectPeriod: 1000,
    ...(isExternal && externalConnectOptions),
    queueQoSZero: false,
    resubscribe: false,
  })
  const errorLog = createErrorLog()
  let isReceiving = false
  if (isExternal) acknowledgeWhenStored(client, options)
  else client.on('message', (topic, payload) => void receive(topic, payload, false))
  client.on('error', (error) => errorLog.write('消息服务连接出错，正在重试', error))
  client.on('close', () => {
    isReceiving = false
    if (!isHolder()) client.end(true)
  })

  async function subscribe(wantedFilters: string[]) {
    for (const filters of splitFilters(wantedFilters))
      await client.subscribeAsync(filters, { qos: 1 })
  }
  async function subscribeAll(hasSession: boolean) {
    const { wantedFilters, outdatedFilters } = await options.listFilters()
    await subscribe(wantedFilters)
    if (hasSession)
      for (const filters of splitFilters(outdatedFilters)) await client.unsubscribeAsync(filters)
  }
  /** Repeats the subscriptions until the broker accepts them or the connection ends. */
  async function subscribeWithRetry(hasSession: boolean) {
    const { stream } = client
    const isSameConnection = () => client.connected && client.stream === stream
    for (let attempt = 0; isSameConnection(); attempt++) {
      try {
        await subscribeAll(hasSession)
        isReceiving = isSameConnection()
        errorLog.reset()
        if (isExternal && !hasSession) options.onSessionLost()
        return
      } catch (error) {
        if (!isSameConnection()) return
        errorLog.write('设备消息未能订阅，正在重试', error)
        await wait(getBackoffMs(attempt, subscribeBackoff), undefined, { ref: false })
      }
    }
  }
  await new Promise<void>((resolve) => {
    client.on('connect', ({ sessionPresent: hasSession }) => {
      // Each message of a burst to thousands of devices adds a `drain` listener to this socket, so Node's limit is
      // lifted.
      client.stream.setMaxListeners(0)
      void subscribeWithRetry(hasSession).then(() => isReceiving && resolve())
    })
    void wait(openTimeoutMs, undefined, { ref: false }).then(() => resolve())
  })

  return {
    get connected() {
      return client.connected
    },
    /** True while messages of the partition arrive: connected, and all subscriptions accepted. */
    get isReceiving() {
      return isReceiving
    },
    /**
     * Publishes at QoS 0, so that a broker never stores a command and delivers it when it is outdated. `onSent` is called
     * when the message has left this process.
     */
    publish(topic: string, payload: string, onSent?: (error?: Error) => void) {
      client.publish(topic, payload, { qos: 0 }, (error) => onSent?.(error ?? undefined))
      options.onPublished?.(topic, payload)
    },
    /** Adds filters; where that fails, all are subscribed to again. */
    async addFilters(wantedFilters: string[]) {
      await subscribe(wantedFilters).catch(() => {
        isReceiving = false
        return subscribeWithRetry(true)
      })
    },
    /** The lease is valid again after an outage of the database, during which the client has ended. */
    reconnect() {
      if (client.disconnecting || client.disconnected) client.reconnect()
    },
    async close() {
      await client.endAsync(true)
    },
  }
}
export type BrokerLink = Awaited<ReturnType<typeof openBrokerLink>>

/** Ends a session that the broker keeps for a client that will not return: a clean connection replaces it. */
export async function endBrokerSession(
  { url, username, password }: Pick<LinkOptions, 'url' | 'username' | 'password'>,
  clientId: string,
) {
  const options = { username, password, clientId, clean: true, ...externalConnectOptions }
  const client = await mqtt.connectAsync(url, { ...options, reconnectPeriod: 0 })
  await client.endAsync()
}
