import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { staleAfterSeconds } from '../contract/live'
import { serverNow } from '../client/serverClock'
import { formatTimeParts } from './lights'
import { liveStaleSinceAtom } from '../session/live'

/** Returns the time since which the data is not updated, such as `21:24`; undefined if it is current. */
export function useStaleSince() {
  const staleSince = useAtomValue(liveStaleSinceAtom)
  const [isReportable, setReportable] = useState(false)
  useEffect(() => {
    if (staleSince === undefined) return
    // A short drop is not reported.
    const timer = setTimeout(
      () => setReportable(true),
      staleSince + staleAfterSeconds * 1000 - serverNow(),
    )
    return () => {
      clearTimeout(timer)
      setReportable(false)
    }
  }, [staleSince])
  if (!isReportable || staleSince === undefined) return undefined
  return formatTimeParts(staleSince, { hour: '2-digit', minute: '2-digit' })
}

/** @deprecated Use {@link useStaleSince}; kept for remotes that were built before. */
export const useStopped = useStaleSince
