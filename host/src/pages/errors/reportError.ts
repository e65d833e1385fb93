import { call, CallError } from '@iot/shared/client/call'
import { errorReportApi } from '@iot/shared/contract/platform/errorReport.api'
import { getPageAddress } from '@iot/shared/contract/platform/siteAddress'
import { isLoadFailure } from '../../federation/failure'

declare const HOST_BUILD: string | undefined
const hostBuild = typeof HOST_BUILD === 'string' ? HOST_BUILD : ''
const reportedErrors = new Set<string>()

export const toError = (error: unknown) =>
  error instanceof Error ? error : new Error(String(error))

/**
 * Sends an error of the console to the error log, each distinct error once per page; a failed report is not retried.
 */
export function reportError(error: unknown, component = '') {
  const { name, message, stack = '' } = toError(error)
  const errorText = `${name}: ${message}`
  if (reportedErrors.has(errorText) || reportedErrors.size >= 20) return
  reportedErrors.add(errorText)
  call(
    errorReportApi.report,
    {
      message: errorText.slice(0, 500),
      stack: stack.slice(0, 8000),
      component: component.slice(0, 4000),
      address: getPageAddress().pathname,
      build: hostBuild,
    },
    { quiet: true },
  ).catch(() => {})
}

/**
 * Reports the rejection of a promise that no code handles. A failed call and a failed load are left out, because both
 * are shown where they fail.
 */
export function reportUnhandledRejection(reason: unknown) {
  if (!(reason instanceof CallError) && !isLoadFailure(reason)) reportError(reason)
}
