import { removeBasePath } from '@iot/shared/contract/platform/siteAddress'
import { findRemoteByPath } from '../remotes'
import { prefetchBuildFiles } from './releases'

export const isSavingData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

const preloadedPaths = new Set<string>()

/** Preloads an address when its link is hovered or focused, except when the browser saves data. */
export function preloadOnHover(preloadPath: (path: string) => Promise<void>) {
  const preloadLink = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (!link || isSavingData() || link.origin !== location.origin) return
    const path = removeBasePath(link.pathname)
    const remote = findRemoteByPath(path)
    if (!remote || preloadedPaths.has(path)) return
    preloadedPaths.add(path)
    Promise.all([prefetchBuildFiles(remote.name, path), preloadPath(path)])
      // A failed preload is reported when the address is opened.
      .catch(() => preloadedPaths.delete(path))
  }
  document.addEventListener('pointerover', preloadLink, { passive: true })
  document.addEventListener('focusin', preloadLink)
}
