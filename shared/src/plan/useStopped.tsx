import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { liveStoppedAtom } from '../session/live'

/** A drop that heals at once is not worth a word. */
const patience = 3000

/** `21:24`, the moment since when what is shown is not brought up to date; nothing while it is. */
export function useStopped() {
  const since = useAtomValue(liveStoppedAtom)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (since === undefined) return
    const timer = setTimeout(() => setLong(true), patience)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [since])
  if (!isLong || since === undefined) return undefined
  return new Date(since).toLocaleTimeString('zh-CN', { hour: '2-digit', minute: '2-digit' })
}
