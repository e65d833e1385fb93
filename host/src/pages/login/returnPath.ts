import { paths } from '@iot/shared/screens/paths'

/** Where to go after sign-in: the page that sent the user away, if it is one of ours. */
export function returnPath(search: string): string {
  const from = new URLSearchParams(search).get('from')
  if (!from?.startsWith('/')) return paths.home()
  // `//host` and `/\host` are other sites to a browser; only the parser knows them all.
  const url = new URL(from, location.origin)
  const isOurs = url.origin === location.origin && url.pathname !== '/login'
  return isOurs ? url.pathname + url.search + url.hash : paths.home()
}

/** The login screen that leads back to the page that is open. */
export const loginPath = ({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  pathname === '/login'
    ? `/login${search}`
    : `/login?from=${encodeURIComponent(pathname + search + hash)}`
