import mqtt from 'mqtt'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { decode, deviceKey, Reply, Request, type Identity } from './alink'
import { createEdgePublisher, type PostedValues } from './edgePublisher'
import { connectOptions, computeSignature } from './signature'
import { parseDeviceTopic, buildDeviceTopic } from './topics'

export type DeviceTriple = Identity & { deviceSecret: string }
export type CommandResponder = {
  /** A reply with code 200 accepts the request. */
  reply: (code: number, message?: string) => void
  post: (values: PostedValues) => void
}
type EdgeOptions = {
  url: string
  gateway: DeviceTriple
  children: DeviceTriple[]
  /** Called for a property set of the gateway or a sub-device. */
  onSet: (key: string, values: Values, responder: CommandResponder) => void
  /**
   * Called for services without parameters, such as Identify. The client does not subscribe to them if this is missing.
   */
  onService?: (key: string, identifier: string, reply: CommandResponder['reply']) => void
  /** Called for any other request below `thing/` to the gateway, such as a service or a pushed configuration. */
  onAsk?: (action: string, params: unknown, reply: CommandResponder['reply']) => void
  onError?: (error: Error) => void
  /** The keep-alive interval is in seconds. */
  keepalive?: number
  /** A request without a reply is rejected after this many milliseconds. */
  replyTimeoutMs?: number
}

const maxChildrenPerLogin = 50

/** Signs a sub-device for `thing/topo/add` or its login. */
export function signChild({ deviceSecret, ...child }: DeviceTriple) {
  const signedFields = {
    productKey: child.productKey,
    deviceName: child.deviceName,
    clientId: deviceKey(child),
    timestamp: String(Date.now()),
    signMethod: 'hmacsha256',
  }
  return { ...signedFields, sign: computeSignature(signedFields, deviceSecret)! }
}

const buildGatewayTopics = (gateway: Identity) => [
  buildDeviceTopic(gateway, 'combine/batch_login_reply'),
  buildDeviceTopic(gateway, 'combine/batch_logout_reply'),
  buildDeviceTopic(gateway, 'thing/topo/add_reply'),
  buildDeviceTopic(gateway, 'thing/service/property/set'),
  buildDeviceTopic(gateway, 'thing/service/Restart'),
  buildDeviceTopic(gateway, 'thing/config/push'),
  buildDeviceTopic(gateway, 'thing/config/get_reply'),
  buildDeviceTopic(gateway, 'thing/deviceinfo/update_reply'),
]

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
  replyTimeoutMs,
}: EdgeOptions) {
  const client = mqtt.connect(url, {
    ...connectOptions(gateway),
    keepalive,
    reconnectPeriod: 2000,
    clean: true,
  })
  const devicesByKey = new Map([gateway, ...children].map((device) => [deviceKey(device), device]))
  const { request, settleReply, rejectPending, postValues, postEvent, reportFirmware } =
    createEdgePublisher(client, gateway, replyTimeoutMs)

  async function loginChildren(devices: DeviceTriple[]) {
    for (let start = 0; start < devices.length; start += maxChildrenPerLogin) {
      const deviceList = devices.slice(start, start + maxChildrenPerLogin).map(signChild)
      const reply = await request(gateway, 'combine/batch_login', {
        signMethod: 'hmacsha256',
        deviceList,
      })
      if (reply.code !== 200)
        throw new Error(`${gateway.deviceName}: ${reply.code} ${reply.message}`)
    }
    if (devices.length > 0)
      await client.subscribeAsync(
        devices.flatMap((child) => [
          buildDeviceTopic(child, 'thing/service/property/set'),
          ...(onService ? [buildDeviceTopic(child, 'thing/service/Identify')] : []),
        ]),
      )
  }

  client.on('message', (topic, payload) => {
    const deviceTopic = parseDeviceTopic(topic)
    if (!deviceTopic) return
    if (deviceTopic.action.endsWith('_reply')) {
      const reply = decode(Reply, payload)
      if (reply) settleReply(reply)
      return
    }
    const message = decode(Request, payload)
    const child = devicesByKey.get(deviceKey(deviceTopic))
    if (!message || !child) return
    const reply: CommandResponder['reply'] = (code, text) =>
      void client.publish(
        buildDeviceTopic(child, `${deviceTopic.action}_reply`),
        JSON.stringify({ id: message.id, code, message: text, data: {} }),
      )
    if (deviceTopic.action === 'thing/service/Identify')
      return onService?.(deviceKey(deviceTopic), 'Identify', reply)
    if (deviceTopic.action === 'thing/service/property/set')
      onSet(deviceKey(deviceTopic), message.params as Values, {
        reply,
        post: (values) => postValues(child, values),
      })
    else if (child === gateway) onAsk(deviceTopic.action, message.params, reply)
  })

  const onlineKeys = new Set(children.map(deviceKey))
  const firstConnection = new Promise<void>((resolve, reject) => {
    const handleFailure = (error: Error) => {
      onError(error)
      reject(error)
    }
    client.on('error', handleFailure)
    client.on('connect', () => {
      client
        .subscribeAsync(buildGatewayTopics(gateway))
        .then(() => loginChildren(children.filter((child) => onlineKeys.has(deviceKey(child)))))
        .then(resolve, handleFailure)
    })
  })

  await firstConnection.catch(async (error) => {
    await client.endAsync(true)
    throw error
  })

  return {
    post: postValues,
    /** Publishes an event of a device. */
    event: postEvent,
    /**
     * Sends a request of the gateway itself to the platform.
     * @throws Error if the platform does not reply in time
     */
    ask: (action: string, params: unknown) => request(gateway, action, params),
    reportFirmware,
    async login(child: DeviceTriple) {
      onlineKeys.add(deviceKey(child))
      await loginChildren([child])
    },
    async logout({ productKey, deviceName }: DeviceTriple) {
      onlineKeys.delete(deviceKey({ productKey, deviceName }))
      await request(gateway, 'combine/batch_logout', [{ productKey, deviceName }])
    },
    async close() {
      rejectPending(new Error(`${gateway.deviceName}: 连接已关闭`))
      await client.endAsync(true)
    },
  }
}
export type EdgeClient = Awaited<ReturnType<typeof connectEdge>>
