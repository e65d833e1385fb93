import { randomInt } from 'node:crypto'
import type { Values } from '@iot/shared/contract/device'
import { command, keyOf, type Identity, type Reply } from './alink'
import type { Link } from './link'
import { topicOf } from './topics'

type Waiting = { replied: (reply: Reply) => void }

/** Sends property sets and service calls, and brings each answer to the one who waits for it. */
export function openCommands(link: () => Link | undefined) {
  const waiting = new Map<string, Waiting>()
  // Alink asks for a number of 32 bits, as text. A random start keeps late answers to an earlier process apart.
  let next = randomInt(2 ** 31)

  /** `sent` and `replied` are called at most once; call the returned function when nobody waits any more. */
  function send(
    device: Identity,
    action: string,
    params: unknown,
    sent: (error?: Error) => void,
    replied: (reply: Reply) => void,
  ) {
    const id = String((next = (next + 1) % 2 ** 32))
    const key = `${keyOf(device)}|${id}`
    waiting.set(key, { replied })
    const open = link()
    const method = action.replaceAll('/', '.')
    if (open?.connected) open.publish(topicOf(device, action), command(id, method, params), sent)
    else sent(new Error('消息服务未连接'))
    return () => void waiting.delete(key)
  }

  return {
    set: (
      device: Identity,
      values: Values,
      sent: (error?: Error) => void,
      replied: (reply: Reply) => void,
    ) => send(device, 'thing/service/property/set', values, sent, replied),

    /** Asks for values; what it answers is a report, for which nobody waits. */
    get(device: Identity, identifiers: string[]) {
      const action = 'thing/service/property/get'
      send(
        device,
        action,
        identifiers,
        () => {},
        () => {},
      )()
    },

    /** Asynchronous service call; answers the reply or throws after `timeout`. */
    call: (device: Identity, service: string, params: Record<string, unknown>, timeout = 10_000) =>
      new Promise<Reply>((resolve, reject) => {
        const end = (error?: Error, reply?: Reply) => {
          clearTimeout(timer)
          stop()
          if (reply) resolve(reply)
          else reject(error!)
        }
        const timer = setTimeout(() => end(new Error('设备没有应答')), timeout)
        const stop = send(
          device,
          `thing/service/${service}`,
          params,
          (error) => error && queueMicrotask(() => end(error)),
          (reply) => end(undefined, reply),
        )
      }),

    replied(device: Identity, reply: Reply) {
      const key = `${keyOf(device)}|${reply.id}`
      const found = waiting.get(key)
      waiting.delete(key)
      found?.replied(reply)
    },
  }
}
export type Commands = ReturnType<typeof openCommands>
