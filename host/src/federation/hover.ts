import { remoteFor } from '../remotes'
import { prefetchFor } from './releases'

export const savesData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

const asked = new Set<string>()

/** Preloads an address when its link is hovered or focused, except when the browser saves data. */
export function warmOnHover(warm: (path: string) => Promise<void>) {
  const look = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (!link || savesData() || link.origin !== location.origin || asked.has(link.pathname)) return
    const remote = remoteFor(link.pathname)
    if (!remote) return
    asked.add(link.pathname)
    Promise.all([prefetchFor(remote.name, link.pathname), warm(link.pathname)])
      // A failed preload is reported when the address is opened.
      .catch(() => asked.delete(link.pathname))
  }
  document.addEventListener('pointerover', look, { passive: true })
  document.addEventListener('focusin', look)
}
