import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useLocation, useRouteError } from 'react-router-dom'
import { Notice } from '../pages/errors/Notice'
import { RouteErrorPage } from '../pages/errors/RouteErrorPage'
import { remotes } from '../remotes'
import { retry } from './areas'
import { asLoadFailure, failureText, isLoadFailure } from './failure'
import { hostBuild } from './install'
import { offerReload } from './reloadOnce'

/** Between two tries by itself; the operator need not wait for it. */
const AGAIN = 15_000

/** Why an area, or one screen, cannot be shown. Shell and other areas go on. */
export function LoadFailurePage() {
  const error = useRouteError()
  return isLoadFailure(error) ? <Failure error={error} /> : <RouteErrorPage />
}

function Failure({ error }: { error: unknown }) {
  const failure = asLoadFailure(error)
  const { kind, detail, area, build, trace, file } = failure
  const { pathname } = useLocation()
  const [trying, setTrying] = useState(false)
  const title = remotes.find(({ name }) => name === area || pathname.startsWith(`/${name}`))?.title
  const mayReload = kind === 'updated' && offerReload(build ?? hostBuild)

  const again = async () => {
    setTrying(true)
    await retry().finally(() => setTrying(false))
  }
  useEffect(() => {
    const comesBack = kind === 'network' || kind === 'missing'
    if (!comesBack) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void again(), AGAIN)
    const now = () => void again()
    addEventListener('online', now)
    return () => {
      clearInterval(timer)
      removeEventListener('online', now)
    }
  }, [kind])

  return (
    <Notice
      title={failureText[kind].title}
      hint={
        kind === 'updated' && !mayReload
          ? '已重新加载过一次，问题仍在。请把下面的编号告诉管理员。'
          : failureText[kind].hint
      }
      details={{
        区域: title,
        原因: detail,
        文件: file?.split('/').at(-1),
        版本: build ?? hostBuild,
        编号: trace,
      }}
    >
      {mayReload && (
        <Button type="primary" onClick={() => location.reload()}>
          重新加载
        </Button>
      )}
      <Button
        type={mayReload ? 'default' : 'primary'}
        loading={trying}
        onClick={() => void again()}
      >
        重试
      </Button>
    </Notice>
  )
}
