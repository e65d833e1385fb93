import mqtt from 'mqtt'
import { presenceTopics } from './presenceTopics'
import type { Siblings } from './siblings'

/** What devices send. Listed one by one: a wildcard would bring back what the platform itself sends. */
const requests = [
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
/** Answers to what the platform asked, and who comes and goes. */
const answers = [
  '/sys/+/+/thing/service/property/set_reply',
  '/sys/+/+/thing/service/property/get_reply',
  '/sys/+/+/thing/service/+',
  '/sys/+/+/thing/config/push_reply',
  '/sys/+/+/rrpc/response/+',
  '/ext/rrpc/+/sys/+/+/thing/service/+',
  ...presenceTopics,
]

const heard = [...requests, ...answers].map(
  (filter) =>
    new RegExp(`^${filter.replaceAll('$', '\\$').replaceAll('+', '[^/]+').replace('#', '.+')}$`),
)
/** Somebody takes it; answers to what the platform said need nobody. */
export const isHeard = (topic: string) =>
  topic.endsWith('_reply') || heard.some((filter) => filter.test(topic))

export type LinkOptions = {
  url: string
  username?: string
  password?: string
  external: boolean
  /** Hears what is said to devices. */
  onSaid?: (topic: string, payload: string) => void
}

/** The platform as an ordinary MQTT client of whatever broker there is. */
export async function openLink(
  { url, username, password, external, onSaid }: LinkOptions,
  siblings: Siblings,
  receive: (topic: string, payload: Buffer) => void,
) {
  const client = mqtt.connect(url, {
    username,
    password,
    clientId: `platform-${process.pid}-${Date.now()}`,
    clean: true,
    reconnectPeriod: 1000,
    queueQoSZero: false,
    resubscribe: false,
    will: siblings.will,
  })
  let said = ''
  client.on('message', receive)
  client.on('connect', () => {
    // A burst to thousands of devices waits for one socket to drain; each message is a listener.
    client.stream.setMaxListeners(0)
    said = ''
  })
  client.on('error', ({ message }) => {
    // It is tried again every second; the same reason is said once.
    if (message !== said) console.error('消息服务连接出错，正在重试：', message)
    said = message
  })
  client.on('close', siblings.parted)
  async function join() {
    // Whoever counts as there hears everything already.
    await client.subscribeAsync([...siblings.topics, ...requests, ...answers], { qos: 1 })
    siblings.joined((topic, payload, options) => client.publishAsync(topic, payload, options))
  }
  await new Promise<void>((resolve, reject) => {
    client.on('connect', () => void join().then(resolve, reject))
    // The embedded broker is there or nothing is; an external one may come later.
    if (external) setTimeout(resolve, 5000).unref()
  })

  return {
    get connected() {
      return client.connected
    },
    /**
     * At QoS 0: a broker keeps it for nobody, so no command arrives when it is no longer wanted.
     * `sent` is called once it left this process.
     */
    publish(topic: string, payload: string, sent?: (error?: Error) => void) {
      client.publish(topic, payload, { qos: 0 }, (error) => sent?.(error ?? undefined))
      onSaid?.(topic, payload)
    },
    async close() {
      await siblings.leave()
      await client.endAsync(true)
    },
  }
}
export type Link = Awaited<ReturnType<typeof openLink>>
