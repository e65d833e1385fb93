import type { AppName, Pointer } from './release.schema'

/** Returns the folder of a build inside a site. */
export const getBuildFolder = (name: AppName, build: string) =>
  name === 'host' ? `host/${build}` : `remotes/${name}/${build}`

/** Signature file beside the release record, made with the key of the site if there is one. */
export const signatureFile = 'release.sig'

/** Folder of the source maps of a build. Pages never receive them. */
export const sourceMapsFolder = 'maps'

/** Tells a whole pointer from a truncated or foreign file. Full validation is the task of the publisher. */
export function isPointer(text: string) {
  try {
    const { revision, remotes } = JSON.parse(text) as Partial<Pointer>
    return typeof revision === 'number' && typeof remotes === 'object'
  } catch {
    return false
  }
}
