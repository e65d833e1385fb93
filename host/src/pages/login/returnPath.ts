import { paths } from '@iot/shared/screens/paths'

/** Returns the address to open after sign-in: the page that redirected to login, if it belongs to this site. */
export function returnPath(search: string): string {
  const from = new URLSearchParams(search).get('from')
  if (!from?.startsWith('/')) return paths.home()
  // Browsers treat `//host` and `/\host` as other sites, and only the URL parser knows all such forms.
  const url = new URL(from, location.origin)
  const isOurs = url.origin === location.origin && url.pathname !== '/login'
  return isOurs ? url.pathname + url.search + url.hash : paths.home()
}

/** Returns the login address that leads back to the current page. */
export const loginPath = ({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  pathname === '/login'
    ? `/login${search}`
    : `/login?from=${encodeURIComponent(pathname + search + hash)}`
