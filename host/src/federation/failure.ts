import type { FailureKind } from '@iot/shared/contract/release/releaseCenter.schema'

export class LoadFailure extends Error {
  /** The trace id appears on the screen and in the error log, so that both can be matched. */
  readonly trace = Math.random().toString(36).slice(2, 10)
  area?: string
  build?: string

  constructor(
    readonly kind: FailureKind,
    readonly detail: string,
    readonly file?: string,
    options?: ErrorOptions,
  ) {
    super(`${kind}: ${detail}${file ? ` (${file})` : ''}`, options)
    this.name = 'LoadFailure'
  }
}

const failuresByFile = new Map<string, LoadFailure>()
/**
 * Keeps failures by file, because webpack and the federation runtime wrap the loader's error and only the file name
 * leads back to it.
 */
export const rememberFailure = (failure: LoadFailure) => {
  if (failure.file) failuresByFile.set(failure.file, failure)
  return failure
}

type ChunkError = Error & { request?: string; code?: string; type?: string }
const isChunkError = (error: Error): error is ChunkError =>
  error.name === 'ChunkLoadError' || (error as ChunkError).code === 'CSS_CHUNK_LOAD_FAILED'

/** Tells a failed load from an error that the loaded code throws. */
export const isLoadFailure = (error: unknown): boolean =>
  error instanceof LoadFailure || (error instanceof Error && isChunkError(error))

/** Finds the original load failure behind an error of the loader, webpack or the federation runtime. */
export function asLoadFailure(error: unknown): LoadFailure {
  if (error instanceof LoadFailure) return error
  const {
    request = '',
    type,
    cause,
    message,
  } = error instanceof Error ? (error as ChunkError) : { message: String(error) }
  const originalFailure =
    failuresByFile.get(request) ?? (cause instanceof LoadFailure ? cause : undefined)
  if (originalFailure) return originalFailure
  // webpack reports `missing` when the file was fetched and run but registered no modules, so it threw while running.
  if (type === 'missing')
    return new LoadFailure('script', '文件运行时出错', request, { cause: error })
  return new LoadFailure(
    error instanceof Error && isChunkError(error) ? 'updated' : 'script',
    message,
    request,
    { cause: error },
  )
}

const updatedTitle = '系统已更新，请重新加载'

/** `missing` means that no release contains the code; every other kind means that existing code did not load. */
export const failureText: Record<FailureKind, { title: string; hint: string }> = {
  missing: { title: '该功能尚未部署', hint: '服务器上没有这部分程序，请联系管理员完成部署。' },
  network: { title: updatedTitle, hint: '没有取到程序文件，请检查网络；恢复后会自动打开。' },
  updated: { title: updatedTitle, hint: '填写中的内容已保留，重新加载后会恢复。' },
  incompatible: {
    title: updatedTitle,
    hint: '版本不兼容：这部分程序需要另一版本的控制台。若重新加载后仍如此，请联系管理员。',
  },
  script: {
    title: updatedTitle,
    hint: '程序文件被改动、不完整或运行出错。若重新加载后仍如此，请把下面的编号告诉管理员。',
  },
}
