import { paths } from '@iot/shared/screens/paths'

/** Returns the address to open after sign-in: the page that redirected to login, if it belongs to this site. */
export function getReturnPath(search: string): string {
  const from = new URLSearchParams(search).get('from')
  if (!from?.startsWith('/')) return paths.home()
  // Browsers treat `//host` and `/\host` as other sites, and only the URL parser knows all such forms.
  const url = new URL(from, location.origin)
  const isOwnPage = url.origin === location.origin && url.pathname !== '/login'
  return isOwnPage ? url.pathname + url.search + url.hash : paths.home()
}

/** Returns the login address that leads back to the current page. */
export const getLoginPath = ({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  pathname === '/login'
    ? `/login${search}`
    : `/login?from=${encodeURIComponent(pathname + search + hash)}`
