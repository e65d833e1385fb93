import type { ControlRequest, ControlTask } from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import {
  responseCodes,
  headerNames,
  type Endpoint,
  type Envelope,
} from '@iot/shared/contract/endpoint'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { testApp, type TestApp } from '../../testing'

const lampProduct = productRow('pkLamp', 'sub')
const edgeProduct = productRow('pkEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge-1')
const lamp = deviceRow(lampProduct, 'lamp', { gatewayId: edge.id })

let app: TestApp
let gateway: EdgeClient
const received: string[] = []
beforeAll(async () => {
  app = await testApp({ mqttPort: 0 })
  await insertDevices(app.app.db, [lampProduct, edgeProduct], [edge, lamp])
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: [lamp],
    onSet(_, values, { reply, post }) {
      received.push(JSON.stringify(values))
      reply(200)
      post(values)
    },
  })
  gateway.post(lamp, { PowerSwitch: 1 })
  await waitUntil(
    () => app.as('admin').call(controlApi.preflight, buildRequest(0)),
    ({ affected }) => affected === 1,
  )
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(() => void (received.length = 0))

const buildRequest = (value: number): ControlRequest => ({
  kind: 'set',
  projectId: 1,
  scope: { kind: 'devices', deviceIds: [lamp.id] },
  values: { PowerSwitch: value },
})
async function send<T = ControlTask>(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  payload: object,
  deadline: number | string,
  key?: string,
) {
  const headers = {
    ...(await app.as('admin').headers()),
    [headerNames.deadline]: String(deadline),
    ...(key && { 'idempotency-key': key }),
  }
  const url = path.replace('{id}', (payload as { id?: string }).id ?? '')
  const answer = await app.app.inject({ method, url, payload, headers })
  return { ...answer.json<Envelope<T>>(), headers: answer.headers }
}
const futureDeadline = () => Date.now() + 20_000
const pastDeadline = () => Date.now() - 1
const waitForEnd = ({ id }: ControlTask) =>
  waitUntil(
    () => app.as('admin').call(controlApi.get, { id }),
    ({ doneTime }) => doneTime !== null,
  )

it('refuses an invalid deadline and names the header', async () => {
  for (const wrong of ['soon', '-1', '1.5', ''])
    expect(await send(controlApi.start, buildRequest(0), wrong)).toMatchObject({
      code: responseCodes.fields,
      data: { fields: { 'X-Deadline': 'X-Deadline 须为毫秒时间戳' } },
    })
  expect(received).toEqual([])
})

it('does not start a command after its deadline, and starts the same key before it', async () => {
  expect(await send(controlApi.start, buildRequest(0), pastDeadline(), 'late')).toMatchObject({
    code: responseCodes.expired,
    msg: '超过了等待期限，没有执行',
  })
  expect(await app.as('admin').call(controlApi.recent, { projectId: 1 })).toEqual([])
  expect(received).toEqual([])
  const { code, data } = await send(controlApi.start, buildRequest(0), futureDeadline(), 'late')
  expect(code).toBe(0)
  await waitForEnd(data)
  expect(received).toEqual(['{"PowerSwitch":0}'])
})

it('answers with the result of a finished command after its deadline without repeating it', async () => {
  const { data } = await send(controlApi.start, buildRequest(1), futureDeadline(), 'looked-up')
  await waitForEnd(data)
  received.length = 0
  const repeatedAnswer = await send(controlApi.start, buildRequest(1), 1, 'looked-up')
  expect(repeatedAnswer.data).toMatchObject({ id: data.id, status: 'done' })
  const { data: undoTask } = await send(
    controlApi.undo,
    { id: data.id },
    futureDeadline(),
    'undo-1',
  )
  await waitForEnd(undoTask)
  expect((await send(controlApi.undo, { id: data.id }, 1, 'undo-1')).data.id).toBe(undoTask.id)
  expect(received).toHaveLength(1)
})

it('drops a command whose deadline passes during its preparation', async () => {
  let wake!: () => void
  const flushSpy = jest
    .spyOn(app.app.devices.states, 'flush')
    .mockImplementationOnce(() => new Promise((resolve) => (wake = resolve)))
  const nowSpy = jest.spyOn(Date, 'now')
  const deadline = futureDeadline()
  const answer = send(controlApi.start, buildRequest(0), deadline, 'stopped')
  await waitUntil(
    () => flushSpy.mock.calls.length,
    (count) => count > 0,
  )
  nowSpy.mockReturnValue(deadline + 1)
  wake()
  expect(await answer).toMatchObject({ code: responseCodes.expired })
  nowSpy.mockRestore()
  flushSpy.mockRestore()
  expect(received).toEqual([])
})

it.each([
  ['a retry', controlApi.retry, {}],
  ['an undo', controlApi.undo, {}],
  ['a service', managedDeviceApi.service, { identifier: 'Identify', params: {} }],
  ['a save', manufacturerApi.remove, {}],
])('drops %s after its deadline', async (_, endpoint, more) => {
  const { code } = await send(endpoint, { id: lamp.id, ...more }, pastDeadline())
  expect(code).toBe(responseCodes.expired)
})

it('answers reads after the deadline too, with the server time', async () => {
  const before = Date.now()
  const { code, headers } = await send(controlApi.preflight, buildRequest(0), pastDeadline())
  expect(code).toBe(0)
  const time = Number(headers[headerNames.serverTime])
  expect(time).toBeGreaterThanOrEqual(before)
  expect(time).toBeLessThanOrEqual(Date.now())
})
