import { useLayoutEffect } from 'react'
import { useLocation } from 'react-router-dom'

/** Scroll positions are kept by address; the number of entries is limited. */
const tops = new Map<string, number>()
const most = 50

/** Restores the scroll position of a screen that was open before; a screen that was not starts at its top. */
export function useScrollMemory() {
  const { pathname } = useLocation()
  // A changed query string of an open screen does not scroll, because that screen handles it.
  useLayoutEffect(() => {
    const address = () => location.pathname + location.search
    const main = document.querySelector('main')
    if (!main) return
    main.scrollTop = tops.get(address()) ?? 0
    const note = () => {
      tops.delete(address())
      tops.set(address(), main.scrollTop)
      if (tops.size > most) tops.delete(tops.keys().next().value!)
    }
    main.addEventListener('scroll', note, { passive: true })
    return () => main.removeEventListener('scroll', note)
  }, [pathname])
}
