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

/** A device with its secret, as rows to insert. */
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

/** Asks again until it holds; says what it last was when it never does. */
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

/** Device access alone, with a database in memory and a broker on a free port. */
export async function testDevices(options: DeviceAccessOptions = {}) {
  const database = await openDatabase({ kind: 'memory', template: await template() })
  const errors: Error[] = []
  const devices = await startDeviceAccess(
    database.db,
    // Tests connect the same devices again and again.
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

/** What a device signs a request in or a topology with. */
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

/** Beyond the ids that tests give their own messages. */
let asked = 1_000_000

/** A device as a bare MQTT client that says and hears exactly what a test tells it. */
export async function alinkDevice(
  url: string,
  row: DeviceRow,
  options: object = {},
  /** Beside the security mode, in the client id. */
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
  /** The next message of a topic that was not asked for yet. */
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
    /** Asks and brings the answer. */
    async ask(action: string, params: unknown, of: Identity = row) {
      await client.subscribeAsync(topicOf(of, `${action}_reply`))
      const message = { id: String(++asked), version: '1.0', params }
      await client.publishAsync(
        topicOf(of, action),
        JSON.stringify({ ...message, method: action.replaceAll('/', '.') }),
      )
      // Another message's answer may still be on its way.
      return next<Reply>(topicOf(of, `${action}_reply`), ({ id }) => id === message.id)
    },
    close: () => client.endAsync(true),
  }
}
export type AlinkDevice = Awaited<ReturnType<typeof alinkDevice>>
