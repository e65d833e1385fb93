import mqtt from 'mqtt'
import type { Values } from '@iot/shared/contract/device'
import { decode, keyOf, Reply, Request, type Identity } from './alink'
import { connectOptions, signatureOf } from './signature'
import { locate, topicOf } from './topics'

export type Triple = Identity & { deviceSecret: string }
/** Values may be bare or carry a device time. */
type Posted = Record<string, Values[string] | { value: Values[string]; time: number }>
export type Answering = {
  /** A reply with code 200 accepts the request. */
  reply: (code: number, message?: string) => void
  post: (values: Posted) => void
}
type EdgeOptions = {
  url: string
  gateway: Triple
  children: Triple[]
  /** Called for a property set of the gateway or a sub-device. */
  onSet: (key: string, values: Values, answering: Answering) => void
  /**
   * Called for services without parameters, such as Identify. The client does not subscribe to them if this is missing.
   */
  onService?: (key: string, identifier: string, reply: Answering['reply']) => void
  /** Called for any other request below `thing/` to the gateway, such as a service or a pushed configuration. */
  onAsk?: (action: string, params: unknown, reply: Answering['reply']) => void
  onError?: (error: Error) => void
  /** The keep-alive interval is in seconds. */
  keepalive?: number
}

const perLogin = 50

/**
 * Connects a gateway and its sub-devices over a real socket, for the simulated building, tests and benchmarks. It logs
 * the sub-devices in again after every reconnect. The platform must already know the topology.
 */
export async function connectEdge({
  url,
  gateway,
  children,
  onSet,
  onService,
  onAsk = () => {},
  onError = () => {},
  keepalive = 30,
}: EdgeOptions) {
  const client = mqtt.connect(url, {
    ...connectOptions(gateway),
    keepalive,
    reconnectPeriod: 2000,
    clean: true,
  })
  const replies = new Map<string, (reply: Reply) => void>()
  const byKey = new Map([gateway, ...children].map((one) => [keyOf(one), one]))
  let id = 0

  const request = (identity: Identity, action: string, params: unknown) =>
    new Promise<Reply>((resolve) => {
      const message = String(++id)
      replies.set(message, resolve)
      client.publish(
        topicOf(identity, action),
        JSON.stringify({
          id: message,
          version: '1.0',
          params,
          method: action.replaceAll('/', '.'),
        }),
      )
    })
  /** The post asks for no reply, because the client would not read it. */
  const post = (identity: Identity, values: Posted) =>
    void client.publish(
      topicOf(identity, 'thing/event/property/post'),
      JSON.stringify({
        id: String(++id),
        version: '1.0',
        sys: { ack: 0 },
        params: values,
        method: 'thing.event.property.post',
      }),
    )

  const event = (identity: Identity, identifier: string, params: Record<string, unknown>) =>
    void client.publish(
      topicOf(identity, `thing/event/${identifier}/post`),
      JSON.stringify({
        id: String(++id),
        version: '1.0',
        sys: { ack: 0 },
        params,
        method: `thing.event.${identifier}.post`,
      }),
    )

  async function signIn(some: Triple[]) {
    for (let start = 0; start < some.length; start += perLogin) {
      const deviceList = some.slice(start, start + perLogin).map(({ deviceSecret, ...child }) => {
        const signed = {
          productKey: child.productKey,
          deviceName: child.deviceName,
          clientId: keyOf(child),
          timestamp: String(Date.now()),
        }
        return {
          ...signed,
          sign: signatureOf({ ...signed, signMethod: 'hmacsha256' }, deviceSecret)!,
        }
      })
      const reply = await request(gateway, 'combine/batch_login', {
        signMethod: 'hmacsha256',
        deviceList,
      })
      if (reply.code !== 200)
        throw new Error(`${gateway.deviceName}: ${reply.code} ${reply.message}`)
    }
    if (some.length > 0)
      await client.subscribeAsync(
        some.flatMap((child) => [
          topicOf(child, 'thing/service/property/set'),
          ...(onService ? [topicOf(child, 'thing/service/Identify')] : []),
        ]),
      )
  }

  client.on('message', (topic, payload) => {
    const at = locate(topic)
    if (!at) return
    if (at.action.endsWith('_reply')) {
      const reply = decode(Reply, payload)
      if (reply) replies.get(reply.id)?.(reply)
      if (reply) replies.delete(reply.id)
      return
    }
    const message = decode(Request, payload)
    const child = byKey.get(keyOf(at))
    if (!message || !child) return
    const reply: Answering['reply'] = (code, text) =>
      void client.publish(
        topicOf(child, `${at.action}_reply`),
        JSON.stringify({ id: message.id, code, message: text, data: {} }),
      )
    if (at.action === 'thing/service/Identify') return onService?.(keyOf(at), 'Identify', reply)
    if (at.action === 'thing/service/property/set')
      onSet(keyOf(at), message.params as Values, { reply, post: (values) => post(child, values) })
    else if (child === gateway) onAsk(at.action, message.params, reply)
  })

  const online = new Set(children.map(keyOf))
  const opened = new Promise<void>((resolve, reject) => {
    const failed = (error: Error) => {
      onError(error)
      reject(error)
    }
    client.on('error', failed)
    client.on('connect', () => {
      client
        .subscribeAsync([
          topicOf(gateway, 'combine/batch_login_reply'),
          topicOf(gateway, 'combine/batch_logout_reply'),
          topicOf(gateway, 'thing/service/property/set'),
          topicOf(gateway, 'thing/service/Restart'),
          topicOf(gateway, 'thing/config/push'),
          topicOf(gateway, 'thing/config/get_reply'),
          topicOf(gateway, 'thing/deviceinfo/update_reply'),
        ])
        .then(() => signIn(children.filter((child) => online.has(keyOf(child)))))
        .then(resolve, failed)
    })
  })

  await opened.catch(async (error) => {
    await client.endAsync(true)
    throw error
  })

  return {
    post,
    /** Publishes an event of a device. */
    event,
    /** Sends a request of the gateway itself to the platform. */
    ask: (action: string, params: unknown) => request(gateway, action, params),
    /** Reports the running version or the progress of an update. */
    tell: (word: 'inform' | 'progress', params: Record<string, string>) =>
      void client.publish(
        `/ota/device/${word}/${gateway.productKey}/${gateway.deviceName}`,
        JSON.stringify({ id: String(++id), params }),
      ),
    async login(child: Triple) {
      online.add(keyOf(child))
      await signIn([child])
    },
    async logout({ productKey, deviceName }: Triple) {
      online.delete(keyOf({ productKey, deviceName }))
      await request(gateway, 'combine/batch_logout', [{ productKey, deviceName }])
    },
    close: () => client.endAsync(true),
  }
}
export type EdgeClient = Awaited<ReturnType<typeof connectEdge>>
