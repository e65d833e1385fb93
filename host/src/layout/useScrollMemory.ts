import { useLayoutEffect } from 'react'
import { useLocation } from 'react-router-dom'

/** Scroll positions are kept by address; the number of entries is limited. */
const scrollTops = new Map<string, number>()
const maxScrollEntries = 50

/** Restores the scroll position of a screen that was open before; a screen that was not starts at its top. */
export function useScrollMemory() {
  const { pathname } = useLocation()
  // A changed query string of an open screen does not scroll, because that screen handles it.
  useLayoutEffect(() => {
    const getAddress = () => location.pathname + location.search
    const main = document.querySelector('main')
    if (!main) return
    main.scrollTop = scrollTops.get(getAddress()) ?? 0
    const saveScrollTop = () => {
      scrollTops.delete(getAddress())
      scrollTops.set(getAddress(), main.scrollTop)
      if (scrollTops.size > maxScrollEntries) scrollTops.delete(scrollTops.keys().next().value!)
    }
    main.addEventListener('scroll', saveScrollTop, { passive: true })
    return () => main.removeEventListener('scroll', saveScrollTop)
  }, [pathname])
}
