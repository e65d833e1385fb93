import { useEffect, useState } from 'react'
import { serverNow } from '../client/serverClock'

/** Ages are shown in minutes, so half of one is often enough. */
const ageIntervalMs = 30_000

/** Returns the current time in ms by the server's clock; the component renders again at this interval. */
export function useServerTime(intervalMs = ageIntervalMs) {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
