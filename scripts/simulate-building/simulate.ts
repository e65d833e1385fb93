import type { Values } from '@iot/shared/contract/device'
import { and, asc, eq } from 'drizzle-orm'
import mqtt, { type MqttClient } from 'mqtt'
import { topicOf, type Identity } from 'server/src/device-access/alink'
import { connectOptions, signatureOf } from 'server/src/device-access/signature'
import { device, deviceCredential, product } from 'server/src/modules/device/table'
import type { Db } from 'server/src/plugins/db'
import { behaviours } from './building'
import { projectId } from './seed'

type Signed = Identity & { deviceSecret: string }
type Child = Signed & { productType: string; reported: Values }
export type Edge = Signed & { children: Child[] }

/** The edge hosts of the seeded buildings with what hangs on them, as the platform knows them. */
export async function readEdges(db: Db): Promise<Edge[]> {
  const rows = await db
    .select({
      id: device.id, gatewayId: device.gatewayId, deviceName: device.deviceName, reported: device.reported,
      productKey: product.productKey, productType: product.productType, deviceSecret: deviceCredential.deviceSecret,
    })
    .from(device)
    .innerJoin(product, eq(product.id, device.productId))
    .innerJoin(deviceCredential, and(eq(deviceCredential.projectId, device.projectId), eq(deviceCredential.deviceId, device.id)))
    .where(eq(device.projectId, projectId))
    .orderBy(asc(device.deviceName))
  return rows
    .filter(({ productType }) => productType === 'EDGE_HOST')
    .map((edge) => ({ ...edge, children: rows.filter((row) => row.gatewayId === edge.id && behaviours[row.deviceName]?.kind !== 'absent') }))
}

/** Every edge host on a socket of its own, until `close`. Resolves when all of them have signed in. */
export async function simulateBuilding(url: string, edges: Edge[]) {
  const open = await Promise.all(edges.map((edge) => runEdge(url, edge)))
  return { close: async () => void (await Promise.all(open.map((one) => one.close()))) }
}

const set = 'thing/service/property/set'
const post = 'thing/event/property/post'
const login = 'combine/batch_login'
const perLogin = 50
const sensorsEvery = 20_000

async function runEdge(url: string, edge: Edge) {
  const client = mqtt.connect(url, { ...connectOptions(edge), clean: true, keepalive: 60, reconnectPeriod: 2000 })
  const children = new Map(edge.children.map((child) => [topicOf(child, set), { ...child, values: { ...child.reported } }]))
  const late = new Set<NodeJS.Timeout>()
  let id = 0
  const send = (to: Identity, action: string, params: unknown) =>
    client.publish(topicOf(to, action), JSON.stringify({ id: String(++id), version: '1.0', method: action.replaceAll('/', '.'), params, sys: { ack: 0 } }))

  client.on('message', (topic, payload) => {
    const child = children.get(topic)
    if (!child) return
    const { id, params } = JSON.parse(payload.toString()) as { id: string; params: Values }
    const reply = (code: number, message: string) => client.publish(topicOf(child, `${set}_reply`), JSON.stringify({ id, code, message, data: {} }))
    const obey = () => {
      Object.assign(child.values, params)
      reply(200, 'success')
      send(child, post, params)
    }
    const behaviour = behaviours[child.deviceName]
    if (!behaviour) return obey()
    if (behaviour.kind === 'refuses') reply(9201, '驱动电源故障')
    if (behaviour.kind === 'late') {
      const timer = setTimeout(() => (late.delete(timer), obey()), behaviour.ms)
      late.add(timer)
    }
  })

  const sensing = setInterval(() => {
    const lamps = [...children.values()].filter(({ productType }) => productType === 'SAFEWAY_LIGHT')
    const lit = lamps.filter(({ values }) => values.PowerSwitch === 1).length / Math.max(1, lamps.length)
    for (const child of children.values()) if (sense(child.productType, child.values, lit)) send(child, post, child.values)
  }, sensorsEvery)

  const signedIn = new Promise<void>((done, failed) => {
    client.once('error', failed)
    // On every connection, also after a drop: the platform forgets the children of a gateway that went.
    client.on('connect', () => void signIn(client, edge, [...children.values()]).then(done, failed))
  })
  await signedIn
  for (const child of children.values()) send(child, post, sense(child.productType, child.values, 1) || child.values.PowerSwitch !== undefined ? child.values : {})

  return {
    async close() {
      clearInterval(sensing)
      for (const timer of late) clearTimeout(timer)
      await client.endAsync(true)
    },
  }
}

async function signIn(client: MqttClient, edge: Edge, children: Child[]) {
  const answers = topicOf(edge, `${login}_reply`)
  await client.subscribeAsync(answers)
  for (let start = 0; start < children.length; start += perLogin) {
    const some = children.slice(start, start + perLogin)
    const id = `login-${start}`
    const answered = new Promise<void>((done, failed) => {
      const onMessage = (topic: string, payload: Buffer) => {
        if (topic !== answers) return
        const reply = JSON.parse(payload.toString()) as { id: string; code: number; message: string }
        if (reply.id !== id) return
        client.off('message', onMessage)
        if (reply.code === 200) done()
        else failed(new Error(`${edge.deviceName}: ${reply.message}`))
      }
      client.on('message', onMessage)
    })
    const deviceList = some.map(({ productKey, deviceName, deviceSecret }) => {
      const signed = { productKey, deviceName, clientId: deviceName, timestamp: String(Date.now()), signMethod: 'hmacsha256' }
      return { ...signed, sign: signatureOf(signed, deviceSecret) }
    })
    client.publish(topicOf(edge, login), JSON.stringify({ id, params: { signMethod: 'hmacsha256', deviceList } }))
    await answered
    await client.subscribeAsync(some.map((child) => topicOf(child, set)))
  }
}

/** Moves the values of a sensor a little; false for what senses nothing. */
function sense(productType: string, values: Values, lit: number): boolean {
  const drift = (name: string, start: number, step: number, min: number, max: number) => {
    const moved = Number(values[name] ?? start) + (Math.random() - 0.5) * step
    values[name] = Math.round(Math.min(max, Math.max(min, moved)) * 10) / 10
  }
  switch (productType) {
    case 'CLIMATE_SENSOR':
      drift('CurrentTemperature', 23.5, 0.4, 18, 29)
      drift('CurrentHumidity', 52, 1.5, 30, 75)
      return true
    case 'PRESENCE_SENSOR':
      values.PresenceState = Math.random() < 0.6 ? 1 : 0
      return true
    case 'ELECTRICITY_METER': {
      // 28 lamps of 40 W and what else a floor draws.
      const kilowatts = Math.round((1.12 * lit + 3 + Math.random()) * 100) / 100
      values.ActivePower = kilowatts
      values.TotalActiveEnergy = Math.round((Number(values.TotalActiveEnergy ?? 1200) + (kilowatts * sensorsEvery) / 3_600_000) * 1000) / 1000
      return true
    }
    default:
      return false
  }
}
