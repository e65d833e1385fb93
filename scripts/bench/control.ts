import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Aedes } from 'aedes'
import mqtt from 'mqtt'
import { buildApp } from 'server/src/app'
import { connectEdge } from 'server/src/device-access/edgeClient'
import { deviceRow, insertDevices, productRow } from 'server/src/device-access/testing'

const gateways = 6,
  lampsEach = 50,
  rounds = 5

/**
 * A bulk action on 300 lamps behind 6 gateways that answer at once, from the call to the end of the task, as a ratio to
 * the bare round trip of the same messages (a set out; its reply and a property post back) through the same broker.
 */
export default async function control() {
  const [task, bare] = [await measureTask(), await measureBare()]
  const [best, worst, raw] = [Math.min(...task), Math.max(...task), Math.min(...bare)]
  console.log(`${gateways * lampsEach} lamps over ${gateways} gateways, ${rounds} rounds`)
  console.log(`control task   ${best.toFixed(0)}–${worst.toFixed(0)} ms`)
  console.log(`bare messages  ${raw.toFixed(0)}–${Math.max(...bare).toFixed(0)} ms`)
  console.log(`ratio          ${(best / raw).toFixed(1)}`)
}

async function measureTask() {
  const password = 'bench-2026'
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const app = await buildApp({
    database: { kind: 'embedded', folder },
    adminPassword: password,
    mqttPort: 0,
  })
  const call = async (url: string, payload: object, token = '') => {
    const { code, msg, data } = (
      await app.inject({
        method: 'POST',
        url,
        payload,
        headers: token ? { satoken: `Bearer ${token}` } : {},
      })
    ).json<{ code: number; msg: string; data: { token: string } }>()
    if (code !== 0) throw new Error(msg)
    return data
  }
  const { token } = await call('/v1/auth/login', { username: 'admin', password })
  const products = { edge: productRow('pkEdge', 'gateway'), lamp: productRow('pkLamp', 'sub') }
  const hosts = Array.from({ length: gateways }, (_, n) => {
    const gateway = deviceRow(products.edge, `edge-${n}`)
    return {
      gateway,
      children: Array.from({ length: lampsEach }, (_, m) =>
        deviceRow(products.lamp, `lamp-${n}-${m}`, { gatewayId: gateway.id }),
      ),
    }
  })
  await insertDevices(
    app.db,
    Object.values(products),
    hosts.flatMap(({ gateway, children }) => [gateway, ...children]),
  )
  const edges = await Promise.all(
    hosts.map((host) =>
      connectEdge({
        url: `mqtt://127.0.0.1:${app.devices.mqttPort}`,
        ...host,
        onSet: (_, values, { reply, post }) => (reply(200), post(values)),
      }),
    ),
  )
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const done = new Promise<void>((resolve, reject) => {
      const onProgress = ({
        doneTime,
        counts,
      }: {
        doneTime: string | null
        counts: Record<string, number>
      }) => {
        if (doneTime === null) return
        app.tasks.events.off('changed', onProgress)
        if (counts.success === gateways * lampsEach) resolve()
        else reject(new Error(`Not all switched: ${JSON.stringify(counts)}`))
      }
      app.tasks.events.on('changed', onProgress)
    })
    await call(
      '/v1/control/task',
      {
        kind: 'action',
        productType: 'SAFEWAY_LIGHT',
        actionType: round % 2 ? 'all_on' : 'all_off',
        projectId: 1,
        scope: { kind: 'project' },
      },
      token,
    )
    await done
    times.push(performance.now() - started)
  }
  await Promise.all(edges.map((edge) => edge.close()))
  await app.close()
  rmSync(folder, { recursive: true })
  return times
}

async function measureBare() {
  const broker = await Aedes.createBroker()
  const server = createServer((socket) => void broker.handle(socket))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  const platform = await mqtt.connectAsync(url)
  await platform.subscribeAsync(['up/+/reply', 'up/+/post'], { qos: 1 })
  const hosts = await Promise.all(
    Array.from({ length: gateways }, async (_, n) => {
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
    const started = performance.now()
    await new Promise<void>((resolve) => {
      let open = gateways * lampsEach * 2
      platform.removeAllListeners('message')
      platform.on('message', () => --open === 0 && resolve())
      for (let n = 0; n < gateways; n++) {
        for (let m = 0; m < lampsEach; m++)
          platform.publish(
            `down/${n}/${m}`,
            JSON.stringify({
              id: String(m),
              version: '1.0',
              method: 'thing.service.property.set',
              params: { PowerSwitch: round % 2 },
            }),
          )
      }
    })
    times.push(performance.now() - started)
  }
  await Promise.all([platform, ...hosts].map((client) => client.endAsync(true)))
  await new Promise<void>((resolve) => broker.close(resolve))
  server.close()
  return times
}
