import axios, { AxiosError } from 'axios'
import {
  isWriteCall,
  responseCodes,
  headerNames,
  type Endpoint,
  type Envelope,
  type Input,
  type Output,
} from '../contract/endpoint'
import { store } from '../session/store'
import { tokenAtom } from '../session/user'
import { clearPrefetched, storePrefetched, takePrefetched } from './ahead'
import { isServerTimeKnown, serverNow } from './serverClock'
import {
  CallError,
  endSession,
  failureHandlers,
  missingPermissionCode,
  reportHttpFailure,
} from './call/failures'
import { getApiBase, http } from './call/http'

export {
  CallError,
  UnansweredError,
  failureHandlers,
  ignoreHandled,
  missingPermissionCode,
} from './call/failures'
export { getApiBase, http } from './call/http'

type Options = {
  signal?: AbortSignal
  /** Body codes that the caller shows itself, at the field or in a dialog. */
  handles?: number[]
  /**
   * The caller shows the failure in place; a missing permission to read or an unavailable server still leaves the page.
   */
  inline?: boolean
  /** No failure is shown; for calls that run in the background. */
  quiet?: boolean
  /** Idempotency key, see `newIdempotencyKey`: a repeated call with the same key returns the first answer. */
  press?: string
  /** The caller itself reports a missing response. */
  showsUnanswered?: boolean
  /** Latest time, by the server's clock, at which the work may begin; the call timeout by default. */
  deadlineMs?: number
}
type SendOptions = Options & { isWrite?: boolean }

export const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/**
 * Makes a declared call. Resolves with `data` if the body code is 0, otherwise shows the failure as in design §4. An
 * aborted call rejects silently.
 * @throws CallError if the call fails
 * @example const { list } = await call(brandApi.page, { pageNo: 1, name: '海' })
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options = {},
): Promise<Output<E>> {
  const headers = buildHeaders(endpoint, options)
  const isWrite = isWriteCall(endpoint)
  const request = { ...toRequest(endpoint, input), headers }
  const data = await sendRequest<Output<E>>(request, { ...options, isWrite })
  if (isWrite) clearPrefetched()
  return data
}

/** Returns the server time at which a call sent now would time out. */
export const getDeadlineMs = () => serverNow() + http.defaults.timeout!

function buildHeaders(endpoint: Endpoint, { press: idempotencyKey, deadlineMs }: Options) {
  const needsDeadline = isWriteCall(endpoint) && isServerTimeKnown()
  if (!idempotencyKey && !needsDeadline) return undefined
  return {
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    ...(needsDeadline && { [headerNames.deadline]: String(deadlineMs ?? getDeadlineMs()) }),
  }
}

/**
 * Preloads a read before the code of its screen has arrived. The same call within ten seconds takes over the response
 * or the failure.
 * @example prefetchCall(brandApi.page, { pageNo: 1, pageSize: 20 })
 */
export function prefetchCall(endpoint: Pick<Endpoint, 'method' | 'path'>, input: object) {
  const request = toRequest(endpoint, input)
  storePrefetched(toRequestKey(request), http.request(request))
}

/** Stores a received response for the next caller of the same request. */
export const seedPrefetch = <E extends Endpoint>(endpoint: E, input: Input<E>, data: Output<E>) =>
  storePrefetched(
    toRequestKey(toRequest(endpoint, input)),
    Promise.resolve({ data: { code: 0, msg: 'ok', data } }),
  )

const toRequest = ({ method, path }: Pick<Endpoint, 'method' | 'path'>, input: unknown) => {
  const { url, rest } = fillPath(path, (input ?? {}) as Record<string, unknown>)
  const isInQuery = method === 'GET' || method === 'DELETE'
  return { method, url, [isInQuery ? 'params' : 'data']: rest }
}
const toRequestKey = (request: object) => JSON.stringify([store.get(tokenAtom), request])

/** Uploads one file as multipart; `onProgress` receives 0 to 1. */
export async function upload<T>(
  path: string,
  file: File,
  onProgress?: (fraction: number) => void,
  options: Options = {},
) {
  const data = new FormData()
  data.append('file', file)
  const answer = await sendRequest<T>(
    {
      method: 'POST',
      url: path,
      data,
      onUploadProgress: (event) => onProgress?.(event.progress ?? 0),
    },
    { ...options, isWrite: true },
  )
  clearPrefetched()
  return answer
}

/** Downloads a file of this user and saves it in the browser. A refusal is shown like that of a call. */
export async function download(path: string, name: string) {
  const content = await sendRequest<ArrayBuffer>(
    {
      method: 'GET',
      url: path,
      responseType: 'arraybuffer',
      timeout: 0,
      transformResponse: (data: ArrayBuffer, headers): unknown =>
        String(headers?.['content-type']).includes('json')
          ? JSON.parse(new TextDecoder().decode(data))
          : { code: 0, msg: '', data },
    },
    {},
  )
  const url = URL.createObjectURL(new Blob([content]))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

type RequestConfig = Parameters<typeof http.request>[0]

async function sendRequest<T>(
  config: RequestConfig,
  { signal, handles = [], inline, quiet, showsUnanswered, isWrite }: SendOptions,
): Promise<T> {
  const tokenWhenSent = store.get(tokenAtom)
  try {
    const prefetchedResponse = takePrefetched(toRequestKey(config)) as
      | Promise<{ data: Envelope<T> }>
      | undefined
    const { data: body } = await (prefetchedResponse ??
      http.request<Envelope<T>>({ ...config, signal }))
    if (body?.code === 0) return body.data
    const error = new CallError(body?.msg ?? '服务器的回答无法识别', body?.code, body?.data)
    // A late response to an expired session must not end the session that followed it.
    if (error.code === responseCodes.session && tokenWhenSent === store.get(tokenAtom))
      endSession(error.message)
    const isHandledByCaller = quiet || inline || handles.includes(error.code ?? -1)
    if (!isHandledByCaller && error.code !== responseCodes.session)
      failureHandlers.showError(error.message)
    throw error
  } catch (error) {
    if (error instanceof AxiosError && !axios.isCancel(error))
      throw reportHttpFailure(error, {
        quiet,
        inline: inline ?? handles.includes(missingPermissionCode),
        showsUnanswered,
        isWrite,
      })
    throw error
  }
}

function fillPath(path: string, input: Record<string, unknown>) {
  const rest = { ...input }
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(input[name]))
  })
  return { url: filledPath, rest }
}

/** @deprecated Use {@link failureHandlers}; kept for remotes that were built before. */
export const page = failureHandlers

/** @deprecated Use {@link missingPermissionCode}; kept for remotes that were built before. */
export const missingRight = missingPermissionCode

/** @deprecated Use {@link newIdempotencyKey}; kept for remotes that were built before. */
export const newPress = newIdempotencyKey

/** @deprecated Use {@link prefetchCall}; kept for remotes that were built before. */
export const callAhead = prefetchCall

/** @deprecated Use {@link seedPrefetch}; kept for remotes that were built before. */
export const answered = seedPrefetch

/** @deprecated Use {@link getApiBase}; kept for remotes that were built before. */
export const apiBase = getApiBase

/** @deprecated Use {@link getDeadlineMs}; kept for remotes that were built before. */
export const nextDeadline = getDeadlineMs
