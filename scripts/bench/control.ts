import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Aedes } from 'aedes'
import mqtt from 'mqtt'
import { buildApp } from 'server/src/app'
import { connectEdge } from 'server/src/device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from 'server/src/device-access/testing'
import { pickSize } from './tools/size'

const lampsPerGateway = 52
const rounds = pickSize(5, 1)

/**
 * Measures a bulk action on lamps behind gateways of 52 lamps that answer at once, from the call to the last ledger
 * entry. The result is a ratio to the bare round trip of the same messages (a set command, its reply and a property
 * post) through the same broker.
 * @example pnpm bench control 312,2500
 */
export default async function control(sizes = pickSize('312,2500', '4')) {
  for (const size of sizes.split(',').map(Number)) {
    const gateways = Array.from({ length: Math.ceil(size / lampsPerGateway) }, (_, n) =>
      Math.min(lampsPerGateway, size - n * lampsPerGateway),
    )
    const [{ answers, tasks }, bareTimes] = [
      await measureTask(gateways),
      await measureBare(gateways),
    ]
    console.log(`\n${size} lamps over ${gateways.length} gateways, ${rounds} rounds`)
    console.log(`answer to the call   ${formatRange(answers)}`)
    console.log(`last ledger row      ${formatRange(tasks)}`)
    console.log(`bare messages        ${formatRange(bareTimes)}`)
    console.log(`ratio                ${(Math.min(...tasks) / Math.min(...bareTimes)).toFixed(1)}`)
  }
}

const formatRange = (times: number[]) =>
  `${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)} ms`

async function measureTask(gateways: number[]) {
  const password = 'bench-2026'
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const app = await buildApp({
    database: { kind: 'embedded', folder },
    adminPassword: password,
    mqttPort: 0,
  })
  const call = async (url: string, payload: object, token = '') => {
    const answer = await app.inject({
      method: 'POST',
      url,
      payload,
      headers: token ? { satoken: `Bearer ${token}` } : {},
    })
    const { code, msg, data } = answer.json<{ code: number; msg: string; data: never }>()
    if (code !== 0) throw new Error(msg)
    return data as { token: string }
  }
  const { token } = await call('/v1/auth/login', { username: 'admin', password })
  const products = { edge: productRow('pkEdge', 'gateway'), lamp: productRow('pkLamp', 'sub') }
  const hosts = gateways.map((lamps, n) => {
    const gateway = deviceRow(products.edge, `edge-${n}`)
    const children = Array.from({ length: lamps }, (_, m) =>
      deviceRow(products.lamp, `lamp-${n}-${m}`, { gatewayId: gateway.id }),
    )
    return { gateway, children }
  })
  const rows = hosts.flatMap(({ gateway, children }) => [gateway, ...children])
  await insertDevices(app.db, Object.values(products), rows)
  const edges = await Promise.all(
    hosts.map((host) =>
      connectEdge({
        url: `mqtt://127.0.0.1:${app.devices.mqttPort}`,
        ...host,
        onSet: (_, values, { reply, post }) => (reply(200), post(values)),
      }),
    ),
  )
  const lamps = rows.length - hosts.length
  const answers: number[] = []
  const tasks: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startTime = performance.now()
    const taskFinished = new Promise<void>((resolve, reject) => {
      const onProgress = (task: { doneTime: string | null; counts: Record<string, number> }) => {
        if (task.doneTime === null) return
        app.tasks.events.off('changed', onProgress)
        if (task.counts.success === lamps) resolve()
        else reject(new Error(`Not all switched: ${JSON.stringify(task.counts)}`))
      }
      app.tasks.events.on('changed', onProgress)
    })
    const request = {
      kind: 'action',
      productType: 'SAFEWAY_LIGHT',
      projectId: 1,
      actionType: round % 2 ? 'all_on' : 'all_off',
      scope: { kind: 'project' },
    }
    await call('/v1/control/task', request, token)
    answers.push(performance.now() - startTime)
    await taskFinished
    tasks.push(performance.now() - startTime)
  }
  await Promise.all(edges.map((edge) => edge.close()))
  await app.close()
  rmSync(folder, { recursive: true })
  return { answers, tasks }
}

async function measureBare(gateways: number[]) {
  const broker = await Aedes.createBroker()
  const server = createServer((socket) => void broker.handle(socket))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  const platform = await mqtt.connectAsync(url)
  await platform.subscribeAsync(['up/+/reply', 'up/+/post'], { qos: 1 })
  const hosts = await Promise.all(
    gateways.map(async (_, n) => {
      const client = await mqtt.connectAsync(url)
      await client.subscribeAsync(`down/${n}/+`)
      client.on('message', (_topic, payload) => {
        client.publish(`up/${n}/reply`, payload)
        client.publish(`up/${n}/post`, payload)
      })
      return client
    }),
  )
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startTime = performance.now()
    await new Promise<void>((resolve) => {
      let openAnswers = gateways.reduce((sum, lamps) => sum + lamps) * 2
      platform.removeAllListeners('message')
      platform.on('message', () => --openAnswers === 0 && resolve())
      for (const [n, lamps] of gateways.entries()) {
        for (let m = 0; m < lamps; m++) {
          const params = { PowerSwitch: round % 2 }
          const method = 'thing.service.property.set'
          platform.publish(
            `down/${n}/${m}`,
            JSON.stringify({ id: String(m), version: '1.0', method, params }),
          )
        }
      }
    })
    times.push(performance.now() - startTime)
  }
  await Promise.all([platform, ...hosts].map((client) => client.endAsync(true)))
  await new Promise<void>((resolve) => broker.close(resolve))
  server.close()
  return times
}
