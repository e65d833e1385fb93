import { getRemoteTitle, builtinRemotes } from '@iot/shared/contract/release/remoteTitle'
import { release } from '@iot/shared/screens/release'
import { store } from '@iot/shared/session/store'
import { readOverride } from './federation/override'
import { pointerAtom } from './federation/pointer'

const getDeployedRemotes = () => store.get(pointerAtom)?.remotes ?? {}

/**
 * Returns the names of all remotes: those built with the console, those that the pointer names, and one on a
 * developer's machine that may not be published yet.
 */
export const listRemoteNames = () => {
  const devRemoteName = readOverride()?.name
  return [
    ...new Set([
      ...builtinRemotes,
      ...Object.keys(getDeployedRemotes()),
      ...(devRemoteName ? [devRemoteName] : []),
    ]),
  ]
}

export const findRemoteTitle = (name: string) => getRemoteTitle(name, getDeployedRemotes()[name])

/** Returns the remote of an address by its first segment; addresses of the host have none. */
export function findRemoteByPath(path: string) {
  const name = path.split('/')[1] ?? ''
  const isOfRelease = path === release.path || path.startsWith(`${release.path}/`)
  return !isOfRelease && listRemoteNames().includes(name)
    ? { name, title: findRemoteTitle(name) }
    : undefined
}
