import { useLayoutEffect } from 'react'
import { useLocation } from 'react-router-dom'

/** By address; as many as one goes back to. */
const tops = new Map<string, number>()
const most = 50

/** Who comes back to a screen finds it where it was left; one that was not open before starts at its top. */
export function useScrollMemory() {
  const { pathname } = useLocation()
  // What changes in the address of an open screen is that screen's own affair.
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
