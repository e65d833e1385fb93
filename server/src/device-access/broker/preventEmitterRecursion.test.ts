import { Aedes } from 'aedes'
import { preventEmitterRecursion } from './preventEmitterRecursion'

type Callback = () => void
type Emitter = {
  on: (topic: string, listener: (message: { n: number }, callback: Callback) => void) => void
  emit: (message: { topic: string; n: number }, callback?: Callback) => void
  _do: () => unknown
}
/** Creates the emitter in the way the broker does. */
async function createEmitter() {
  const broker = await Aedes.createBroker()
  const mq = (broker as unknown as { mq: Emitter }).mq
  preventEmitterRecursion(mq)
  return { mq, close: () => new Promise<void>((resolve) => broker.close(resolve)) }
}

it('the queue accepts any number of messages, also without a listener', async () => {
  const { mq, close } = await createEmitter()
  const pendingCallbacks: Callback[] = []
  mq.on('slow', (_, callback) => void pendingCallbacks.push(callback))
  for (let n = 0; n < 100; n++) mq.emit({ topic: 'slow', n })
  let handledCount = 0
  for (let n = 0; n < 50_000; n++) mq.emit({ topic: 'nobody', n }, () => handledCount++)
  pendingCallbacks[0]!()
  expect(handledCount).toBe(50_000)
  await close()
})
it('messages are handled in order of arrival, those emitted by listeners after them', async () => {
  const { mq, close } = await createEmitter()
  const receivedNumbers: number[] = []
  mq.on('line', ({ n }, callback) => {
    receivedNumbers.push(n)
    if (n < 10) mq.emit({ topic: 'line', n: n + 10 })
    callback()
  })
  for (let n = 0; n < 3; n++) mq.emit({ topic: 'line', n })
  expect(receivedNumbers).toEqual([0, 10, 1, 11, 2, 12])
  await close()
})
