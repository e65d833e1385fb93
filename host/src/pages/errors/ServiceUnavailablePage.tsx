import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { http } from '@iot/shared/client/call'
import { paths } from '@iot/shared/screens/paths'
import { usePageTitle } from '../../pageTitle'
import { returnPath } from '../login/returnPath'
import { Notice } from './Notice'

const longest = 30
const memory = 5 * 60_000

// A page whose call fails on a healthy platform would be left and reopened in a loop. After one automatic return that
// led back here, the operator decides.
let lastReturn = -Infinity

const pauseAfter = (tries: number) => ({
  tries,
  seconds: Math.round(Math.min(longest, 2 ** tries) * (0.75 + Math.random() / 2)),
})

/** Returns automatically, once, to the address in `?from=` as soon as the platform reports that it is healthy. */
export function Component() {
  usePageTitle('服务暂时不可用')
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [wait, setWait] = useState(() => pauseAfter(0))
  const { tries, seconds } = wait
  const [checking, setChecking] = useState(false)
  const [cameBack] = useState(() => performance.now() - lastReturn < memory)
  const goBack = () => navigate(returnPath(`?${params}`), { replace: true })

  const check = async () => {
    setChecking(true)
    try {
      await http.get('/healthz', { timeout: 5000 })
      lastReturn = performance.now()
      goBack()
    } catch {
      setWait(pauseAfter(tries + 1))
    } finally {
      setChecking(false)
    }
  }

  useEffect(() => {
    if (checking || cameBack) return
    const timer = setTimeout(
      () => (seconds > 1 ? setWait({ tries, seconds: seconds - 1 }) : void check()),
      1000,
    )
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    if (cameBack) return
    const soon = () => void check()
    addEventListener('online', soon)
    return () => removeEventListener('online', soon)
  })

  return (
    <Notice
      as="main"
      title="服务暂时不可用"
      hint={
        <span role="status">
          {cameBack
            ? '平台已经恢复，但刚才的页面仍然打不开。请稍后重试，或先回到首页。'
            : `恢复后会自动返回刚才的页面。${checking ? '正在检查…' : `${seconds || 1} 秒后再次检查`}`}
        </span>
      }
    >
      <Button onClick={() => navigate(paths.home())}>回到首页</Button>
      <Button
        type="primary"
        loading={checking}
        onClick={() => (cameBack ? goBack() : void check())}
      >
        {cameBack ? '重试' : '立即检查'}
      </Button>
    </Notice>
  )
}
