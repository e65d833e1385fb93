import {
  findIncompatibility,
  getHostInterface,
} from '@iot/shared/contract/release/buildCompatibility'
import type {
  AppName as Name,
  DeployedBuild,
  LedgerEntry,
  Pointer,
  ReleaseRecord,
} from '@iot/shared/contract/release/release.schema'
import { ReleaseRefusal } from './releaseRefusal.ts'

/** What a publisher decides: the builds and the share of a canary. */
type BuildChoice = Pick<DeployedBuild, 'build' | 'previous'> & {
  canary?: { build: string; share: number }
}
export type PointerChoice = {
  revision: number
  host: BuildChoice | null
  remotes: Record<string, BuildChoice>
}
/** A release record and the hash by which a pointer pins it. */
type PinnedRecord = { record: ReleaseRecord; hash: string }
type BuildFault = { name: Name; build: string; reason: string }

/** Returns the pointer after the last of these entries; before the first entry no build is deployed. */
export const getPointerAfter = (lines: LedgerEntry[]): Pointer =>
  lines.at(-1)?.pointer ?? { revision: 0, host: null, remotes: {} }

export const getDeployed = <Choice>(
  pointer: { host: Choice | null; remotes: Record<string, Choice> },
  name: Name,
) => (name === 'host' ? pointer.host : pointer.remotes[name])

/**
 * Chooses a build for all browsers, or as a canary for a share of them.
 * @throws ReleaseRefusal if a canary is not possible
 */
export function chooseBuild(
  pointer: PointerChoice,
  name: Name,
  build: string,
  share?: number,
): PointerChoice {
  const now = getDeployed(pointer, name)
  const chooseNext = (): BuildChoice => {
    if (!share)
      return now?.build === build
        ? { ...now, canary: undefined }
        : { build, previous: now?.build ?? null }
    if (name === 'host') throw new ReleaseRefusal('控制台是同一个页面，不能只给一部分会话')
    if (!now) throw new ReleaseRefusal(`${name} 还没有全量版本，不能灰度`)
    if (now.build === build) throw new ReleaseRefusal(`${name} ${build} 已经全量启用`)
    return { ...now, canary: { build, share } }
  }
  return name === 'host'
    ? { ...pointer, host: chooseNext() }
    : { ...pointer, remotes: { ...pointer.remotes, [name]: chooseNext() } }
}

/**
 * Completes a choice of builds with what their release records say: hashes, needed files, titles, and why the host
 * cannot run a remote. A canary that it cannot run ends. A build whose record cannot be read is replaced by the entry
 * of the former pointer, or else by the previous build.
 */
export async function completePointer(
  { revision, host, remotes }: PointerChoice,
  readRecord: (name: Name, build: string) => Promise<PinnedRecord>,
  formerPointer: Pointer | null,
) {
  const unreadableBuilds: BuildFault[] = []
  const incompatibleBuilds: BuildFault[] = []
  const findRecord = (name: Name, build: string) =>
    readRecord(name, build).catch(({ message }: Error) => {
      unreadableBuilds.push({ name, build, reason: message })
      return null
    })

  async function complete(
    name: Name,
    { build, previous, canary }: BuildChoice,
    hostRecord: ReleaseRecord | null,
  ): Promise<DeployedBuild | null> {
    const pinnedRecord = await findRecord(name, build)
    if (!pinnedRecord) {
      const deployed = formerPointer && getDeployed(formerPointer, name)
      if (deployed) return deployed
      return previous ? complete(name, { build: previous, previous: null }, hostRecord) : null
    }
    const findReason = ({ record }: PinnedRecord) => {
      const reason = hostRecord && findIncompatibility(record, getHostInterface(hostRecord))
      if (reason) incompatibleBuilds.push({ name, build: record.build, reason })
      return reason
    }
    const describe = ({ record, hash }: PinnedRecord) => ({
      build: record.build,
      record: hash,
      needs: getPreloadNeeds(record, hostRecord),
    })
    const incompatibility = findReason(pinnedRecord)
    const pinnedCanary = canary && (await findRecord(name, canary.build))
    // A previous build from before the site had a key is unsigned; then there is simply no build to fall back to.
    const pinnedPrevious = previous && (await readRecord(name, previous).catch(() => null))
    const [firstRow] = pinnedRecord.record.menu
    return {
      ...describe(pinnedRecord),
      ...(name !== 'host' && firstRow && { title: firstRow.name }),
      previous: pinnedPrevious ? previous : null,
      ...(pinnedPrevious && { previousRecord: pinnedPrevious.hash }),
      ...(pinnedCanary &&
        !findReason(pinnedCanary) && {
          canary: { ...describe(pinnedCanary), share: canary!.share },
        }),
      ...(incompatibility && { incompatibility }),
    }
  }

  const pointer: Pointer = {
    revision,
    host: host && (await complete('host', host, null)),
    remotes: {},
  }
  const hostRecord =
    pointer.host &&
    (await readRecord('host', pointer.host.build).then(
      ({ record }) => record,
      () => null,
    ))
  for (const [name, choice] of Object.entries(remotes)) {
    const deployed = await complete(name, choice, hostRecord)
    if (deployed) pointer.remotes[name] = deployed
  }
  return { pointer, unreadableBuilds, incompatibleBuilds }
}

export type CompletedPointer = Awaited<ReturnType<typeof completePointer>>

/**
 * The pointer lists the entry and code of each address, and those shared modules that the host's shell does not
 * contain.
 */
const getPreloadNeeds = (
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
