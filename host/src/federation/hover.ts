import { findRemoteByPath } from '../remotes'
import { prefetchFor } from './releases'

export const savesData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

const preloadedPaths = new Set<string>()

/** Preloads an address when its link is hovered or focused, except when the browser saves data. */
export function warmOnHover(warm: (path: string) => Promise<void>) {
  const look = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (
      !link ||
      savesData() ||
      link.origin !== location.origin ||
      preloadedPaths.has(link.pathname)
    )
      return
    const remote = findRemoteByPath(link.pathname)
    if (!remote) return
    preloadedPaths.add(link.pathname)
    Promise.all([prefetchFor(remote.name, link.pathname), warm(link.pathname)])
      // A failed preload is reported when the address is opened.
      .catch(() => preloadedPaths.delete(link.pathname))
  }
  document.addEventListener('pointerover', look, { passive: true })
  document.addEventListener('focusin', look)
}
