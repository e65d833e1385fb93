import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { device, deviceCredential, product } from '../tables/device'
import type { Db } from '../core/db/db'
import mqtt from 'mqtt'
import { deviceKey, type Identity, type Reply } from './protocol/alink'
import type { DeviceAccessOptions } from './deviceAccess'
import { connectOptions, computeSignature } from './protocol/signature'
import { buildDeviceTopic } from './protocol/topics'

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
  overrides: Partial<typeof product.$inferInsert> = {},
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
  ...overrides,
})
export type ProductRow = ReturnType<typeof productRow>

/** Marks one property of a stored product as deprecated, or restores the model of the row without an identifier. */
export const deprecateProperty = (db: Db, { id, model }: ProductRow, identifier?: string) =>
  db
    .update(product)
    .set({
      model: {
        ...model,
        properties: model.properties.map((property) =>
          property.identifier === identifier ? { ...property, isDeprecated: true } : property,
        ),
      },
    })
    .where(eq(product.id, id))

/** Builds a device with its secret as rows to insert. */
export const deviceRow = (
  deviceProduct: ProductRow,
  deviceName: string,
  overrides: Partial<typeof device.$inferInsert> = {},
) => ({
  id: uuidv7(),
  projectId: 1,
  productId: deviceProduct.id,
  name: deviceName,
  deviceName,
  protected: false,
  state: 'inactive' as const,
  reported: {},
  address: '',
  createTime: new Date().toISOString(),
  ...overrides,
  productKey: deviceProduct.productKey,
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

/** Starts device access alone, with an in-memory database and a broker on a free port. */
export async function startTestDevices(options: DeviceAccessOptions = {}) {
  // The modules are loaded on demand, because most test files only take rows and clients from this file.
  const [{ openDatabase }, { createTestDatabase }, { startDeviceAccess }] = await Promise.all([
    import('../core/db/openDatabase'),
    import('../testing.database'),
    import('./deviceAccess'),
  ])
  const database = await openDatabase(await createTestDatabase())
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
export function signChild({ productKey, deviceName, deviceSecret }: DeviceRow) {
  const signedFields = {
    productKey,
    deviceName,
    clientId: deviceKey({ productKey, deviceName }),
    timestamp: '1700000000000',
    signMethod: 'hmacsha256',
  }
  return { ...signedFields, sign: computeSignature(signedFields, deviceSecret)! }
}

/** Generated ids start beyond those that tests give their own messages. */
let lastMessageId = 1_000_000

/** Connects a device as a bare MQTT client that sends and receives exactly what a test asks for. */
export async function connectAlinkDevice(
  url: string,
  row: DeviceRow,
  options: object = {},
  /** Further options for the client id, after the security mode. */
  clientIdOptions = '',
) {
  const credentials = connectOptions(row)
  const client = mqtt.connect(url, {
    ...credentials,
    clientId: credentials.clientId.replace(/\|$/, `${clientIdOptions}|`),
    reconnectPeriod: 0,
    ...options,
  })
  const receivedMessages: { topic: string; text: string }[] = []
  const waiters = new Set<() => void>()
  client.on('message', (topic, payload) => {
    receivedMessages.push({ topic, text: payload.toString() })
    for (const checkMessages of waiters) checkMessages()
  })
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
  })
  /** Resolves with the next unread message of a topic. */
  const waitForMessage = <T = Reply>(topic: string, isMatch = (_: T) => true) =>
    new Promise<T>((resolve, reject) => {
      const cleanUp = () => {
        clearTimeout(timer)
        waiters.delete(checkMessages)
      }
      const timer = setTimeout(() => {
        cleanUp()
        reject(new Error(`Nothing at ${topic}, but at ${JSON.stringify(receivedMessages)}`))
      }, 20_000)
      const checkMessages = () => {
        const index = receivedMessages.findIndex(
          (one) => one.topic === topic && isMatch(JSON.parse(one.text) as T),
        )
        if (index < 0) return
        cleanUp()
        resolve(JSON.parse(receivedMessages.splice(index, 1)[0]!.text) as T)
      }
      waiters.add(checkMessages)
      checkMessages()
    })
  return {
    client,
    receivedMessages,
    next: waitForMessage,
    subscribe: (...topics: string[]) => client.subscribeAsync(topics),
    send: (topic: string, message: unknown) =>
      client.publishAsync(topic, typeof message === 'string' ? message : JSON.stringify(message)),
    /** Sends a request and resolves with its reply. */
    async ask(action: string, params: unknown, target: Identity = row) {
      await client.subscribeAsync(buildDeviceTopic(target, `${action}_reply`))
      const message = { id: String(++lastMessageId), version: '1.0', params }
      await client.publishAsync(
        buildDeviceTopic(target, action),
        JSON.stringify({ ...message, method: action.replaceAll('/', '.') }),
      )
      // The reply to another message may still arrive.
      return waitForMessage<Reply>(
        buildDeviceTopic(target, `${action}_reply`),
        ({ id }) => id === message.id,
      )
    },
    close: () => client.endAsync(true),
  }
}
export type AlinkDevice = Awaited<ReturnType<typeof connectAlinkDevice>>
