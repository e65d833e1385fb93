import { useMemo, useSyncExternalStore } from 'react'

/**
 * Returns true while a media query matches.
 * @example const isNarrow = useMediaQuery('(max-width: 999px)')
 */
export function useMediaQuery(query: string) {
  const [subscribe, getMatches] = useMemo(() => {
    const list = matchMedia(query)
    const subscribe = (onChange: () => void) => {
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    }
    return [subscribe, () => list.matches] as const
  }, [query])
  return useSyncExternalStore(subscribe, getMatches)
}

/** @deprecated Use {@link useMediaQuery}; kept for remotes that were built before. */
export const useMedia = useMediaQuery
