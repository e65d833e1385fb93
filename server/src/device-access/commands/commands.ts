import { randomInt } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { encodeCommand, deviceKey, type Identity, type Reply } from '../protocol/alink'
import type { BrokerLink } from '../broker/brokerLink'
import { buildDeviceTopic } from '../protocol/topics'
import { getCommandTimeouts } from './timeouts'

export const unansweredText = '设备没有应答'

type TopicBuilder = (id: string) => string
type PendingReply = { onReply: (reply: Reply) => void; onEnd?: (why: CallEndedError) => void }

/**
 * The command will never be answered, because its device was removed while it was in flight; its outcome is unknown.
 */
export class CallEndedError extends Error {}

/** Publishes commands and keeps those that wait for a reply. */
function createCommandSender(link: () => BrokerLink | undefined) {
  const pendingReplies = new Map<string, PendingReply>()
  // Alink requires a 32-bit number as text. The random start separates late replies to an earlier process.
  let lastId = randomInt(2 ** 31)

  const createId = () => String((lastId = (lastId + 1) % 2 ** 32))
  const publish = (topic: string, text: string, onSent: (error?: Error) => void) => {
    const currentLink = link()
    if (currentLink?.connected) currentLink.publish(topic, text, onSent)
    else onSent(new Error('消息服务未连接'))
  }

  /**
   * Publishes a command. `onSent`, and `onReplied` or `onEnded`, are called at most once.
   * @returns a function that stops waiting for the reply
   */
  function send(
    device: Identity,
    action: string,
    params: unknown,
    onSent: (error?: Error) => void,
    {
      topicFor = () => buildDeviceTopic(device, action),
      ...pendingReply
    }: PendingReply & { topicFor?: TopicBuilder },
  ) {
    const id = createId()
    const key = `${deviceKey(device)}|${id}`
    pendingReplies.set(key, pendingReply)
    publish(topicFor(id), encodeCommand(id, action.replaceAll('/', '.'), params), onSent)
    return () => void pendingReplies.delete(key)
  }

  return {
    createId,
    publish,
    send,
    handleReply(device: Identity, reply: Reply) {
      const key = `${deviceKey(device)}|${reply.id}`
      const pendingReply = pendingReplies.get(key)
      pendingReplies.delete(key)
      pendingReply?.onReply(reply)
    },

    /** Ends all pending calls to these devices with a `CallEndedError` error. */
    end(devices: Identity[], why: string) {
      const endedKeys = new Set(devices.map(deviceKey))
      for (const [key, { onEnd }] of [...pendingReplies]) {
        if (!endedKeys.has(key.slice(0, key.lastIndexOf('|')))) continue
        pendingReplies.delete(key)
        onEnd?.(new CallEndedError(why))
      }
    },
  }
}

/** Publishes property sets and service calls and passes each reply to its caller. */
export function createCommands(link: () => BrokerLink | undefined) {
  const { createId, publish, send, handleReply, end } = createCommandSender(link)
  const extendedDevices = new LRUCache<string, true>({ max: 50_000 })
  /**
   * Returns the topic of a synchronous call: a device that connected with `ext=1` listens behind the message id, any
   * other on an RRPC topic.
   */
  const buildSyncTopic = (device: Identity, action: string) => (id: string) =>
    extendedDevices.has(deviceKey(device))
      ? `/ext/rrpc/${id}${buildDeviceTopic(device, action)}`
      : buildDeviceTopic(device, `rrpc/request/${id}`)

  /**
   * Sends a request and resolves with the reply.
   * @throws Error if no reply arrives within `timeout` ms
   */
  const ask = (
    device: Identity,
    action: string,
    params: unknown,
    timeout: number,
    topicBuilder?: TopicBuilder,
  ) =>
    new Promise<Reply>((resolve, reject) => {
      const finish = (error?: Error, reply?: Reply) => {
        clearTimeout(timer)
        stopWaiting()
        if (reply) resolve(reply)
        else reject(error!)
      }
      const timer = setTimeout(() => finish(new Error(unansweredText)), timeout)
      const stopWaiting = send(
        device,
        action,
        params,
        (error) => error && queueMicrotask(() => finish(error)),
        { topicFor: topicBuilder, onEnd: finish, onReply: (reply) => finish(undefined, reply) },
      )
    })

  return {
    /** Notes how a connecting device wants synchronous calls; returns true if that has changed. */
    setExtended(key: string, isExtended: boolean) {
      const isChanged = extendedDevices.has(key) !== isExtended
      if (isExtended) extendedDevices.set(key, true)
      else extendedDevices.delete(key)
      return isChanged
    },

    set: (
      device: Identity,
      values: Record<string, unknown>,
      onSent: (error?: Error) => void,
      onReplied: (reply: Reply) => void,
      onEnded?: (why: CallEndedError) => void,
    ) =>
      send(device, 'thing/service/property/set', values, onSent, {
        onReply: onReplied,
        onEnd: onEnded,
      }),

    /** Requests property values. The reply is handled as a report, so no caller waits for it. */
    get(device: Identity, identifiers: string[]) {
      const action = 'thing/service/property/get'
      const doNothing = () => {}
      send(device, action, identifiers, doNothing, { onReply: doNothing })()
    },

    /** Publishes a notification without waiting for a reply. */
    notify: (device: Identity, action: string, params: unknown) =>
      new Promise<void>((resolve) =>
        publish(
          buildDeviceTopic(device, action),
          encodeCommand(createId(), action.replaceAll('/', '.'), params),
          () => resolve(),
        ),
      ),

    ask,

    /**
     * Calls a service and resolves with its reply; `sync` services use RRPC.
     * @throws Error if no reply arrives within `timeout` ms
     */
    call(
      device: Identity,
      service: string,
      params: Record<string, unknown>,
      {
        timeout = getCommandTimeouts().serviceReplyMs,
        callType = 'async' as 'async' | 'sync',
      } = {},
    ) {
      const action = `thing/service/${service}`
      const topicBuilder = callType === 'sync' ? buildSyncTopic(device, action) : undefined
      return ask(device, action, params, timeout, topicBuilder)
    },

    handleReply,
    end,
  }
}
export type Commands = ReturnType<typeof createCommands>
