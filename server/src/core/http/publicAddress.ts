import { removeTrailingSlash } from '@iot/shared/contract/webAddress'

/**
 * Returns the path below which the platform is reached from outside: `/iot` for `https://host/iot/`, and an empty text if
 * it has a host name of its own.
 */
export const getBasePath = (publicUrl: string | undefined) =>
  publicUrl === undefined ? '' : removeTrailingSlash(new URL(publicUrl).pathname)

/** Removes the base path from the URL of a request, which may or may not have it. */
export function removeBasePath(url: string, basePath: string) {
  const rest = url.startsWith(basePath) ? url.slice(basePath.length) : undefined
  if (rest?.startsWith('/')) return rest
  return rest === '' || rest?.startsWith('?') ? `/${rest}` : url
}

/** Returns the full address of a page of the console. */
export const toPublicUrl = (publicUrl: string, path: string) =>
  new URL(getBasePath(publicUrl) + path, publicUrl).href
