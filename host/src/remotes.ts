import { areaTitle, builtinRemotes } from '@iot/shared/contract/areaText'
import { release } from '@iot/shared/screens/release'
import { store } from '@iot/shared/session/store'
import { readOverride } from './federation/override'
import { pointerAtom } from './federation/pointer'

const deployed = () => store.get(pointerAtom)?.remotes ?? {}

/**
 * Returns the names of all remotes: those built with the console, those that the pointer names, and one on a
 * developer's machine that may not be published yet.
 */
export const remoteNames = () => {
  const developed = readOverride()?.name
  return [
    ...new Set([...builtinRemotes, ...Object.keys(deployed()), ...(developed ? [developed] : [])]),
  ]
}

/** Returns the display name of a remote. */
export const titleOf = (name: string) => areaTitle(name, deployed()[name])

/** Returns the remote of an address by its first segment; addresses of the host have none. */
export function remoteFor(path: string) {
  const name = path.split('/')[1] ?? ''
  return path !== release.path && remoteNames().includes(name)
    ? { name, title: titleOf(name) }
    : undefined
}
