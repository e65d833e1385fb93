import type { Pointer } from '@iot/shared/contract/release/release.schema'
import { toSitePath } from '@iot/shared/contract/platform/siteAddress'
import { paths } from '@iot/shared/screens/paths'

/**
 * Reads the addresses that open a screen: those that release records of deployed remotes list, and those of the host.
 */
export async function fetchDeployedPaths(): Promise<Set<string>> {
  const { remotes } = (await (await fetch(toSitePath('/pointer.json'))).json()) as Pointer
  return new Set([
    paths.home(),
    // Detail pages with a path parameter have no menu entry.
    ...Object.values(remotes).flatMap(({ needs }) =>
      Object.keys(needs).filter((path) => !path.includes(':')),
    ),
  ])
}
