import { readPageMeta } from '../pageMeta'

/** Path below which the console is reached, such as `/iot`; empty if it has a host name of its own. */
export const getBasePath = () => readPageMeta('base-path') ?? ''

/** Turns a path of the console, such as `/pointer.json`, into one of the host: `/iot/pointer.json`. */
export const toSitePath = (path: string) => getBasePath() + path

/** Turns a path of the host into one of the console; paths that are not below the base path stay as they are. */
export function removeBasePath(path: string) {
  const basePath = getBasePath()
  return path === basePath || path.startsWith(`${basePath}/`)
    ? path.slice(basePath.length) || '/'
    : path
}

/** The address of the open page as the router knows it, without the base path. */
export const getPageAddress = () => ({
  pathname: removeBasePath(location.pathname),
  search: location.search,
  hash: location.hash,
})

/** Address of a picture or document that the platform serves; stored rows contain `/v1/upload/…` without a base. */
export const toFileUrl = (path: string) =>
  path.startsWith('/') ? (readPageMeta('api-base') ?? '') + path : path
