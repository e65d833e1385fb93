import { randomInt } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { command, keyOf, type Identity, type Reply } from './alink'
import type { Link } from './link'
import { topicOf } from './topics'

export const unanswered = '设备没有应答'

type TopicFor = (id: string) => string
type Waiting = { replied: (reply: Reply) => void; ended?: (why: CutOff) => void }

/**
 * The command will never be answered, because its device was removed while it was in flight; its outcome is unknown.
 */
export class CutOff extends Error {}

/** Publishes property sets and service calls and passes each reply to its caller. */
export function openCommands(link: () => Link | undefined) {
  const waiting = new Map<string, Waiting>()
  const extended = new LRUCache<string, true>({ max: 50_000 })
  // Alink requires a 32-bit number as text. The random start separates late replies to an earlier process.
  let next = randomInt(2 ** 31)

  const newId = () => String((next = (next + 1) % 2 ** 32))
  const publish = (topic: string, text: string, sent: (error?: Error) => void) => {
    const open = link()
    if (open?.connected) open.publish(topic, text, sent)
    else sent(new Error('消息服务未连接'))
  }

  /**
   * Publishes a command. `sent`, and `replied` or `ended`, are called at most once.
   * @returns a function that stops waiting for the reply
   */
  function send(
    device: Identity,
    action: string,
    params: unknown,
    sent: (error?: Error) => void,
    { topicFor = () => topicOf(device, action), ...heard }: Waiting & { topicFor?: TopicFor },
  ) {
    const id = newId()
    const key = `${keyOf(device)}|${id}`
    waiting.set(key, heard)
    publish(topicFor(id), command(id, action.replaceAll('/', '.'), params), sent)
    return () => void waiting.delete(key)
  }
  /**
   * Returns the topic of a synchronous call: a device that connected with `ext=1` listens behind the message id, any
   * other on an RRPC topic.
   */
  const waitedFor = (device: Identity, action: string) => (id: string) =>
    extended.has(keyOf(device))
      ? `/ext/rrpc/${id}${topicOf(device, action)}`
      : topicOf(device, `rrpc/request/${id}`)

  /**
   * Sends a request and resolves with the reply.
   * @throws Error if no reply arrives within `timeout` ms
   */
  const ask = (
    device: Identity,
    action: string,
    params: unknown,
    timeout: number,
    topicFor?: TopicFor,
  ) =>
    new Promise<Reply>((resolve, reject) => {
      const end = (error?: Error, reply?: Reply) => {
        clearTimeout(timer)
        stop()
        if (reply) resolve(reply)
        else reject(error!)
      }
      const timer = setTimeout(() => end(new Error(unanswered)), timeout)
      const stop = send(
        device,
        action,
        params,
        (error) => error && queueMicrotask(() => end(error)),
        { topicFor, ended: end, replied: (reply) => end(undefined, reply) },
      )
    })

  return {
    /** Notes how a connecting device wants synchronous calls; returns true if that has changed. */
    connected(key: string, isExtended: boolean) {
      const isNews = extended.has(key) !== isExtended
      if (isExtended) extended.set(key, true)
      else extended.delete(key)
      return isNews
    },

    set: (
      device: Identity,
      values: Record<string, unknown>,
      sent: (error?: Error) => void,
      replied: (reply: Reply) => void,
      ended?: (why: CutOff) => void,
    ) => send(device, 'thing/service/property/set', values, sent, { replied, ended }),

    /** Requests property values. The reply is handled as a report, so no caller waits for it. */
    get(device: Identity, identifiers: string[]) {
      const action = 'thing/service/property/get'
      const nothing = () => {}
      send(device, action, identifiers, nothing, { replied: nothing })()
    },

    /** Publishes a notification without waiting for a reply. */
    tell: (device: Identity, action: string, params: unknown) =>
      new Promise<void>((resolve) =>
        publish(
          topicOf(device, action),
          command(newId(), action.replaceAll('/', '.'), params),
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
      { timeout = 10_000, callType = 'async' as 'async' | 'sync' } = {},
    ) {
      const action = `thing/service/${service}`
      const topicFor = callType === 'sync' ? waitedFor(device, action) : undefined
      return ask(device, action, params, timeout, topicFor)
    },

    replied(device: Identity, reply: Reply) {
      const key = `${keyOf(device)}|${reply.id}`
      const found = waiting.get(key)
      waiting.delete(key)
      found?.replied(reply)
    },

    /** Ends all pending calls to these devices with a `CutOff` error. */
    end(devices: Identity[], why: string) {
      const gone = new Set(devices.map(keyOf))
      for (const [key, { ended }] of [...waiting]) {
        if (!gone.has(key.slice(0, key.lastIndexOf('|')))) continue
        waiting.delete(key)
        ended?.(new CutOff(why))
      }
    },
  }
}
export type Commands = ReturnType<typeof openCommands>
