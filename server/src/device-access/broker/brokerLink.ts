import mqtt from 'mqtt'
import { externalConnectOptions } from './connectOptions'
import { presenceTopics } from './presenceTopics'
import type { Siblings } from '../siblings'
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

export type LinkOptions = {
  url: string
  username?: string
  password?: string
  external: boolean
  /** Called for each message that the platform publishes to a device. */
  onPublished?: (topic: string, payload: string) => void
}

/** Connects the platform to its broker as an ordinary MQTT client. */
export async function openBrokerLink(
  { url, username, password, external, onPublished }: LinkOptions,
  siblings: Siblings,
  receive: (topic: string, payload: Buffer) => void,
) {
  const client = mqtt.connect(url, {
    username,
    password,
    clientId: `platform-${process.pid}-${Date.now()}`,
    clean: true,
    reconnectPeriod: 1000,
    ...(external && externalConnectOptions),
    queueQoSZero: false,
    resubscribe: false,
    will: siblings.will,
  })
  let lastErrorMessage = ''
  client.on('message', receive)
  client.on('connect', () => {
    // Each message of a burst to thousands of devices adds a `drain` listener to this socket, so Node's limit is
    // lifted.
    client.stream.setMaxListeners(0)
    lastErrorMessage = ''
  })
  client.on('error', (error) => {
    const { message } = error
    // The client reconnects every second; the same reason is logged once.
    if (message !== lastErrorMessage)
      log.error({ module: 'broker', err: error }, `消息服务连接出错，正在重试：${message}`)
    lastErrorMessage = message
  })
  client.on('close', siblings.parted)
  async function joinCluster() {
    // A member joins the cluster only after all subscriptions stand, so that it misses no message.
    await client.subscribeAsync([...siblings.topics, ...requestTopics, ...replyTopics], { qos: 1 })
    siblings.joined((topic, payload, options) => client.publishAsync(topic, payload, options))
  }
  await new Promise<void>((resolve, reject) => {
    client.on('connect', () => void joinCluster().then(resolve, reject))
    // Startup fails without the embedded broker; an external one may become reachable later.
    if (external) setTimeout(resolve, 5000).unref()
  })

  return {
    get connected() {
      return client.connected
    },
    /**
     * Publishes at QoS 0, so that a broker never stores a command and delivers it when it is outdated. `onSent` is called
     * when the message has left this process.
     */
    publish(topic: string, payload: string, onSent?: (error?: Error) => void) {
      client.publish(topic, payload, { qos: 0 }, (error) => onSent?.(error ?? undefined))
      onPublished?.(topic, payload)
    },
    async close() {
      await siblings.leave()
      await client.endAsync(true)
    },
  }
}
export type BrokerLink = Awaited<ReturnType<typeof openBrokerLink>>
