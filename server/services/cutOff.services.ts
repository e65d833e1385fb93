import { authApi } from '@iot/shared/contract/access/auth.api'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { liveRefusedCode } from '@iot/shared/contract/live'
import { openDatabase } from '../src/core/db/openDatabase'
import { waitUntil } from '../src/core/until'
import { connectEdge, type EdgeClient } from '../src/device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from '../src/device-access/testing'
import { project } from '../src/tables/project'
import { task } from '../src/tables/task'
import { startProcess, startServices, type Process, type Services } from './serviceProcesses'
import { startTcpProxy, type TcpProxy } from './tcpProxy'

const products = { edge: productRow('pkEdge', 'gateway'), lamp: productRow('pkLamp', 'sub') }
const edge = deviceRow(products.edge, 'edge')
const lamp = deviceRow(products.lamp, 'lamp-0', { gatewayId: edge.id })
/** `docs/operating.md` promises this. */
const noticeTimeoutMs = 15_000

let services: Services
let brokerProxy: TcpProxy, databaseProxy: TcpProxy
/** One process reaches broker and database through proxies, the other directly. */
let proxiedProcess: Process, directProcess: Process
let gateway: EdgeClient
let database: Awaited<ReturnType<typeof openDatabase>>

beforeAll(async () => {
  services = await startServices(process.env.DATABASE_TEMPLATE)
  const { databaseUrl, mqttUrl } = services
  brokerProxy = await startTcpProxy(Number(new URL(mqttUrl).port))
  databaseProxy = await startTcpProxy(Number(new URL(databaseUrl).port))
  const proxied = {
    MQTT_URL: `mqtt://127.0.0.1:${brokerProxy.port}`,
    DATABASE_URL: databaseUrl.replace(/:\d+\//, `:${databaseProxy.port}/`),
  }
  ;[directProcess, proxiedProcess] = await Promise.all([
    startProcess(services),
    startProcess(services, proxied),
  ])
  database = await openDatabase({ kind: 'server', url: databaseUrl })
  const siteFields = { groupName: '测试', engineeringId: 1, sort: 1 }
  await database.db
    .insert(project)
    .values({ ...siteFields, projectId: 1, name: '测试', code: 'test' })
    .onConflictDoNothing()
  await insertDevices(database.db, Object.values(products), [edge, lamp])
  gateway = await connectEdge({
    url: mqttUrl,
    gateway: edge,
    children: [lamp],
    onSet: (_, values, { reply, post }) => {
      reply(200)
      post(values)
    },
  })
})
afterAll(async () => {
  await gateway?.close()
  await database?.close()
  // A process whose connections stand still is not waited for.
  await Promise.all([directProcess?.kill(), proxiedProcess?.kill()])
  brokerProxy?.close()
  databaseProxy?.close()
  await services?.close()
})
beforeEach(async () => {
  const token = await directProcess.signIn(authApi.login)
  proxiedProcess.useToken(token)
})

const startTask = (process: Process) =>
  process.send(controlApi.start, {
    kind: 'set',
    projectId: 1,
    scope: { kind: 'devices', deviceIds: [lamp.id] },
    values: { Brightness: 20 },
  })
const waitForStatus = (process: Process, status: number) =>
  waitUntil(
    () => process.readyStatus(),
    (current) => current === status,
    noticeTimeoutMs,
  )

/**
 * A CONNECT packet that the proxy swallowed arrives late and takes the session over from the newer connection, so a
 * process that is ready again may be cut off once more for a moment.
 */
const startTaskOnceBack = async (process: Process) => {
  const outcome = await waitUntil(
    () => startTask(process).catch((error: unknown) => error),
    (result) => !(result instanceof Error),
    noticeTimeoutMs,
  )
  expect(outcome).not.toBeInstanceOf(Error)
}

test('a session that one process ends is refused by the other before its cached copy expires, and its page is closed', async () => {
  const page = await proxiedProcess.page(1)
  await directProcess.send(authApi.logout, {})
  const endTime = Date.now()
  expect(await page.closeCode).toBe(liveRefusedCode)
  await expect(proxiedProcess.send(authApi.me, {})).rejects.toThrow('登录已退出')
  // The copy lasts ten seconds; a quiet machine needs half a second.
  expect(Date.now() - endTime).toBeLessThan(5000)
})

test('a process whose broker connection vanishes without an answer is not ready, closes its pages and takes no orders', async () => {
  const page = await proxiedProcess.page(1)
  const countTasks = () => database.db.$count(task)
  const taskCount = await countTasks()
  brokerProxy.blackHole()
  await waitForStatus(proxiedProcess, 503)
  expect(await page.closeCode).toBe(1013)
  await expect(startTask(proxiedProcess)).rejects.toThrow('本服务器与消息服务的连接中断')
  expect(await countTasks()).toBe(taskCount)
  expect(await directProcess.readyStatus()).toBe(200)

  brokerProxy.resume()
  await waitForStatus(proxiedProcess, 200)
  await startTaskOnceBack(proxiedProcess)
})

test('a process whose broker refuses connections is not ready until the broker is back', async () => {
  const listenAgain = await brokerProxy.refuse()
  await waitForStatus(proxiedProcess, 503)
  await expect(startTask(proxiedProcess)).rejects.toThrow('本服务器与消息服务的连接中断')
  await listenAgain()
  await waitForStatus(proxiedProcess, 200)
})

test('a process whose database connection vanishes without an answer is not ready, closes its pages and takes no orders', async () => {
  const page = await proxiedProcess.page(1)
  const countTasks = () => database.db.$count(task)
  const taskCount = await countTasks()
  databaseProxy.blackHole()
  await waitForStatus(proxiedProcess, 503)
  expect(await page.closeCode).toBe(1013)
  await expect(startTask(proxiedProcess)).rejects.toThrow()
  expect(await countTasks()).toBe(taskCount)

  databaseProxy.resume()
  await waitForStatus(proxiedProcess, 200)
  await startTaskOnceBack(proxiedProcess)
})
