import { areaTitle, builtinRemotes } from '@iot/shared/contract/areaText'
import { release } from '@iot/shared/screens/release'
import { store } from '@iot/shared/session/store'
import { readOverride } from './federation/override'
import { pointerAtom } from './federation/pointer'

const deployed = () => store.get(pointerAtom)?.remotes ?? {}

/**
 * Which remotes there are, the pointer says; those that are built with the console are known before it is read, and one
 * on a developer's machine before it is published at all.
 */
export const remoteNames = () => {
  const developed = readOverride()?.name
  return [
    ...new Set([...builtinRemotes, ...Object.keys(deployed()), ...(developed ? [developed] : [])]),
  ]
}

/** What an area is called. */
export const titleOf = (name: string) => areaTitle(name, deployed()[name])

/** Whose an address is, by its first word; the host's own are nobody's. */
export function remoteFor(path: string) {
  const name = path.split('/')[1] ?? ''
  return path !== release.path && remoteNames().includes(name)
    ? { name, title: titleOf(name) }
    : undefined
}
