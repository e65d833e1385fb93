import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router-dom'
import { retryAddress } from '../../federation/mountedRemotes'
import { asLoadFailure, isLoadFailure } from '../../federation/failure'
import { LoadFailed } from './LoadFailed'
import { findRemoteByPath } from '../../remotes'
import { Notice } from './Notice'

/**
 * Shows the error of any route. Errors other than HTTP responses and failed module loads go to the outermost boundary.
 */
export function RouteErrorPage() {
  const error = useRouteError()
  const { pathname } = useLocation()
  if (isRouteErrorResponse(error)) {
    const messageText = getErrorMessage(error.data)
    return (
      <Notice
        title="Oops!"
        hint={
          <>
            {error.status} {error.statusText}
            {messageText && <br />}
            {messageText}
          </>
        }
      />
    )
  }
  if (isLoadFailure(error))
    return (
      <LoadFailed
        failure={asLoadFailure(error)}
        area={findRemoteByPath(pathname)?.title}
        onRetry={retryAddress}
      />
    )
  throw error
}

const getErrorMessage = (data: unknown) =>
  typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string'
    ? data.message
    : undefined
