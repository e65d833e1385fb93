import type {
  AppName as Name,
  DeployedBuild,
  LedgerEntry,
  Pointer,
  ReleaseRecord,
} from '@iot/shared/contract/release/release.schema'
import { ReleaseRefusal } from './releaseRefusal.ts'

export const getTitleFields = ({ name, menu }: ReleaseRecord) =>
  name !== 'host' && menu[0] ? { title: menu[0].name } : {}

/**
 * Returns the served build that a canary of this remote runs beside.
 * @throws ReleaseRefusal if a canary is not possible
 */
export function requireCanaryBase(name: Name, build: string, now?: DeployedBuild | null) {
  if (name === 'host') throw new ReleaseRefusal('控制台是同一个页面，不能只给一部分会话')
  if (!now) throw new ReleaseRefusal(`${name} 还没有全量版本，不能灰度`)
  if (now.build === build) throw new ReleaseRefusal(`${name} ${build} 已经全量启用`)
  return now
}

/**
 * The pointer lists the entry and code of each address, and those shared modules that the host's shell does not
 * contain.
 */
export const getPreloadNeeds = (
  { entry, needs }: ReleaseRecord,
  host: ReleaseRecord | null,
): DeployedBuild['needs'] =>
  Object.fromEntries(
    Object.entries(needs).map(([path, { files, shared, asks }]) => [
      path,
      {
        files: path === '*' ? [entry, ...files] : files,
        shared: shared.filter((key) => host?.shared.includes(key)),
        ...(asks && { asks }),
      },
    ]),
  )

/** Returns the pointer after the last of these entries; before the first entry no build is deployed. */
export const getPointerAfter = (lines: LedgerEntry[]): Pointer =>
  lines.at(-1)?.pointer ?? { revision: 0, host: null, remotes: {} }

export const getDeployed = (pointer: Pointer, name: Name) =>
  name === 'host' ? pointer.host : pointer.remotes[name]
