import type {
  AppName,
  DeployedBuild,
  LedgerEntry,
} from '@iot/shared/contract/release/release.schema'
import type { AppBuild, ReleaseDetail } from '@iot/shared/contract/release/releaseCenter.schema'
import { builtinRemotes, getRemoteTitle } from '@iot/shared/contract/release/remoteTitle'
import type { Site } from '../../site/releases'
import { getDeployed, getPointerAfter } from '../../site/pointer'
import type { releaseQueries } from './queries'

type Queries = ReturnType<typeof releaseQueries>
/** The page of a remote shows this many ledger entries. */
const historyLength = 50

/** Reads what is served, was served and can be served again, with the use and the failures of the builds. */
export function createReleaseReader(queries: Queries, site: Site | undefined, hasKey: boolean) {
  async function listServableBuilds(name: AppName): Promise<ServableBuilds> {
    const builds = (await site?.builds(name)) ?? []
    const isServable = (build: string) =>
      !hasKey ||
      site!.readServableRecord(name, build).then(
        () => true,
        () => false,
      )
    return new Map(
      await Promise.all(builds.map(async (build) => [build, await isServable(build)] as const)),
    )
  }

  /** Reads what all remotes have in common once. */
  async function readReleases() {
    const ledger = (await site?.ledger()) ?? []
    const pointer = getPointerAfter(ledger)
    const usedBuilds = await queries.countSessions()
    const stats = new Map((await queries.countLoads()).map((load) => [load.name, load]))

    async function describeArea(name: AppName) {
      const deployed = getDeployed(pointer, name)
      const ledgerLines = ledger.filter((line) => line.name === name)
      const { loads = 0, good = 0, p95 = null } = stats.get(name) ?? {}
      const failures = await queries.listFailures(name)
      return {
        name,
        title: getRemoteTitle(name, deployed),
        build: deployed?.build ?? null,
        previous: deployed?.previous ?? null,
        incompatibility: deployed?.incompatibility ?? null,
        canary: deployed?.canary ?? null,
        last: ledgerLines.at(-1) ?? null,
        builds: listBuilds(
          ledgerLines,
          await listServableBuilds(name),
          usedBuilds.filter((use) => use.name === name),
        ),
        loads,
        successRate: loads > 0 ? good / loads : null,
        p95,
        failures: failures.map(({ kind, ...failure }) => ({ ...failure, kind: kind! })),
      }
    }
    const names = new Set<AppName>(['host', ...builtinRemotes, ...Object.keys(pointer.remotes)])
    return { ledger, pointer, names, describeArea }
  }

  /** Returns facts of the release record of the served build; null if there is none or its files are gone. */
  async function readRecordFacts(
    name: AppName,
    deployed: DeployedBuild | null | undefined,
  ): Promise<ReleaseDetail['record']> {
    const record = deployed && (await site?.record(name, deployed.build).catch(() => undefined))
    return record
      ? {
          hash: deployed.record,
          shellApi: record.shellApi,
          files: Object.keys(record.files).length,
          screens: record.menu.filter(({ type }) => type === 'page').length,
        }
      : null
  }

  return {
    async list() {
      const { pointer, names, describeArea } = await readReleases()
      return { revision: pointer.revision, areas: await Promise.all([...names].map(describeArea)) }
    },
    /** Returns a remote or the host with its history, or undefined if there is none of this name. */
    async find(name: AppName) {
      const { ledger, pointer, names, describeArea } = await readReleases()
      if (!names.has(name)) return undefined
      return {
        ...(await describeArea(name)),
        id: name,
        revision: pointer.revision,
        record: await readRecordFacts(name, getDeployed(pointer, name)),
        history: ledger
          .filter((line) => line.name === name)
          .slice(-historyLength)
          .reverse(),
      }
    },
  }
}

type BuildUse = Awaited<ReturnType<Queries['countSessions']>>[number]
/** Maps each build whose files exist to whether it may be served. */
type ServableBuilds = Map<string, boolean>
const noUse = { sessions: 0, used: 0, crashed: 0, violated: 0 }

/** Lists the builds that can be served again or are in use, newest first. */
function listBuilds(
  ledgerLines: LedgerEntry[],
  servableBuilds: ServableBuilds,
  usedBuilds: BuildUse[],
): AppBuild[] {
  const useByBuild = new Map(
    usedBuilds.map(({ build, sessions, used: usedSessions, crashed, violated }) => [
      build,
      { sessions, used: usedSessions, crashed, violated },
    ]),
  )
  const timeByBuild = new Map(ledgerLines.map(({ build, time }) => [build, time]))
  // The first publication counts, because a later entry only widens a canary and has another reason.
  const publications = ledgerLines.filter(({ verb }) => verb === 'publish').reverse()
  const publicationByBuild = new Map(publications.map((line) => [line.build, line]))
  return [
    ...new Set([
      ...servableBuilds.keys(),
      ...usedBuilds.filter((use) => use.sessions > 0).map(({ build }) => build),
    ]),
  ]
    .map((build) => ({
      build,
      time: timeByBuild.get(build) ?? null,
      published: publicationByBuild.get(build) ?? null,
      ...(useByBuild.get(build) ?? noUse),
      kept: servableBuilds.has(build),
      unsigned: servableBuilds.get(build) === false,
    }))
    .sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''))
}
