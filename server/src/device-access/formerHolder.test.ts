import { sql } from 'drizzle-orm'
import { openDatabase } from '../core/db/openDatabase'
import { LeaseLostError } from '../core/lease/leaseQueries'
import { createLeases } from '../core/lease/leases'
import { registrationRule } from '../tables/registration'
import { createTestDatabase } from '../testing.database'
import { startDeviceAccess } from './deviceAccess'
import { connectAlinkDevice, deviceRow, insertDevices, productRow, signChild } from './testing'

const products = {
  edge: productRow('pkEdge', 'gateway'),
  lamp: productRow('pkLamp', 'sub', { dynamicRegister: true }),
  direct: productRow('pkDirect', 'direct'),
}
const edge = deviceRow(products.edge, 'edge')
const direct = deviceRow(products.direct, 'direct')
const boundLamp = deviceRow(products.lamp, 'bound', { gatewayId: edge.id })
const freeLamp = deviceRow(products.lamp, 'free')

let database: Awaited<ReturnType<typeof openDatabase>>
let devices: Awaited<ReturnType<typeof startDeviceAccess>>

/** Another process has taken over, but this one still receives messages. */
let isReplaced = false
beforeAll(async () => {
  database = await openDatabase(await createTestDatabase())
  await insertDevices(database.db, Object.values(products), [edge, direct, boundLamp, freeLamp])
  const leases = createLeases(database.db, { isOnlyProcess: true })
  const { guard } = leases
  leases.guard = (tx, prefix) =>
    isReplaced ? Promise.reject(new LeaseLostError()) : guard(tx, prefix)
  devices = await startDeviceAccess(database.db, { mqttPort: 0 }, () => {}, leases)
})
afterAll(async () => {
  await devices.close()
  await database.close()
})

const tableNames = [
  ...['device', 'device_credential', 'device_tag', 'device_firmware', 'device_shadow'],
  ...['device_event', 'property_history', 'registration_record'],
]
const readTables = () =>
  Promise.all(
    tableNames.map(async (name) => ({
      name,
      rows: (
        await database.db.execute(
          sql`select * from ${sql.identifier(name)} as one order by one::text`,
        )
      ).rows,
    })),
  )

/** Sends every kind of message that makes the holder write; the last answer shows that all were handled. */
async function sendEverything() {
  const url = `mqtt://127.0.0.1:${devices.mqttPort}`
  const gateway = await connectAlinkDevice(url, edge)
  const panel = await connectAlinkDevice(url, direct)
  const send = (row: typeof edge, action: string, params: unknown) =>
    (row === edge ? gateway : panel).send(`/sys/${row.productKey}/${row.deviceName}/${action}`, {
      id: action,
      version: '1.0',
      params,
    })
  const identity = (deviceName: string) => ({ productKey: 'pkLamp', deviceName })
  await send(edge, 'thing/topo/add', [signChild(freeLamp)])
  await send(edge, 'thing/topo/delete', [identity('bound')])
  await send(edge, 'thing/list/found', [identity('neighbour')])
  await send(edge, 'thing/sub/register', [identity('newcomer')])
  await send(direct, 'thing/deviceinfo/update', [{ attrKey: 'floor', attrValue: '3' }])
  await send(direct, 'thing/deviceinfo/delete', [{ attrKey: 'room' }])
  await send(direct, 'thing/property/desired/delete', { Brightness: {} })
  await send(direct, 'thing/event/property/post', { Brightness: 30 })
  await send(direct, 'thing/event/Error/post', {})
  await panel.send('/ota/device/inform/pkDirect/direct', { id: '1', params: { version: '1.2' } })
  await panel.send('/shadow/update/pkDirect/direct', {
    method: 'update',
    state: { reported: { color: 'red' } },
    version: 1,
  })
  await gateway.ask('thing/config/get', {})
  await panel.ask('thing/config/get', {})
  await devices.states.flush()
  await Promise.all([gateway.close(), panel.close()])
}

test('a former holder that still receives messages writes nothing', async () => {
  await database.db.insert(registrationRule).values({
    projectId: 1,
    productId: products.lamp.id,
    mode: 'gateway',
    enabled: true,
    createBy: 'test',
    updateBy: 'test',
  })
  isReplaced = true
  const before = await readTables()
  await sendEverything()
  expect(await readTables()).toEqual(before)

  isReplaced = false
  await sendEverything()
  const after = await readTables()
  const unchangedTables = after.filter(
    ({ rows }, n) => JSON.stringify(rows) === JSON.stringify(before[n]!.rows),
  )
  expect(unchangedTables.map(({ name }) => name)).toEqual([])
})
