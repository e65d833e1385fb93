import type { Pointer } from '@iot/shared/contract/release'
import { paths } from '@iot/shared/screens/paths'

/** Addresses that open a screen: what the deployed remotes say of themselves, and the host's own. */
export async function servedPaths(): Promise<Set<string>> {
  const { remotes } = (await (await fetch('/pointer.json')).json()) as Pointer
  return new Set([
    paths.home(),
    // A page of one row belongs to no row of the menu.
    ...Object.values(remotes).flatMap(({ needs }) =>
      Object.keys(needs).filter((path) => !path.includes(':')),
    ),
  ])
}
