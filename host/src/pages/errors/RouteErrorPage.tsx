import { Button } from 'antd'
import { isRouteErrorResponse, useRouteError } from 'react-router-dom'
import { isLoadFailure } from '../../federation/failure'
import { Notice } from './Notice'

/** Of every route. What is neither an HTTP-style error nor a module that does not load goes to the outermost boundary. */
export function RouteErrorPage() {
  const error = useRouteError()
  if (isRouteErrorResponse(error)) {
    const said = messageOf(error.data)
    return (
      <Notice
        title="Oops!"
        hint={
          <>
            {error.status} {error.statusText}
            {said && <br />}
            {said}
          </>
        }
      />
    )
  }
  if (isLoadFailure(error))
    return (
      <Notice title="系统已更新，请重新加载" hint="填写中的内容已保留，重新加载后可以恢复。">
        <Button type="primary" onClick={() => location.reload()}>
          重新加载
        </Button>
      </Notice>
    )
  throw error
}

const messageOf = (data: unknown) =>
  typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string'
    ? data.message
    : undefined
