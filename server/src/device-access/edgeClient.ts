import mqtt from 'mqtt'
import type { Values } from '@iot/shared/contract/device'
import { decode, keyOf, Reply, Request, type Identity } from './alink'
import { connectOptions, signatureOf } from './signature'
import { locate, topicOf } from './topics'

export type Triple = Identity & { deviceSecret: string }
/** Values, bare or with a time of the device. */
type Posted = Record<string, Values[string] | { value: Values[string]; time: number }>
export type Answering = {
  /** Code 200 accepts. */
  reply: (code: number, message?: string) => void
  post: (values: Posted) => void
}
type EdgeOptions = {
  url: string
  gateway: Triple
  children: Triple[]
  /** A property set for the gateway itself or a child. */
  onSet: (key: string, values: Values, answering: Answering) => void
  /** A call of a service without parameters, such as Identify; without it none is heard. */
  onService?: (key: string, identifier: string, reply: Answering['reply']) => void
  /** Whatever else is asked of the gateway itself below `thing/`: a service, a configuration that is pushed. */
  onAsk?: (action: string, params: unknown, reply: Answering['reply']) => void
  onError?: (error: Error) => void
  /** Seconds. */
  keepalive?: number
}

const perLogin = 50

/**
 * A gateway with its children as a program, over a real socket: for the simulated building, tests and measurements.
 * It signs its children in again after every reconnect. The topology is taken as known to the platform.
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
  /** Without an answer: nobody would read it. */
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
    /** Says that something happened to a device. */
    event,
    /** Asks the platform something of the gateway itself. */
    ask: (action: string, params: unknown) => request(gateway, action, params),
    /** Tells what it runs, or how an update goes. */
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
