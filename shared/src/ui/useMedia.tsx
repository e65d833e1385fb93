import { useMemo, useSyncExternalStore } from 'react'

/**
 * Returns true while a media query matches.
 * @example const isNarrow = useMedia('(max-width: 999px)')
 */
export function useMedia(query: string) {
  const [subscribe, isSo] = useMemo(() => {
    const list = matchMedia(query)
    const subscribe = (changed: () => void) => {
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    }
    return [subscribe, () => list.matches] as const
  }, [query])
  return useSyncExternalStore(subscribe, isSo)
}
