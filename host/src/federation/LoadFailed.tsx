import { useEffect, useState } from 'react'
import { Notice } from '../pages/errors/Notice'
import { Button } from '../lite/Button'
import { failureText, type LoadFailure } from './failure'
import { hostBuild } from './install'
import { offerReload } from './reloadOnce'
import { reportError } from '../pages/errors/reportError'

/** Automatic retries pause for this time in ms. */
const AGAIN = 15_000

type LoadFailedProps = {
  failure: LoadFailure
  /** The missing part is named in the operator's words. */
  area?: string
  onRetry: () => Promise<unknown>
}

/**
 * Explains why code did not load. It retries automatically; a reload is offered because a new build may have the
 * missing files.
 */
export function LoadFailed({ failure, area, onRetry }: LoadFailedProps) {
  const { kind, detail, build = hostBuild, trace, file } = failure
  const [trying, setTrying] = useState(false)
  const isFirst = offerReload(build)
  const { title, hint } = failureText[kind]

  const again = async () => {
    setTrying(true)
    await onRetry()
      .catch(reportError)
      .finally(() => setTrying(false))
  }
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && void again(), AGAIN)
    const now = () => void again()
    addEventListener('online', now)
    return () => {
      clearInterval(timer)
      removeEventListener('online', now)
    }
  })

  return (
    <Notice
      title={title}
      hint={isFirst ? hint : '已重新加载过一次，问题仍在。请把下面的编号告诉管理员。'}
      details={{
        区域: area,
        原因: navigator.onLine ? detail : `断网：${detail}`,
        文件: file?.split('/').at(-1),
        版本: build,
        编号: trace,
      }}
    >
      {kind !== 'missing' && (
        <Button primary={isFirst} onClick={() => location.reload()}>
          重新加载
        </Button>
      )}
      <Button primary={!isFirst || kind === 'missing'} busy={trying} onClick={() => void again()}>
        重试
      </Button>
    </Notice>
  )
}
