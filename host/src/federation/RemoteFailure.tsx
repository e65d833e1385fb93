import { Button, Result } from 'antd'
import { useLocation, useNavigate, useRouteError } from 'react-router-dom'
import { asLoadFailure, failureText, isLoadFailure } from './failure'

/** Why the area of a remote, or one of its screens, could not be opened. Shell and other areas go on. */
export function RemoteFailure() {
  const error = useRouteError()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  if (!isLoadFailure(error)) throw error
  const { kind, detail, area, build, trace, file } = asLoadFailure(error)
  const { title, hint } = failureText[kind]
  return (
    <Result
      status="warning"
      title={title}
      subTitle={`${hint}（${detail}；${[area, build, trace, file?.split('/').at(-1)].filter(Boolean).join(' · ')}）`}
      extra={
        kind === 'updated' ? (
          <Button type="primary" onClick={() => location.reload()}>重新加载</Button>
        ) : (
          <Button type="primary" onClick={() => navigate(pathname + search, { replace: true })}>重试</Button>
        )
      }
    />
  )
}
