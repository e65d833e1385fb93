import { call } from '@iot/shared/client/call'
import { errorReportApi } from '@iot/shared/contract/errorReport'

declare const HOST_BUILD: string | undefined
const hostBuild = typeof HOST_BUILD === 'string' ? HOST_BUILD : ''
const reported = new Set<string>()

export const asError = (error: unknown) =>
  error instanceof Error ? error : new Error(String(error))

/**
 * Sends an error of the console to the error log, each distinct error once per page; a failed report is not retried.
 */
export function reportError(error: unknown, component = '') {
  const { name, message, stack = '' } = asError(error)
  const known = `${name}: ${message}`
  if (reported.has(known) || reported.size >= 20) return
  reported.add(known)
  call(
    errorReportApi.report,
    {
      message: known.slice(0, 500),
      stack: stack.slice(0, 8000),
      component: component.slice(0, 4000),
      address: location.pathname,
      build: hostBuild,
    },
    { quiet: true },
  ).catch(() => {})
}
