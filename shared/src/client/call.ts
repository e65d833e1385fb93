import axios, { AxiosError, type AxiosResponse } from 'axios'
import {
  changes,
  codes,
  headerNames,
  type Endpoint,
  type Envelope,
  type Input,
  type Output,
} from '../contract/endpoint'
import { liveRightsAtom } from '../session/live'
import { store } from '../session/store'
import { endReasonAtom, signOutAtom, tokenAtom } from '../session/user'
import { dropAhead, keep, take } from './ahead'
import { isServerTimeKnown, learnServerTime, serverNow } from './serverClock'
import { statusTexts } from './statusTexts'
import { pageMeta } from './pageMeta'

/** What the page does about failures; the host connects it once at start. */
export const page = {
  showError: (_message: string): void => {},
  /** Sign-in is asked for, `endReasonAtom` says why; the page keeps where it was. */
  toLogin: (): void => {},
  /** `message` names the missing right. */
  toForbidden: (_message: string): void => {},
  toUnavailable: (): void => {},
}

/** A call that did not succeed. `code` is the body code, or undefined when there was no answer with one. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly code?: number,
    readonly data?: unknown,
    readonly status?: number,
  ) {
    super(message)
    this.name = 'CallError'
  }
}

/** A call of which it is not known whether the platform did it: no answer came. */
export class UnansweredError extends CallError {}

/** The host of all calls comes with the page: `<meta name="api-base" content="https://…">`; the page's own where empty. */
export const apiBase = () => pageMeta('api-base') ?? ''

export const http = axios.create({ timeout: 20_000 })

const sentTimes = new WeakMap<object, number>()
http.interceptors.request.use((config) => {
  sentTimes.set(config, Date.now())
  config.baseURL = apiBase()
  const token = store.get(tokenAtom)
  if (token) config.headers.set('satoken', `Bearer ${token}`)
  return config
})

http.interceptors.response.use(
  (response) => {
    learn(response)
    return response
  },
  (error: AxiosError) => {
    if (error.response) learn(error.response)
    throw error
  },
)
function learn({ config, headers }: AxiosResponse) {
  const time: unknown = headers[headerNames.serverTime]
  const sentMs = sentTimes.get(config)
  if (sentMs !== undefined && time !== undefined) learnServerTime(Number(time), sentMs, Date.now())
}

/** HTTP status, and code of a `CallError`, where the caller has not the right; `handles` may name it. */
export const missingRight = 403

type Options = {
  signal?: AbortSignal
  /** Body codes the caller shows itself, at the field or in a dialog. */
  handles?: number[]
  /** The caller shows the failure in place; a missing right to read or a server that is down still takes the page there. */
  inline?: boolean
  /** Nothing is shown for any failure; for what runs by itself. */
  quiet?: boolean
  /** Name of a press, see `newPress`: sent again under it, the platform answers what it did the first time. */
  press?: string
  /** The caller says itself that no answer came. */
  showsUnanswered?: boolean
  /** Until when, by the server's clock, the work may begin; as long as the call waits where left out. */
  deadlineMs?: number
}
type SendOptions = Options & { isWrite?: boolean }

export const newPress = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/**
 * Makes a declared call. Resolves with `data` when the body code is 0, otherwise shows the failure as design §4 says
 * and rejects with a CallError. A call that was aborted rejects without a word.
 * @example const { list } = await call(brandApi.page, { pageNo: 1, name: '海' })
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options = {},
): Promise<Output<E>> {
  const headers = headersOf(endpoint, options)
  const isWrite = changes(endpoint)
  const request = { ...requestOf(endpoint, input), headers }
  const data = await send<Output<E>>(request, { ...options, isWrite })
  if (isWrite) dropAhead()
  return data
}

/** What a call waits for at most, as a moment of the server's clock. */
export const nextDeadline = () => serverNow() + http.defaults.timeout!

function headersOf(endpoint: Endpoint, { press, deadlineMs }: Options) {
  const hasDeadline = changes(endpoint) && isServerTimeKnown()
  if (!press && !hasDeadline) return undefined
  return {
    ...(press && { 'Idempotency-Key': press }),
    ...(hasDeadline && { [headerNames.deadline]: String(deadlineMs ?? nextDeadline()) }),
  }
}

/**
 * Sends a call that only reads before the screen that makes it is there. The same call, made within ten seconds, takes
 * the answer over, and a failure with it.
 * @example callAhead(brandApi.page, { pageNo: 1, pageSize: 20 })
 */
export function callAhead(endpoint: Pick<Endpoint, 'method' | 'path'>, input: object) {
  const request = requestOf(endpoint, input)
  keep(keyOf(request), http.request(request))
}

/** What was just answered need not be asked for again by who comes next. */
export const answered = <E extends Endpoint>(endpoint: E, input: Input<E>, data: Output<E>) =>
  keep(keyOf(requestOf(endpoint, input)), Promise.resolve({ data: { code: 0, msg: 'ok', data } }))

const requestOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>, input: unknown) => {
  const { url, rest } = fillPath(path, (input ?? {}) as Record<string, unknown>)
  const inQuery = method === 'GET' || method === 'DELETE'
  return { method, url, [inQuery ? 'params' : 'data']: rest }
}
const keyOf = (request: object) => JSON.stringify([store.get(tokenAtom), request])

/** Uploads one file as multipart; `onProgress` gets 0 to 1. */
export async function upload<T>(
  path: string,
  file: File,
  onProgress?: (part: number) => void,
  options: Options = {},
) {
  const data = new FormData()
  data.append('file', file)
  const answer = await send<T>(
    { method: 'POST', url: path, data, onUploadProgress: (e) => onProgress?.(e.progress ?? 0) },
    { ...options, isWrite: true },
  )
  dropAhead()
  return answer
}

/** Fetches a file that is for this user only and lets the browser keep it. A refusal is shown like that of a call. */
export async function download(path: string, name: string) {
  const content = await send<ArrayBuffer>(
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

type Request = Parameters<typeof http.request>[0]

async function send<T>(
  config: Request,
  { signal, handles = [], inline, quiet, showsUnanswered, isWrite }: SendOptions,
): Promise<T> {
  const sentWith = store.get(tokenAtom)
  try {
    const ahead = take(keyOf(config)) as Promise<{ data: Envelope<T> }> | undefined
    const { data: body } = await (ahead ?? http.request<Envelope<T>>({ ...config, signal }))
    if (body?.code === 0) return body.data
    const error = new CallError(body?.msg ?? '服务器的回答无法识别', body?.code, body?.data)
    // A late answer to a session that is over must not end the one that followed it.
    if (error.code === codes.session && sentWith === store.get(tokenAtom)) endSession(error.message)
    const isShown = quiet || inline || handles.includes(error.code ?? -1)
    if (!isShown && error.code !== codes.session) page.showError(error.message)
    throw error
  } catch (error) {
    if (error instanceof AxiosError && !axios.isCancel(error))
      throw explain(error, {
        quiet,
        inline: inline ?? handles.includes(missingRight),
        showsUnanswered,
        isWrite,
      })
    throw error
  }
}

function endSession(reason: string) {
  const wasSignedIn = store.get(tokenAtom) !== null
  store.set(endReasonAtom, reason)
  store.set(signOutAtom)
  if (wasSignedIn || location.pathname !== '/login') page.toLogin()
  else page.showError(reason)
}

function explain(
  error: AxiosError,
  { quiet, inline, showsUnanswered, isWrite }: SendOptions,
): CallError {
  const status = error.response?.status
  const said = messageOf(error.response?.data)
  const text =
    error.code === 'ECONNABORTED' || error.code === 'ETIMEDOUT'
      ? '请求超时，请稍后再试'
      : status === undefined
        ? networkText(error)
        : (said ?? statusTexts[status] ?? `请求失败（${status}）`)
  const isUnanswered = status === undefined || unansweredStatuses.has(status)
  if (!quiet && !(isUnanswered && showsUnanswered)) {
    // A refused write keeps the page and its text; only a read that is not permitted leads to the error page.
    if (status === missingRight && !isWrite) page.toForbidden(text)
    else if (status === 500) page.toUnavailable()
    else if (!inline) page.showError(text)
  }
  // Permissions are read again, so that the form shows at once which one is missing.
  if (status === missingRight && isWrite) store.set(liveRightsAtom, (count) => count + 1)
  const Kind = isUnanswered ? UnansweredError : CallError
  return new Kind(text, status === missingRight ? missingRight : undefined, undefined, status)
}

/** A gateway in between, or a server without its database, answers these for work that may have been begun. */
const unansweredStatuses = new Set([502, 503, 504])

/** A browser tells no more of a broken connection than “Network Error”; what does say more is passed on. */
const networkText = ({ code, message }: AxiosError) =>
  code === AxiosError.ERR_NETWORK ? '网络不通，请检查网络后重试' : `网络连接失败：${message}`

const messageOf = (body: unknown) =>
  typeof body === 'object' &&
  body !== null &&
  'message' in body &&
  typeof body.message === 'string' &&
  body.message !== ''
    ? body.message
    : undefined

function fillPath(path: string, input: Record<string, unknown>) {
  const rest = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(input[name]))
  })
  return { url: filled, rest }
}
