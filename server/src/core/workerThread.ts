import { Worker } from 'node:worker_threads'

/** The thread needed more time or memory than it may use. */
export class ThreadLimitError extends Error {}

/**
 * Runs a worker thread until its first message, which is returned. The thread is ended then, but its end is not
 * awaited: one that hangs outside of JavaScript never ends, and every later caller would wait for it.
 * @throws ThreadLimitError after `timeoutMs`, or if the thread needs more than `memoryMb`
 */
export async function runThread<Answer>(
  file: URL,
  {
    input,
    timeoutMs,
    memoryMb,
  }: {
    input: unknown
    timeoutMs: number
    memoryMb: number
  },
): Promise<Answer> {
  const worker = new Worker(file, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<Answer>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitError(error.message) : error,
        ),
      )
      worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)))
      timer = setTimeout(
        () => reject(new ThreadLimitError(`no answer in ${timeoutMs} ms`)),
        timeoutMs,
      )
    })
  } finally {
    clearTimeout(timer)
    void worker.terminate()
  }
}
