import { authApi } from '@iot/shared/contract/access/auth.api'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { eq, inArray } from 'drizzle-orm'
import { openDatabase } from '../src/core/db/openDatabase'
import { waitUntil } from '../src/core/until'
import { connectEdge, type EdgeClient } from '../src/device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from '../src/device-access/testing'
import { device } from '../src/tables/device'
import { ingestProduct } from '../src/tables/ingest'
import { lease } from '../src/tables/lease'
import { project } from '../src/tables/project'
import { startProcess, startServices, type Process, type Services } from './serviceProcesses'

/** A gateway and its lamps are two products; two sites of them cover both partitions. */
const sites = ['north', 'south'].map((name) => {
  const products = {
    edge: productRow(`pkEdge${name}`, 'gateway'),
    lamp: productRow(`pkLamp${name}`, 'sub'),
  }
  const edge = deviceRow(products.edge, `edge-${name}`)
  const lamps = Array.from({ length: 20 }, (_, n) =>
    deviceRow(products.lamp, `${name}-${n}`, { gatewayId: edge.id }),
  )
  return { products, edge, lamps }
})
const lamps = sites.flatMap((site) => site.lamps)
const partitionTargets = ['ingest/0', 'ingest/1']

let services: Services
let processes: Process[]
let gateways: EdgeClient[]
let database: Awaited<ReturnType<typeof openDatabase>>
const receivedCounts = new Map<string, number>()

beforeAll(async () => {
  services = await startServices(process.env.DATABASE_TEMPLATE)
  database = await openDatabase({ kind: 'server', url: services.databaseUrl })
  const siteFields = { groupName: '测试', engineeringId: 1, sort: 1 }
  await database.db
    .insert(project)
    .values({ ...siteFields, projectId: 1, name: '测试', code: 'test' })
    .onConflictDoNothing()
  // The products are there before the processes start, so that each partition gets some of them.
  for (const { products, edge, lamps } of sites)
    await insertDevices(database.db, Object.values(products), [edge, ...lamps])
  processes = await Promise.all(
    Array.from({ length: 2 }, () => startProcess(services, { INGEST_PARTITIONS: '2' })),
  )
  for (const one of processes) await one.signIn(authApi.login)
  gateways = await Promise.all(
    sites.map(({ edge, lamps }) =>
      connectEdge({
        url: services.mqttUrl,
        gateway: edge,
        children: lamps,
        onSet(key, values, { reply, post }) {
          receivedCounts.set(key, (receivedCounts.get(key) ?? 0) + 1)
          reply(200)
          post(values)
        },
      }),
    ),
  )
})
afterAll(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway.close()))
  await database?.close()
  await Promise.all((processes ?? []).map((one) => one.kill()))
  await services?.close()
})

const readHolders = async () => {
  const rows = await database.db.select().from(lease).where(inArray(lease.name, partitionTargets))
  return rows.map(({ holder }) => holder)
}
/** All lamps post a value until it is stored, because values at QoS 0 are lost while a partition changes hands. */
const expectValuesStored = (brightness: number) =>
  waitUntil(
    async () => {
      sites.forEach((site, n) => {
        for (const lamp of site.lamps) gateways[n]!.post(lamp, { Brightness: brightness })
      })
      const rows = await database.db.select().from(device).where(eq(device.projectId, 1))
      return rows.filter(({ reported }) => reported.Brightness === brightness).length
    },
    (count) => count === lamps.length,
  )
async function expectTaskDone(process: Process, brightness: number) {
  // A process that has lost the broker for a moment refuses orders, which a busy machine can bring about.
  await waitUntil(process.readyStatus, (status) => status === 200)
  receivedCounts.clear()
  const { id } = await process.send(controlApi.start, {
    kind: 'set',
    projectId: 1,
    scope: { kind: 'devices', deviceIds: lamps.map((lamp) => lamp.id) },
    values: { Brightness: brightness },
  })
  const task = await waitUntil(
    () => process.send(controlApi.get, { id }),
    ({ doneTime }) => doneTime !== null,
  )
  expect(task.counts).toMatchObject({ success: lamps.length })
  expect([...receivedCounts.values()]).toEqual(lamps.map(() => 1))
}

test('two processes hold a partition each, and both have lamps of their own', async () => {
  const holders = await waitUntil(readHolders, (list) => new Set(list).size === 2)
  expect(holders).toHaveLength(2)
  const assignments = await database.db
    .select()
    .from(ingestProduct)
    .where(
      inArray(
        ingestProduct.productKey,
        sites.map(({ products }) => products.lamp.productKey),
      ),
    )
  expect(assignments.map(({ partition }) => partition).sort()).toEqual([0, 1])
})

test('values of both partitions are stored, and one task commands the lamps of both', async () => {
  await expectValuesStored(11)
  for (const [n, process] of processes.entries()) await expectTaskDone(process, 20 + n)
})

test('the remaining process takes the other partition over', async () => {
  const [first, second] = processes as [Process, Process]
  await first.kill()
  const holders = await waitUntil(readHolders, (list) => new Set(list).size === 1)
  expect(holders).toHaveLength(2)
  await expectValuesStored(12)
  await expectTaskDone(second, 30)
})
