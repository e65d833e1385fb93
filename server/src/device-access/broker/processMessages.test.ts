import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Aedes } from 'aedes'
import { uuidv7 } from 'uuidv7'
import { log } from '../../core/logging/log'
import { createRefusal } from '../../core/refusal'
import { createProcessMessages, type ProcessMessages } from './processMessages'
import { RequestFailedError } from './requestReply'

const taskId = uuidv7()
const changedDevice = {
  id: uuidv7(),
  state: 'online' as const,
  reported: { Brightness: 1 },
  reportedTime: null,
  stale: {},
  desired: {},
  projectId: 1,
  revision: 1,
  spaceId: null,
  floorId: null,
}

/** Topics that reached the broker. */
const publishedTopics: string[] = []
let broker: Aedes
const sockets = new Set<{ destroy: () => void }>()
const server = createServer((socket) => {
  sockets.add(socket)
  void broker.handle(socket)
})
let first: ProcessMessages, second: ProcessMessages

beforeAll(async () => {
  broker = await Aedes.createBroker()
  broker.on('publish', ({ topic }) => publishedTopics.push(topic))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  first = createProcessMessages(url)
  second = createProcessMessages(url)
  await Promise.all([first.open(), second.open()])
})
afterAll(async () => {
  await Promise.all([first.close(), second.close()])
  await new Promise<void>((resolve) => broker.close(resolve))
  server.close()
})

/** Publishes to the broker as a foreign client would. */
const publishRaw = (topic: string, payload: string) =>
  new Promise<void>((resolve, reject) =>
    broker.publish({ cmd: 'publish', qos: 1, dup: false, retain: false, topic, payload }, (error) =>
      error ? reject(error) : resolve(),
    ),
  )

describe('broadcasts', () => {
  it('reach every other process and not the sender', async () => {
    const heardByFirst = jest.fn()
    first.events.on('shift', heardByFirst)
    first.broadcast('shift', { projectId: 1, open: 2 })
    expect(await once(second.events, 'shift')).toEqual([{ projectId: 1, open: 2 }])
    // The reply proves that the sender has processed everything that the broker returned before.
    second.broadcast('ended', { identities: [], why: '设备已删除' })
    await once(first.events, 'ended')
    expect(heardByFirst).not.toHaveBeenCalled()
  })

  it('with retained rrpc flags reach a process that starts later', async () => {
    first.publishRrpc('pk&panel', true)
    await once(second.events, 'rrpc')
    const late = createProcessMessages(`mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const receivedFlag = once(late.events, 'rrpc')
    await late.open()
    expect(await receivedFlag).toEqual(['pk&panel', true])
    await late.close()
  })

  it('that are malformed are logged once and skipped', async () => {
    const warn = jest.spyOn(log, 'warn').mockImplementation(() => {})
    await publishRaw('platform/message/foreign', 'not json')
    await publishRaw('platform/message/foreign', '{"kind":"unknownKind","data":1}')
    await publishRaw('platform/message/foreign', '{"kind":"shift","data":{"projectId":"x"}}')
    first.broadcast('shift', { projectId: 3, open: 1 })
    expect(await once(second.events, 'shift')).toEqual([{ projectId: 3, open: 1 }])
    expect(warn).toHaveBeenCalledTimes(1)
    warn.mockRestore()
  })
})

describe('requests', () => {
  it('are answered by the process that serves the target', async () => {
    const startTask = jest.fn(async () => null)
    await second.serve('ingest-0', { startTask })
    expect(await first.request('ingest-0', 'startTask', { taskId }, 5000)).toBeNull()
    expect(startTask).toHaveBeenCalledWith({ taskId })
  })

  it('to a target of the own process are answered without the broker', async () => {
    const count = publishedTopics.length
    expect(await second.request('ingest-0', 'startTask', { taskId }, 5000)).toBeNull()
    expect(publishedTopics.slice(count).filter((topic) => topic.includes('request'))).toEqual([])
  })

  it('pass on a refusal with its reason and hide other failures behind an error', async () => {
    const startTask = jest
      .fn()
      .mockRejectedValueOnce(createRefusal('任务已结束'))
      .mockRejectedValueOnce(new Error('broken'))
    await second.serve('ingest-1', { startTask })
    await expect(first.request('ingest-1', 'startTask', { taskId }, 5000)).rejects.toMatchObject({
      name: 'Refusal',
      message: '任务已结束',
    })
    await expect(first.request('ingest-1', 'startTask', { taskId }, 5000)).rejects.toThrow(
      RequestFailedError,
    )
  })

  it('fail at their deadline if nobody serves the target any more', async () => {
    await second.stopServing('ingest-1')
    await expect(first.request('ingest-1', 'startTask', { taskId }, 50)).rejects.toThrow(
      'ingest-1 没有应答',
    )
  })
})

describe('rows of a project', () => {
  it('reach only processes that watch the project', async () => {
    const heardByFirst = jest.fn()
    first.events.on('states', heardByFirst)
    await second.watchProject(1)
    second.publishStates(1, [changedDevice])
    first.publishStates(1, [changedDevice])
    expect(await once(second.events, 'states')).toEqual([[changedDevice]])
    await second.unwatchProject(1)
    const heardBySecond = jest.fn()
    second.events.on('states', heardBySecond)
    first.publishStates(1, [changedDevice])
    first.broadcast('shift', { projectId: 1, open: 4 })
    await once(second.events, 'shift')
    expect(heardBySecond).not.toHaveBeenCalled()
    expect(heardByFirst).not.toHaveBeenCalled()
  })

  it('arrive again after a broken connection, which is announced once the subscriptions stand', async () => {
    await second.watchProject(2)
    const resumed = Promise.all([once(first.events, 'resumed'), once(second.events, 'resumed')])
    for (const socket of sockets) socket.destroy()
    await resumed
    first.publishStates(2, [{ ...changedDevice, projectId: 2 }])
    expect(await once(second.events, 'states')).toMatchObject([[{ projectId: 2 }]])
  })
})

it('without an external broker everything is local', async () => {
  const localMessages = createProcessMessages(undefined)
  await localMessages.open()
  localMessages.broadcast('shift', { projectId: 1, open: 1 })
  await localMessages.serve('ingest-0', { startTask: async () => null })
  expect(await localMessages.request('ingest-0', 'startTask', { taskId }, 10)).toBeNull()
  await expect(localMessages.request('other', 'startTask', { taskId }, 10)).rejects.toThrow(
    '消息服务没有连接',
  )
  expect(localMessages.isConnected()).toBe(true)
  await localMessages.close()
})
