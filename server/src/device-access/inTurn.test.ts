import { Aedes } from 'aedes'
import { inTurn } from './inTurn'

type Done = () => void
type Emitter = {
  on: (topic: string, listener: (message: { n: number }, done: Done) => void) => void
  emit: (message: { topic: string; n: number }, done?: Done) => void
  _do: () => unknown
}
/** Creates the emitter in the way the broker does. */
async function emitter() {
  const broker = await Aedes.createBroker()
  const mq = (broker as unknown as { mq: Emitter }).mq
  inTurn(mq)
  return { mq, close: () => new Promise<void>((resolve) => broker.close(resolve)) }
}

it('any number of messages may wait, also where nobody listens', async () => {
  const { mq, close } = await emitter()
  const busy: Done[] = []
  mq.on('slow', (_, done) => void busy.push(done))
  for (let n = 0; n < 100; n++) mq.emit({ topic: 'slow', n })
  let over = 0
  for (let n = 0; n < 50_000; n++) mq.emit({ topic: 'nobody', n }, () => over++)
  busy[0]!()
  expect(over).toBe(50_000)
  await close()
})
it('messages begin in the order in which they came, those of listeners behind them', async () => {
  const { mq, close } = await emitter()
  const seen: number[] = []
  mq.on('line', ({ n }, done) => {
    seen.push(n)
    if (n < 10) mq.emit({ topic: 'line', n: n + 10 })
    done()
  })
  for (let n = 0; n < 3; n++) mq.emit({ topic: 'line', n })
  expect(seen).toEqual([0, 10, 1, 11, 2, 12])
  await close()
})
