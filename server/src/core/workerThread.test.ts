import { Worker } from 'node:worker_threads'
import { ThreadLimitError, runThread } from './workerThread'

const toFile = (source: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from 'node:worker_threads'; ${source}`)}`,
  )
const run = (source: string, timeoutMs = 60_000) =>
  runThread<unknown>(toFile(source), { input: 'lamp', timeoutMs, memoryMb: 64 })

describe('runThread', () => {
  it('refuses a thread that needs too long', () =>
    expect(run('for (;;);', 100)).rejects.toThrow(ThreadLimitError))
  it('refuses a thread that needs too much memory', () =>
    expect(
      run('const texts = []; for (;;) texts.push(Array.from({ length: 1000 }, String))'),
    ).rejects.toThrow(ThreadLimitError))
  it('passes on an error of the thread', () =>
    expect(run('throw new Error("dark")')).rejects.toThrow('dark'))
  it('notices a thread that ends without an answer', () =>
    expect(run('')).rejects.toThrow('the thread ended with 0'))
  it('returns the answer although the thread does not end', async () => {
    const terminate = jest
      .spyOn(Worker.prototype, 'terminate')
      .mockReturnValue(new Promise<number>(() => {}))
    expect(await run('parentPort.postMessage(workerData + "s")')).toBe('lamps')
    expect(terminate).toHaveBeenCalled()
    terminate.mockRestore()
  })
})
