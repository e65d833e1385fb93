import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { uploadLimits } from '@iot/shared/contract/upload'
import pLimit from 'p-limit'
import { Refusal, wrongField } from '../../core/refusal'

const examineTimeoutMs = 10_000
/** One core stays free for calls; two drawings at once are enough for those who upload. */
const maxWorkers = Math.min(2, Math.max(1, availableParallelism() - 1))
const maxQueued = 8
const runLimited = pLimit(maxWorkers)

export type ExaminedPicture = {
  type: string
  content: Buffer
  /** What of a drawing was left out, each a phrase for who uploads it. */
  omitted: string[]
}
type Answer = { refusal: string } | ExaminedPicture

/**
 * What is kept of an uploaded picture: a raster picture as it is, a drawing without what runs, moves or loads. Refuses
 * what is none, is cut off, or is too large. Each has a worker thread of its own with a deadline and a limit of memory,
 * so that no file holds up the calls of others.
 */
export async function examinePicture(received: Buffer): Promise<ExaminedPicture> {
  if (runLimited.pendingCount >= maxQueued)
    throw new Refusal(429, '正在处理的图片太多，请稍后再传', null, 429)
  const answer = await runLimited(() => runWorker(received))
  if ('refusal' in answer) throw wrongField('file', answer.refusal)
  return { ...answer, content: Buffer.from(answer.content) }
}

async function runWorker(received: Buffer): Promise<Answer> {
  const worker = new Worker(new URL('./picture.worker.mjs', import.meta.url), {
    workerData: { bytes: received, limits: uploadLimits },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  try {
    const signal = AbortSignal.timeout(examineTimeoutMs)
    const [answer] = (await once(worker, 'message', { signal })) as [Answer]
    return answer
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException
    if (name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY')
      return { refusal: '图片太复杂，处理不完，请简化后再上传' }
    throw error
  } finally {
    await worker.terminate()
  }
}
