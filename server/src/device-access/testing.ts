import { ThingModel } from '@iot/shared/contract/thingModel'
import { uuidv7 } from 'uuidv7'
import { device, deviceCredential, product } from '../tables/device'
import type { Db } from '../core/db/db'
import { openDatabase } from '../core/db/open'
import { template } from '../testing.template'
import mqtt from 'mqtt'
import { keyOf, type Identity, type Reply } from './alink'
import { startDeviceAccess, type DeviceAccessOptions } from './deviceAccess'
import { connectOptions, signatureOf } from './signature'
import { topicOf } from './topics'

export const lampModel = ThingModel.parse({
  properties: [
    {
      identifier: 'PowerSwitch',
      name: '电源开关',
      accessMode: 'rw',
      dataType: { type: 'bool', specs: { 0: '关闭', 1: '开启' } },
    },
    {
      identifier: 'Brightness',
      name: '亮度',
      accessMode: 'rw',
      dataType: { type: 'int', specs: { min: 0, max: 100 } },
    },
  ],
  events: [{ identifier: 'Error', name: '故障', type: 'error' }],
  services: [{ identifier: 'Identify', name: '闪灯定位' }],
})

export const productRow = (
  productKey: string,
  node: 'direct' | 'gateway' | 'sub',
  more: Partial<typeof product.$inferInsert> = {},
) => ({
  id: uuidv7(),
  createBy: 'test',
  updateBy: 'test',
  productKey,
  name: productKey,
  productType: node === 'gateway' ? 'EDGE_HOST' : 'SAFEWAY_LIGHT',
  node,
  model: node === 'gateway' ? ThingModel.parse({}) : lampModel,
  dynamicRegister: false,
  authType: 'productSecret' as 'deviceSecret' | 'productSecret',
  ...more,
})
export type ProductRow = ReturnType<typeof productRow>

/** Builds a device with its secret as rows to insert. */
export const deviceRow = (
  of: ProductRow,
  deviceName: string,
  more: Partial<typeof device.$inferInsert> = {},
) => ({
  id: uuidv7(),
  projectId: 1,
  productId: of.id,
  name: deviceName,
  deviceName,
  protected: false,
  state: 'inactive' as const,
  reported: {},
  address: '',
  createTime: new Date().toISOString(),
  ...more,
  productKey: of.productKey,
  deviceSecret: `secret-of-${deviceName}`,
})
export type DeviceRow = ReturnType<typeof deviceRow>

export async function insertDevices(db: Db, products: ProductRow[], rows: DeviceRow[]) {
  if (products.length > 0) await db.insert(product).values(products)
  await db.insert(device).values(rows)
  await db.insert(deviceCredential).values(
    rows.map(({ productKey, deviceName, deviceSecret, projectId, id }) => ({
      productKey,
      deviceName,
      deviceSecret,
      projectId,
      deviceId: id,
    })),
  )
}

/**
 * Polls until `holds` is true.
 * @throws Error with the last value when the time is over
 */
export async function until<T>(
  read: () => Promise<T> | T,
  holds: (value: T) => boolean,
  patience = 90_000,
): Promise<T> {
  for (
    const end = Date.now() + patience;
    ;
    await new Promise((resolve) => setTimeout(resolve, 20))
  ) {
    const value = await read()
    if (holds(value)) return value
    if (Date.now() > end) throw new Error(`Still ${JSON.stringify(value)}`)
  }
}

/** Starts device access alone, with an in-memory database and a broker on a free port. */
export async function testDevices(options: DeviceAccessOptions = {}) {
  const database = await openDatabase({ kind: 'memory', template: await template() })
  const errors: Error[] = []
  const devices = await startDeviceAccess(
    database.db,
    // Tests reconnect the same devices many times, so the throttle is lifted.
    { mqttPort: 0, mqttConnectionsPerMinute: 1000, ...options },
    (_source, error) => errors.push(error),
  )
  return {
    db: database.db,
    devices,
    errors,
    url: `mqtt://127.0.0.1:${devices.mqttPort}`,
    async close() {
      await devices.close()
      await database.close()
    },
  }
}

/** Builds the signature with which a sub-device logs in or joins a topology. */
export function signedChild({ productKey, deviceName, deviceSecret }: DeviceRow) {
  const signed = {
    productKey,
    deviceName,
    clientId: keyOf({ productKey, deviceName }),
    timestamp: '1700000000000',
    signMethod: 'hmacsha256',
  }
  return { ...signed, sign: signatureOf(signed, deviceSecret)! }
}

/** Generated ids start beyond those that tests give their own messages. */
let asked = 1_000_000

/** Connects a device as a bare MQTT client that sends and receives exactly what a test asks for. */
export async function alinkDevice(
  url: string,
  row: DeviceRow,
  options: object = {},
  /** Further options for the client id, after the security mode. */
  more = '',
) {
  const signed = connectOptions(row)
  const client = mqtt.connect(url, {
    ...signed,
    clientId: signed.clientId.replace(/\|$/, `${more}|`),
    reconnectPeriod: 0,
    ...options,
  })
  const heard: { topic: string; text: string }[] = []
  const waiting = new Set<() => void>()
  client.on('message', (topic, payload) => {
    heard.push({ topic, text: payload.toString() })
    for (const look of waiting) look()
  })
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
  })
  /** Resolves with the next unread message of a topic. */
  const next = <T = Reply>(topic: string, isIt = (_: T) => true) =>
    new Promise<T>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(look)
      }
      const timer = setTimeout(() => {
        end()
        reject(new Error(`Nothing at ${topic}, but at ${JSON.stringify(heard)}`))
      }, 20_000)
      const look = () => {
        const at = heard.findIndex((one) => one.topic === topic && isIt(JSON.parse(one.text) as T))
        if (at < 0) return
        end()
        resolve(JSON.parse(heard.splice(at, 1)[0]!.text) as T)
      }
      waiting.add(look)
      look()
    })
  return {
    client,
    heard,
    next,
    subscribe: (...topics: string[]) => client.subscribeAsync(topics),
    say: (topic: string, message: unknown) =>
      client.publishAsync(topic, typeof message === 'string' ? message : JSON.stringify(message)),
    /** Sends a request and resolves with its reply. */
    async ask(action: string, params: unknown, of: Identity = row) {
      await client.subscribeAsync(topicOf(of, `${action}_reply`))
      const message = { id: String(++asked), version: '1.0', params }
      await client.publishAsync(
        topicOf(of, action),
        JSON.stringify({ ...message, method: action.replaceAll('/', '.') }),
      )
      // The reply to another message may still arrive.
      return next<Reply>(topicOf(of, `${action}_reply`), ({ id }) => id === message.id)
    },
    close: () => client.endAsync(true),
  }
}
export type AlinkDevice = Awaited<ReturnType<typeof alinkDevice>>
