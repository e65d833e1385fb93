import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { hourMs } from '@iot/shared/contract/duration'
import { LRUCache } from 'lru-cache'
import mqtt from 'mqtt'
import { uuidv7 } from 'uuidv7'
import { describeReason } from '../../core/logging/safeError'
import { log } from '../../core/logging/log'
import type { ChangedDevice } from '../ingest/writeDeviceRows'
import { externalConnectOptions } from './connectOptions'
import {
  BroadcastMessage,
  broadcastKinds,
  ChangedDevices,
  ReplyMessage,
  RequestMessage,
  type Broadcasts,
  type RequestHandlers,
  type RequestInput,
  type RequestKind,
  type RequestOutput,
} from './processMessageKinds'
import {
  answerRequest,
  callHandler,
  createPendingRequests,
  RequestFailedError,
} from './requestReply'
import { runInBackground } from '../../core/db/outage'

const broadcastTopic = 'platform/message/'
const requestTopic = 'platform/request/'
const replyTopic = 'platform/reply/'
const liveTopic = 'platform/live/'
/**
 * Retained topics of devices that use `ext=1`: one process authenticates the device, and the broker outlives them all.
 */
const rrpcTopic = 'platform/rrpc/'

/** Time in ms in which a stopping process hands its last messages to the broker. */
const farewellMs = 1000
/** The start does not wait longer than this for a broker that is away. */
const startTimeoutMs = 5000
type ProcessMessageEvents = { [K in keyof Broadcasts]: [Broadcasts[K]] } & {
  /** Rows of a watched project that another process has written. */
  states: [ChangedDevice[]]
  /** A device chooses if synchronous calls arrive at /ext/rrpc/…. */
  rrpc: [key: string, isExtended: boolean]
  /** The connection is back; messages of the meantime are lost. */
  resumed: []
}

/**
 * Creates the typed messages between the processes of a platform: broadcasts, requests to the holder of a partition, and
 * rows of devices for the processes that show their project. They use a connection of their own to the external broker
 * and never touch topics of devices. Without an external broker this process is the only one and everything is local.
 * @param url address of the external broker; undefined on the embedded one
 * @example const messages = createProcessMessages(mqttUrl); messages.events.on('forget', dropCached); await messages.open()
 */
export function createProcessMessages(url: string | undefined) {
  const processId = uuidv7()
  const events = new EventEmitter<ProcessMessageEvents>()
  const handlersByTarget = new Map<string, RequestHandlers>()
  const pendingRequests = createPendingRequests()
  /** Subscriptions that are made again after each connect. */
  const topics = new Set([`${broadcastTopic}+`, `${rrpcTopic}+`, replyTopic + processId])
  let client: mqtt.MqttClient | undefined

  /** Messages are not kept for a broker that is away, because they are outdated when it is back. */
  function publish(topic: string, payload: string, options: mqtt.IClientPublishOptions) {
    if (client?.connected) client.publish(topic, payload, options, () => {})
  }

  function receive(topic: string, payload: Buffer) {
    try {
      handleMessage(topic, payload)
    } catch (error) {
      warnAboutMalformed(topic, error)
    }
  }
  function handleMessage(topic: string, payload: Buffer) {
    if (topic.startsWith(rrpcTopic))
      return events.emit('rrpc', topic.slice(rrpcTopic.length), payload.length > 0)
    // Brokers of MQTT 3.1.1 return a process's own messages.
    if (topic === broadcastTopic + processId) return
    if (topic.startsWith(liveTopic) && topic.endsWith(`/${processId}`)) return
    const message: unknown = JSON.parse(payload.toString('utf8'))
    if (topic.startsWith(liveTopic)) events.emit('states', ChangedDevices.parse(message))
    else if (topic.startsWith(broadcastTopic)) {
      const { kind, data } = BroadcastMessage.parse(message)
      events.emit(kind, broadcastKinds[kind].parse(data) as never)
    } else if (topic === replyTopic + processId)
      pendingRequests.handleReply(ReplyMessage.parse(message))
    else if (topic.startsWith(requestTopic))
      runInBackground(
        answer(topic.slice(requestTopic.length), RequestMessage.parse(message)),
        '进程间的请求未答复',
      )
  }
  async function answer(target: string, { id, kind, data, replyTo }: RequestMessage) {
    const handlers = handlersByTarget.get(target)
    // The target has moved to another process while the request was on its way.
    if (!handlers) return
    const reply = await answerRequest(handlers, id, kind, data)
    publish(replyTopic + replyTo, JSON.stringify(reply), { qos: 1 })
  }

  async function subscribeAll(isFirst: boolean) {
    client!.stream.setMaxListeners(0)
    const isSubscribed = await client!.subscribeAsync([...topics], { qos: 1 }).then(
      () => true,
      () => false, // The connection is lost again.
    )
    if (isSubscribed && !isFirst) events.emit('resumed')
  }
  /** While the broker is away, the subscription is only noted. */
  async function subscribe(topic: string) {
    topics.add(topic)
    if (client?.connected) await client.subscribeAsync(topic, { qos: 1 }).catch(() => {})
  }
  async function unsubscribe(topic: string) {
    topics.delete(topic)
    if (client?.connected) await client.unsubscribeAsync(topic).catch(() => {})
  }

  return {
    events,
    /** Connects after the listeners are attached, because retained messages arrive at once. */
    async open() {
      if (url === undefined) return
      client = connect(url, processId, receive)
      let isFirst = true
      const firstConnection = new Promise<void>((resolve) =>
        client!.on('connect', () => {
          runInBackground(subscribeAll(isFirst).then(resolve), '进程间的消息未订阅')
          isFirst = false
        }),
      )
      await Promise.race([firstConnection, wait(startTimeoutMs, undefined, { ref: false })])
    },
    /** True if messages reach the other processes, or if there are none. */
    isConnected: () => !client || client.connected,
    /** Sends a message to all other processes. */
    broadcast<K extends keyof Broadcasts>(kind: K, data: Broadcasts[K]) {
      if (client) publish(broadcastTopic + processId, JSON.stringify({ kind, data }), { qos: 1 })
    },
    /** Publishes a retained message, so that later processes receive it too. */
    publishRrpc(key: string, isExtended: boolean) {
      publish(rrpcTopic + key, isExtended ? 'ext' : '', { qos: 1, retain: true })
    },
    /** Answers requests to a target, which is the name of a partition, until `stopServing` is called. */
    async serve(target: string, handlers: RequestHandlers) {
      handlersByTarget.set(target, handlers)
      await subscribe(requestTopic + target)
    },
    async stopServing(target: string) {
      handlersByTarget.delete(target)
      await unsubscribe(requestTopic + target)
    },
    /**
     * Sends a request to the process that serves the target and waits for the answer.
     * @throws Refusal if that process refuses
     * @throws RequestFailedError if there is no answer in time or the work failed
     */
    async request<K extends RequestKind>(
      target: string,
      kind: K,
      data: RequestInput<K>,
      timeoutMs: number,
    ): Promise<RequestOutput<K>> {
      const ownHandlers = handlersByTarget.get(target)
      if (ownHandlers) return callHandler(ownHandlers, kind, data)
      if (!client?.connected) throw new RequestFailedError('消息服务没有连接')
      return pendingRequests.start(target, kind, timeoutMs, (id) =>
        publish(requestTopic + target, JSON.stringify({ id, replyTo: processId, kind, data }), {
          qos: 1,
        }),
      )
    },
    /** Sends rows of a project to the processes that watch it; the broker drops them where there are none. */
    publishStates(projectId: number, rows: ChangedDevice[]) {
      if (client) publish(`${liveTopic}${projectId}/${processId}`, JSON.stringify(rows), { qos: 0 })
    },
    /** Resolves once later rows of the project will arrive as `states`. */
    watchProject: (projectId: number) => subscribe(`${liveTopic}${projectId}/+`),
    unwatchProject: (projectId: number) => unsubscribe(`${liveTopic}${projectId}/+`),
    async close() {
      pendingRequests.rejectAll('进程正在停止')
      if (!client) return
      const ending = client.endAsync(!client.connected)
      await Promise.race([ending, wait(farewellMs, undefined, { ref: false })])
      client.stream.destroy()
    },
  }
}
export type ProcessMessages = ReturnType<typeof createProcessMessages>

function connect(
  url: string,
  processId: string,
  receive: (topic: string, payload: Buffer) => void,
) {
  const client = mqtt.connect(url, {
    clientId: `platform-messages-${processId}`,
    clean: true,
    ...externalConnectOptions,
    resubscribe: false,
  })
  client.on('message', receive)
  // The connection for devices, to the same broker, logs the reason.
  client.on('error', () => {})
  return client
}

/** The same malformed message would fill the log, so each kind of topic is named once an hour. */
const recentWarnings = new LRUCache<string, true>({ max: 100, ttl: hourMs })
function warnAboutMalformed(topic: string, error: unknown) {
  const topicKind = topic.split('/', 2).join('/')
  if (recentWarnings.has(topicKind)) return
  recentWarnings.set(topicKind, true)
  log.warn({ module: 'broker', topic }, `看不懂的进程间消息 ${topic}：${describeReason(error)}`)
}
