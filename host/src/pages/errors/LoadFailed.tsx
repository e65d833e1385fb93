import { useEffect, useState } from 'react'
import { Notice } from './Notice'
import { Button } from '../../lite/Button'
import { failureText, type LoadFailure } from '../../federation/failure'
import { hostBuild } from '../../federation/install'
import { canOfferReload } from '../../federation/reloadOnce'
import { reportError } from './reportError'

/** Automatic retries pause for this time in ms. */
const retryIntervalMs = 15_000

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
  const [isRetrying, setRetrying] = useState(false)
  const isFirst = canOfferReload(build)
  const { title, hint } = failureText[kind]

  const retryNow = async () => {
    setRetrying(true)
    await onRetry()
      .catch(reportError)
      .finally(() => setRetrying(false))
  }
  useEffect(() => {
    const timer = setInterval(
      () => document.visibilityState === 'visible' && void retryNow(),
      retryIntervalMs,
    )
    const onOnline = () => void retryNow()
    addEventListener('online', onOnline)
    return () => {
      clearInterval(timer)
      removeEventListener('online', onOnline)
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
      <Button
        primary={!isFirst || kind === 'missing'}
        busy={isRetrying}
        onClick={() => void retryNow()}
      >
        重试
      </Button>
    </Notice>
  )
}
