import { Button, Result } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { http } from '@iot/shared/client/call'
import { returnPath } from '../login/returnPath'

const longest = 30

// A page that fails again at once after the return must not be asked for again every second: the pause grows with
// each return of the last minutes.
let returns: number[] = []
const recentReturns = () =>
  (returns = returns.filter((time) => Date.now() - time < 5 * 60_000)).length

const pauseAfter = (tries: number) => ({
  tries,
  seconds: Math.round(Math.min(longest, 2 ** tries) * (0.75 + Math.random() / 2)),
})

/** Returns by itself to `?from=` as soon as the platform says it is well. */
export function Component() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [wait, setWait] = useState(() => pauseAfter(recentReturns()))
  const { tries, seconds } = wait
  const [checking, setChecking] = useState(false)

  const check = async () => {
    setChecking(true)
    try {
      await http.get('/healthz', { timeout: 5000 })
      returns.push(Date.now())
      navigate(returnPath(`?${params}`), { replace: true })
    } catch {
      setWait(pauseAfter(tries + 1))
    } finally {
      setChecking(false)
    }
  }

  useEffect(() => {
    if (checking) return
    const timer = setTimeout(
      () => (seconds > 1 ? setWait({ tries, seconds: seconds - 1 }) : void check()),
      1000,
    )
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    const soon = () => void check()
    addEventListener('online', soon)
    return () => removeEventListener('online', soon)
  })

  return (
    <Result
      status="500"
      title="服务暂时不可用"
      subTitle={
        <span role="status">
          恢复后会自动返回刚才的页面。{checking ? '正在检查…' : `${seconds || 1} 秒后再次检查`}
        </span>
      }
      extra={
        <Button type="primary" loading={checking} onClick={() => void check()}>
          立即检查
        </Button>
      }
    />
  )
}
