import { readPageMeta } from '@iot/shared/client/pageMeta'
import { getBackoffMs } from '@iot/shared/contract/backoff'
import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import { LoadFailure, rememberFailure } from './failure'

/** A download is aborted when no data arrives for this time in ms; a slow one may take longer. */
export const DEADLINE = Number(readPageMeta('load-deadline')) || 8000
const TRIES = 3

const absolute = (url: string) => new URL(url, location.href).href
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Full jitter keeps pages that failed together from retrying together. */
const pause = (attempt: number) => wait(getBackoffMs(attempt, { firstMs: 400, jitter: [0, 1] }))

const pinned = new Map<string, string>()
/** Registers integrity hashes: files below `folder` run only if they match. */
export function pin(folder: string, files: Record<string, string>) {
  for (const [file, hash] of Object.entries(files)) pinned.set(absolute(folder + file), hash)
}
/** Removes the hashes that `pin` registered and the folder's style sheets from the page. */
export function unpin(folder: string) {
  for (const url of pinned.keys()) if (url.startsWith(absolute(folder))) pinned.delete(url)
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (link.href.startsWith(absolute(folder))) link.remove()
}
let later: { folder: string; read: () => Promise<unknown> } | undefined
/** Registers a callback that reads the hashes of a folder's remaining files when one of them is requested. */
export const pinLater = (folder: string, readHashes: () => Promise<unknown>) =>
  void (later = { folder: absolute(folder), read: readHashes })

let trusted: string | undefined
/** Lets scripts of a developer's machine run without hashes; override.ts explains when. */
export const trust = (origin: string) => void (trusted = origin)
const isTrusted = (file: string) => trusted !== undefined && new URL(file).origin === trusted

export const getIntegrity = (url: string) => pinned.get(absolute(url))
/** A script may run if a release record names it or if its origin is the trusted development server. */
export const mayRun = (url: string) => pinned.has(absolute(url)) || isTrusted(absolute(url))

const isTransient = (status: number) => status >= 500 || status === 429 || status === 408

type Wanted = {
  type: RegExp
  integrity?: string
  isWhole?: (text: string) => boolean
  priority?: RequestPriority
  cache?: RequestCache
}

let fetching = 0
export const isFetching = () => fetching > 0

/**
 * Fetches a complete file with a stall timeout, and retries transient failures with jitter. The second attempt bypasses
 * the cache, which may hold the bad response.
 * @throws {LoadFailure} with the reason
 */
export async function fetchFile(url: string, options: Wanted): Promise<string> {
  fetching++
  return fetchedWhole(url, options).finally(() => fetching--)
}

async function fetchedWhole(url: string, { cache, ...options }: Wanted) {
  for (let attempt = 1; ; attempt++) {
    const failure = await attemptAt(url, { ...options, cache: attempt > 1 ? 'reload' : cache })
    if (typeof failure === 'string') {
      fetched.add(absolute(url))
      return failure
    }
    if (attempt === TRIES || !failure.again) throw rememberFailure(failure.why)
    await pause(attempt)
  }
}

async function attemptAt(
  url: string,
  { type, integrity, isWhole, priority, cache = 'default' }: Wanted,
) {
  const file = absolute(url)
  const no = (why: LoadFailure, again = false) => ({ why, again })
  const patience = whileItComes()
  try {
    const answer = await fetch(url, {
      signal: patience.signal,
      cache,
      ...(priority && { priority }),
    })
    const text = await patience.read(answer)
    if (answer.status === 404 || answer.status === 410)
      return no(new LoadFailure('updated', '文件不存在', file))
    if (!answer.ok)
      return no(
        new LoadFailure('network', `服务器回答 ${answer.status}`, file),
        isTransient(answer.status),
      )
    if (!type.test(answer.headers.get('content-type') ?? ''))
      return no(new LoadFailure('updated', '服务器回答的不是程序文件', file), true)
    // If the hash were part of the first request, a missing file and a wrong file could not be told apart.
    if (integrity && !(await isAsPinned(url, integrity)))
      return no(new LoadFailure('script', '文件内容与发布记录不符', file), true)
    if (isWhole && !isWhole(text)) return no(new LoadFailure('network', '文件不完整', file), true)
    return text
  } catch (error) {
    const late = patience.signal.aborted
    return no(
      new LoadFailure('network', late ? `${DEADLINE / 1000} 秒内没有回答` : '连接中断', file, {
        cause: error,
      }),
      !late,
    )
  } finally {
    patience.end()
  }
}

/** Aborts the request when no data has arrived for `DEADLINE` ms. */
function whileItComes() {
  const stalled = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const renew = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(), DEADLINE)
  }
  renew()
  return {
    signal: stalled.signal,
    end: () => clearTimeout(timer),
    async read({ body }: Response) {
      let text = ''
      if (!body) return text
      const decoder = new TextDecoder()
      const reader = body.getReader()
      for (;;) {
        const { done: isDone, value } = await reader.read()
        if (isDone) return text + decoder.decode()
        renew()
        text += decoder.decode(value, { stream: true })
      }
    },
  }
}

/**
 * Compares the hash by a second fetch from the cache. Hashing in script needs a secure context, which a site inside a
 * building does not have.
 */
const isAsPinned = (url: string, integrity: string) =>
  fetch(url, { integrity, cache: 'force-cache', signal: AbortSignal.timeout(DEADLINE) }).then(
    () => true,
    () => false,
  )

/** These files are complete in the browser's cache, where files of a build stay for a year. */
const fetched = new Set<string>()
const fetchOnce = createSingleFlight(fetchFile)

/** Prefetches a file into the browser's cache without running it. */
export const prefetch = (url: string) =>
  have(absolute(url), { type: /javascript|css/, priority: 'low' }).catch(() => {})

/** Fetches a file of a build unless it is already cached or in progress. */
async function have(file: string, options: Wanted) {
  if (fetched.has(file)) return
  await fetchOnce(file, options)
}

/** Runs a script once, if it matches the hash in its release record. Concurrent requests share one load. */
export const loadScript = (url: string) => runOnce(absolute(url))
const runOnce = createSingleFlight(run)

async function run(file: string) {
  if (isTrusted(file)) {
    if (!(await element(file)))
      throw rememberFailure(new LoadFailure('network', '开发机没有回答', file))
    return
  }
  const integrity = await pinnedHash(file)
  // A script element hides why it failed and cannot be aborted, so the file is fetched first and then run from the
  // cache.
  await have(file, { type: /javascript/ })
  if (await element(file, integrity)) return
  await fetchFile(file, { type: /javascript/, cache: 'reload' })
  if (!(await element(file, integrity)))
    throw rememberFailure(new LoadFailure('script', '文件内容与发布记录不符', file))
}

function element(src: string, integrity = '') {
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

/** Replaces webpack's chunk loader `(url, done)` in the host and in every remote. */
export const webpackLoadScript = (
  url: string,
  onSettled: (event: { type: string; target: { src: string } }) => void,
) => {
  const src = absolute(url)
  loadScript(url).then(
    () => onSettled({ type: 'load', target: { src } }),
    () => onSettled({ type: 'failed', target: { src } }),
  )
}

/** Replaces webpack's way to add a chunk's style sheet; `link` is not yet in the document. */
export const webpackInsertStyle = (link: HTMLLinkElement) => {
  addStyle(link).catch(() => link.onerror?.(new Event('failed')))
}

async function addStyle(link: HTMLLinkElement) {
  const file = link.href
  if (!isTrusted(file)) {
    link.integrity = await pinnedHash(file)
    link.crossOrigin = 'anonymous'
    await have(file, { type: /css/ })
    // A style sheet added without this check would fail in the same way whether the file is wrong or missing.
    if (!(await isAsPinned(file, link.integrity)))
      await fetchFile(file, { type: /css/, integrity: link.integrity, cache: 'reload' })
  }
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve)
    link.addEventListener('error', reject)
    document.head.append(link)
  })
}

/** Adds the style sheets that the page's own HTML preloads. */
export async function ownStyles() {
  for (const preloadLink of document.querySelectorAll<HTMLLinkElement>('link[as=style]')) {
    const add = () =>
      addStyle(
        Object.assign(document.createElement('link'), {
          rel: 'stylesheet',
          href: preloadLink.href,
        }),
      )
    // Chromium reports a failed preload to the first request for the file, even if the file is available now.
    await add().catch((error: unknown) => {
      if (error instanceof LoadFailure) throw error
      return add()
    })
    preloadLink.remove()
  }
}

async function pinnedHash(file: string) {
  if (!getIntegrity(file) && later && file.startsWith(later.folder)) await later.read()
  const integrity = getIntegrity(file)
  if (!integrity) throw rememberFailure(new LoadFailure('script', '文件不在发布记录中', file))
  return integrity
}
