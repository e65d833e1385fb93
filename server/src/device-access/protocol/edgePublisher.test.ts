import { createEdgePublisher } from './edgePublisher'

const gateway = { productKey: 'pkEdge', deviceName: 'edge-1' }
/** Records what is published; a test plays the answers. */
function createPublisher(publishError?: Error) {
  const sentIds: string[] = []
  const publisher = createEdgePublisher(
    {
      publish: ((
        _topic: string,
        text: string,
        _options: object,
        onSent: (error?: Error) => void,
      ) => {
        sentIds.push((JSON.parse(text) as { id: string }).id)
        onSent(publishError)
      }) as never,
    },
    gateway,
    5000,
  )
  return { ...publisher, sentIds, ask: () => publisher.request(gateway, 'combine/batch_login', []) }
}

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

test('rejects a request that is not answered in time, and names device, action and limit', async () => {
  const { ask } = createPublisher()
  const answer = expect(ask()).rejects.toThrow('edge-1: combine/batch_login 5 秒内没有应答')
  jest.advanceTimersByTime(5000)
  await answer
})

test('resolves with the reply to its own message, and stops the deadline', async () => {
  const { ask, settleReply, sentIds } = createPublisher()
  const [first, second] = [ask(), ask()]
  settleReply({ id: sentIds[1]!, code: 200 } as never)
  settleReply({ id: sentIds[0]!, code: 460 } as never)
  expect(await Promise.all([first, second])).toMatchObject([{ code: 460 }, { code: 200 }])
  expect(jest.getTimerCount()).toBe(0)
})

test('rejects a request that cannot be published', async () => {
  const { ask } = createPublisher(new Error('client disconnecting'))
  await expect(ask()).rejects.toThrow('client disconnecting')
  expect(jest.getTimerCount()).toBe(0)
})

test('rejects waiting requests when the connection is closed', async () => {
  const { ask, rejectPending } = createPublisher()
  const answer = expect(ask()).rejects.toThrow('连接已关闭')
  rejectPending(new Error('连接已关闭'))
  await answer
})
