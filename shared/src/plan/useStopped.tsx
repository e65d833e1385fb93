import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { silentSeconds } from '../contract/live'
import { serverNow } from '../client/serverClock'
import { timeText } from './lights'
import { liveStoppedAtom } from '../session/live'

/** `21:24`, the moment since when what is shown is not brought up to date; nothing while it is. */
export function useStopped() {
  const since = useAtomValue(liveStoppedAtom)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (since === undefined) return
    // A drop that heals at once is not worth a word.
    const timer = setTimeout(() => setLong(true), since + silentSeconds * 1000 - serverNow())
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [since])
  if (!isLong || since === undefined) return undefined
  return timeText(since, { hour: '2-digit', minute: '2-digit' })
}
