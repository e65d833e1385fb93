import { readPageMeta } from '@iot/shared/contract/pageMeta'
import { getBackoffMs } from '@iot/shared/contract/backoff'
import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import { LoadFailure, rememberFailure } from './failure'

/** A download is aborted when no data arrives for this time in ms; a slow one may take longer. */
export const stallTimeoutMs = Number(readPageMeta('load-deadline')) || 8000
const maxAttempts = 3

const toAbsoluteUrl = (url: string) => new URL(url, location.href).href
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Full jitter keeps pages that failed together from retrying together. */
const pauseBeforeRetry = (attempt: number) =>
  wait(getBackoffMs(attempt, { firstMs: 400, jitter: [0, 1] }))

const integrityByUrl = new Map<string, string>()
/** Registers integrity hashes: files below `folder` run only if they match. */
export function registerIntegrity(folder: string, files: Record<string, string>) {
  for (const [file, hash] of Object.entries(files))
    integrityByUrl.set(toAbsoluteUrl(folder + file), hash)
}
/** Removes the hashes that `registerIntegrity` registered and the folder's style sheets from the page. */
export function removeBuildFiles(folder: string) {
  for (const url of integrityByUrl.keys())
    if (url.startsWith(toAbsoluteUrl(folder))) integrityByUrl.delete(url)
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (link.href.startsWith(toAbsoluteUrl(folder))) link.remove()
}
let remainingHashes: { folder: string; read: () => Promise<unknown> } | undefined
/** Registers a callback that reads the hashes of a folder's remaining files when one of them is requested. */
export const registerRemainingHashes = (folder: string, readHashes: () => Promise<unknown>) =>
  void (remainingHashes = { folder: toAbsoluteUrl(folder), read: readHashes })

let trustedOrigin: string | undefined
/** Lets scripts of a developer's machine run without hashes; override.ts explains when. */
export const trustOrigin = (origin: string) => void (trustedOrigin = origin)
const isTrusted = (file: string) =>
  trustedOrigin !== undefined && new URL(file).origin === trustedOrigin

export const getIntegrity = (url: string) => integrityByUrl.get(toAbsoluteUrl(url))
/** A script may run if a release record names it or if its origin is the trusted development server. */
export const mayRun = (url: string) =>
  integrityByUrl.has(toAbsoluteUrl(url)) || isTrusted(toAbsoluteUrl(url))

const isTransient = (status: number) => status >= 500 || status === 429 || status === 408

type FetchOptions = {
  type: RegExp
  integrity?: string
  isWhole?: (text: string) => boolean
  priority?: RequestPriority
  cache?: RequestCache
}

let activeFetches = 0
export const isFetching = () => activeFetches > 0

/**
 * Fetches a complete file with a stall timeout, and retries transient failures with jitter. The second attempt bypasses
 * the cache, which may hold the bad response.
 * @throws {LoadFailure} with the reason
 */
export async function fetchFile(url: string, options: FetchOptions): Promise<string> {
  activeFetches++
  return fetchWithRetry(url, options).finally(() => activeFetches--)
}

async function fetchWithRetry(url: string, { cache, ...options }: FetchOptions) {
  for (let attempt = 1; ; attempt++) {
    const result = await attemptFetch(url, { ...options, cache: attempt > 1 ? 'reload' : cache })
    if (typeof result === 'string') {
      cachedFiles.add(toAbsoluteUrl(url))
      return result
    }
    if (attempt === maxAttempts || !result.again) throw rememberFailure(result.why)
    await pauseBeforeRetry(attempt)
  }
}

async function attemptFetch(
  url: string,
  { type, integrity, isWhole, priority, cache = 'default' }: FetchOptions,
) {
  const file = toAbsoluteUrl(url)
  const fail = (failure: LoadFailure, canRetry = false) => ({ why: failure, again: canRetry })
  const stallTimer = createStallTimer()
  try {
    const response = await fetch(url, {
      signal: stallTimer.signal,
      cache,
      ...(priority && { priority }),
    })
    const text = await stallTimer.read(response)
    if (response.status === 404 || response.status === 410)
      return fail(new LoadFailure('updated', '文件不存在', file))
    if (!response.ok)
      return fail(
        new LoadFailure('network', `服务器回答 ${response.status}`, file),
        isTransient(response.status),
      )
    if (!type.test(response.headers.get('content-type') ?? ''))
      return fail(new LoadFailure('updated', '服务器回答的不是程序文件', file), true)
    // If the hash were part of the first request, a missing file and a wrong file could not be told apart.
    if (integrity && !(await matchesIntegrity(url, integrity)))
      return fail(new LoadFailure('script', '文件内容与发布记录不符', file), true)
    if (isWhole && !isWhole(text)) return fail(new LoadFailure('network', '文件不完整', file), true)
    return text
  } catch (error) {
    const hasStalled = stallTimer.signal.aborted
    return fail(
      new LoadFailure(
        'network',
        hasStalled ? `${stallTimeoutMs / 1000} 秒内没有回答` : '连接中断',
        file,
        {
          cause: error,
        },
      ),
      !hasStalled,
    )
  } finally {
    stallTimer.end()
  }
}

/** Aborts the request when no data has arrived for `stallTimeoutMs` ms. */
function createStallTimer() {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(), stallTimeoutMs)
  }
  restart()
  return {
    signal: controller.signal,
    end: () => clearTimeout(timer),
    async read({ body }: Response) {
      let text = ''
      if (!body) return text
      const decoder = new TextDecoder()
      const reader = body.getReader()
      for (;;) {
        const { done: isDone, value } = await reader.read()
        if (isDone) return text + decoder.decode()
        restart()
        text += decoder.decode(value, { stream: true })
      }
    },
  }
}

/**
 * Compares the hash by a second fetch from the cache. Hashing in script needs a secure context, which a site inside a
 * building does not have.
 */
const matchesIntegrity = (url: string, integrity: string) =>
  fetch(url, { integrity, cache: 'force-cache', signal: AbortSignal.timeout(stallTimeoutMs) }).then(
    () => true,
    () => false,
  )

/** These files are complete in the browser's cache, where files of a build stay for a year. */
const cachedFiles = new Set<string>()
const fetchOnce = createSingleFlight(fetchFile)

/** Prefetches a file into the browser's cache without running it. */
export const prefetchFile = (url: string) =>
  ensureCached(toAbsoluteUrl(url), { type: /javascript|css/, priority: 'low' }).catch(() => {})

/** Fetches a file of a build unless it is already cached or in progress. */
async function ensureCached(file: string, options: FetchOptions) {
  if (cachedFiles.has(file)) return
  await fetchOnce(file, options)
}

/** Runs a script once, if it matches the hash in its release record. Concurrent requests share one load. */
export const loadScript = (url: string) => runOnce(toAbsoluteUrl(url))
const runOnce = createSingleFlight(runScript)

async function runScript(file: string) {
  if (isTrusted(file)) {
    if (!(await insertScript(file)))
      throw rememberFailure(new LoadFailure('network', '开发机没有回答', file))
    return
  }
  const integrity = await requireIntegrity(file)
  // A script element hides why it failed and cannot be aborted, so the file is fetched first and then run from the
  // cache.
  await ensureCached(file, { type: /javascript/ })
  if (await insertScript(file, integrity)) return
  await fetchFile(file, { type: /javascript/, cache: 'reload' })
  if (!(await insertScript(file, integrity)))
    throw rememberFailure(new LoadFailure('script', '文件内容与发布记录不符', file))
}

function insertScript(src: string, integrity = '') {
  const script = Object.assign(document.createElement('script'), {
    src,
    integrity,
    crossOrigin: 'anonymous',
  })
  return new Promise<boolean>((resolve) => {
    script.onload = () => resolve(true)
    script.onerror = () => resolve(false)
    document.head.append(script)
  }).finally(() => script.remove())
}

/**
 * Loads a chunk for webpack, which created the element and waits for one of its events. The element itself is never
 * loaded, because it could not tell why it failed.
 */
export const webpackLoadChunk = (script: HTMLScriptElement, url: string) => {
  const target = { src: toAbsoluteUrl(url) }
  loadScript(url).then(
    () => script.onload?.({ type: 'load', target } as never),
    () => script.onerror?.({ type: 'failed', target } as never),
  )
}

/** Replaces webpack's way to add a chunk's style sheet; `link` is not yet in the document. */
export const webpackInsertStyle = (link: HTMLLinkElement) => {
  addStyle(link).catch(() => link.onerror?.(new Event('failed')))
}

async function addStyle(link: HTMLLinkElement) {
  const file = link.href
  if (!isTrusted(file)) {
    link.integrity = await requireIntegrity(file)
    link.crossOrigin = 'anonymous'
    await ensureCached(file, { type: /css/ })
    // A style sheet added without this check would fail in the same way whether the file is wrong or missing.
    if (!(await matchesIntegrity(file, link.integrity)))
      await fetchFile(file, { type: /css/, integrity: link.integrity, cache: 'reload' })
  }
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve)
    link.addEventListener('error', reject)
    document.head.append(link)
  })
}

async function requireIntegrity(file: string) {
  if (!getIntegrity(file) && remainingHashes && file.startsWith(remainingHashes.folder))
    await remainingHashes.read()
  const integrity = getIntegrity(file)
  if (!integrity) throw rememberFailure(new LoadFailure('script', '文件不在发布记录中', file))
  return integrity
}
