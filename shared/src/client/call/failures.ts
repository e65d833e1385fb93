import { AxiosError } from 'axios'
import { getPageAddress } from '../../contract/platform/siteAddress'
import { permissionsReloadAtom } from '../../session/live'
import { store } from '../../session/store'
import { sessionEndReasonAtom, signOutAtom, tokenAtom } from '../../session/user'
import { statusTexts } from '../statusTexts'

/** Failure handlers of the page; the host sets them once at startup. */
export const failureHandlers = {
  showError: (_message: string): void => {},
  /** Opens the login screen, which shows `sessionEndReasonAtom`; the address is kept for the return. */
  toLogin: (): void => {},
  /** Opens the screen for a missing permission, which `message` names. */
  toForbidden: (_message: string): void => {},
  toUnavailable: (): void => {},
}

/** A failed call. `code` is the body code, or undefined if the response had none. */
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

/** Ignores a CallError, which `call` has already shown, and throws any other error. */
export const ignoreHandled = (error: unknown) => {
  if (!(error instanceof CallError)) throw error
}

/** A call without a response; the server may or may not have carried it out. */
export class UnansweredError extends CallError {}

/** HTTP status and `CallError` code for a missing permission; a caller may list it in `handles`. */
export const missingPermissionCode = 403

type ReportOptions = {
  quiet?: boolean
  inline?: boolean
  showsUnanswered?: boolean
  isWrite?: boolean
}

/** Signs the user out and tells why. */
export function endSession(reason: string) {
  const wasSignedIn = store.get(tokenAtom) !== null
  store.set(sessionEndReasonAtom, reason)
  store.set(signOutAtom)
  if (wasSignedIn || getPageAddress().pathname !== '/login') failureHandlers.toLogin()
  else failureHandlers.showError(reason)
}

/** Shows a failed request as in design §4 and returns its error. */
export function reportHttpFailure(
  error: AxiosError,
  { quiet, inline, showsUnanswered, isWrite }: ReportOptions,
): CallError {
  const status = error.response?.status
  const serverMessage = readMessage(error.response?.data)
  const text =
    error.code === 'ECONNABORTED' || error.code === 'ETIMEDOUT'
      ? '请求超时，请稍后再试'
      : status === undefined
        ? networkText(error)
        : (serverMessage ?? statusTexts[status] ?? `请求失败（${status}）`)
  const isUnanswered = status === undefined || unansweredStatuses.has(status)
  if (!quiet && !(isUnanswered && showsUnanswered)) {
    // A write without permission keeps the page and its input; a read without permission leaves it.
    if (status === missingPermissionCode && !isWrite) failureHandlers.toForbidden(text)
    else if (status === 500) failureHandlers.toUnavailable()
    else if (!inline) failureHandlers.showError(text)
  }
  // Permissions are reloaded, so that the form shows at once what is missing.
  if (status === missingPermissionCode && isWrite)
    store.set(permissionsReloadAtom, (count) => count + 1)
  const ErrorClass = isUnanswered ? UnansweredError : CallError
  return new ErrorClass(
    text,
    status === missingPermissionCode ? missingPermissionCode : undefined,
    undefined,
    status,
  )
}

/** A proxy, or a server without its database, returns these for work that may have begun. */
const unansweredStatuses = new Set([502, 503, 504])

/** A browser reports a broken connection as “Network Error” alone; other messages are passed on. */
const networkText = ({ code, message }: AxiosError) =>
  code === AxiosError.ERR_NETWORK ? '网络不通，请检查网络后重试' : `网络连接失败：${message}`

const readMessage = (body: unknown) =>
  typeof body === 'object' &&
  body !== null &&
  'message' in body &&
  typeof body.message === 'string' &&
  body.message !== ''
    ? body.message
    : undefined
