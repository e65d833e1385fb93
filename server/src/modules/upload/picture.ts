import { availableParallelism } from 'node:os'
import { uploadLimits } from '@iot/shared/contract/platform/upload'
import pLimit from 'p-limit'
import { Refusal, createFieldRefusal } from '../../core/refusal'
import { ThreadLimitError, runThread } from '../../core/workerThread'
import type { ExaminationResult, ExaminedPicture } from './examine.mjs'

const examineTimeoutMs = 10_000
/** Limit of worker threads: one core stays free for calls, and two drawings at a time are enough for uploads. */
const maxWorkers = Math.min(2, Math.max(1, availableParallelism() - 1))
const maxQueued = 8
const runLimited = pLimit(maxWorkers)

/**
 * Checks an uploaded picture and returns what is stored: a raster picture without place and camera, a drawing without scripts,
 * animations and external content. A worker thread with a time and memory limit does this, so that no file delays
 * calls.
 * @throws if the file is no picture, is truncated, or is too large
 */
export async function examinePicture(fileContent: Buffer): Promise<ExaminedPicture> {
  if (runLimited.pendingCount >= maxQueued)
    throw new Refusal(429, '正在处理的图片太多，请稍后再传', null, 429)
  const answer = await runLimited(() => runWorker(fileContent))
  if ('refusal' in answer) throw createFieldRefusal('file', answer.refusal)
  return { ...answer, content: Buffer.from(answer.content) }
}

async function runWorker(fileContent: Buffer): Promise<ExaminationResult> {
  try {
    return await runThread<ExaminationResult>(new URL('./picture.worker.mjs', import.meta.url), {
      input: { bytes: fileContent, limits: uploadLimits },
      timeoutMs: examineTimeoutMs,
      memoryMb: 512,
    })
  } catch (error) {
    if (error instanceof ThreadLimitError)
      return { refusal: '图片太复杂，处理不完，请简化后再上传' }
    throw error
  }
}
