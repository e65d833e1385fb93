import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { silentSeconds } from '../contract/live'
import { serverNow } from '../client/serverClock'
import { timeText } from './lights'
import { liveStoppedAtom } from '../session/live'

/** Returns the time since which the data is not updated, such as `21:24`; undefined if it is current. */
export function useStopped() {
  const since = useAtomValue(liveStoppedAtom)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (since === undefined) return
    // A short drop is not reported.
    const timer = setTimeout(() => setLong(true), since + silentSeconds * 1000 - serverNow())
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [since])
  if (!isLong || since === undefined) return undefined
  return timeText(since, { hour: '2-digit', minute: '2-digit' })
}
