import Button from 'antd/es/button'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { http } from '@iot/shared/client/call'
import { getBackoffMs } from '@iot/shared/contract/backoff'
import { paths } from '@iot/shared/screens/paths'
import { usePageTitle } from '../../usePageTitle'
import { getReturnPath } from '../login/returnPath'
import { Notice } from './Notice'
import { reportError } from './reportError'

const retryBackoff = { firstMs: 1000, maxMs: 30_000, jitter: [0.75, 1.25] } as const
const returnLoopWindowMs = 5 * 60_000

// A page whose call fails on a healthy platform would be left and reopened in a loop. After one automatic return that
// led back here, the operator decides.
let lastReturnMs = -Infinity

const createRetryPause = (tries: number) => ({
  tries,
  seconds: Math.round(getBackoffMs(tries, retryBackoff) / 1000),
})

/** Returns automatically, once, to the address in `?from=` as soon as the platform reports that it is healthy. */
export function Component() {
  usePageTitle('服务暂时不可用')
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [retryPause, setRetryPause] = useState(() => createRetryPause(0))
  const { tries, seconds } = retryPause
  const [isChecking, setIsChecking] = useState(false)
  const [hasReturned] = useState(() => performance.now() - lastReturnMs < returnLoopWindowMs)
  const goBack = () => navigate(getReturnPath(`?${params}`), { replace: true })

  const check = () => void checkHealth().catch(reportError)
  const checkHealth = async () => {
    setIsChecking(true)
    try {
      await http.get('/healthz', { timeout: 5000 })
      lastReturnMs = performance.now()
      await goBack()
    } catch {
      setRetryPause(createRetryPause(tries + 1))
    } finally {
      setIsChecking(false)
    }
  }

  useEffect(() => {
    if (isChecking || hasReturned) return
    const timer = setTimeout(
      () => (seconds > 1 ? setRetryPause({ tries, seconds: seconds - 1 }) : check()),
      1000,
    )
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    if (hasReturned) return
    addEventListener('online', check)
    return () => removeEventListener('online', check)
  })

  return (
    <Notice
      as="main"
      title="服务暂时不可用"
      hint={
        <span role="status">
          {hasReturned
            ? '平台已经恢复，但刚才的页面仍然打不开。请稍后重试，或先回到首页。'
            : `恢复后会自动返回刚才的页面。${isChecking ? '正在检查…' : `${seconds || 1} 秒后再次检查`}`}
        </span>
      }
    >
      <Button onClick={() => navigate(paths.home())}>回到首页</Button>
      <Button
        type="primary"
        loading={isChecking}
        onClick={() => (hasReturned ? goBack() : check())}
      >
        {hasReturned ? '重试' : '立即检查'}
      </Button>
    </Notice>
  )
}
