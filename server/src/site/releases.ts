import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { z } from 'zod'
import { getBuildFolder } from '@iot/shared/contract/release/release'
import type {
  AppName as Name,
  DeployedBuild,
  LedgerEntry,
  Pointer,
  ReleaseRecord,
} from '@iot/shared/contract/release/release.schema'
import { BuildStore, readRecord, UnsignedBuild } from './buildStore.ts'
import {
  getDeployed,
  getPointerAfter,
  getPreloadNeeds,
  getTitleFields,
  requireCanaryBase,
} from './pointer.ts'
import { assertCompatible, markIncompatible } from './releaseCompatibility.ts'
import { ReleaseLedger } from './releaseLedger.ts'
import { ReleaseRefusal } from './releaseRefusal.ts'
import type { SiteKeys } from './signature.ts'
import { getAgeMs, writeTemporaryFile } from './siteFiles.ts'

type ReleaseNote = {
  who?: string
  why?: string
  /** The revision that the decision was based on; the change is refused if the pointer has another one. */
  revision?: number
  /** Percentage of browsers that get the build as a canary; undefined for all browsers. */
  share?: number
  /** Publishes a host also if deployed remotes cannot run in it; the pointer then says why. */
  marksIncompatible?: boolean
}

/**
 * A folder that a web server serves. Builds are written once and never changed. Each release is one file of the
 * ledger with who, what and the resulting pointer; `pointer.json` is a copy of the newest. It and `index.html`, the
 * page of the host, are the only files that change. All state is in plain files, so several machines may publish
 * concurrently.
 */
export class Site {
  private readonly buildStore: BuildStore
  private readonly releaseLedger: ReleaseLedger

  constructor(
    readonly folder: string,
    keys: SiteKeys = {},
  ) {
    this.buildStore = new BuildStore(folder, keys)
    this.releaseLedger = new ReleaseLedger(folder)
  }

  /** Returns all ledger entries, oldest first. */
  ledger = () => this.releaseLedger.entries()

  pointer = () => this.releaseLedger.pointer()

  syncPointerFiles = () => this.releaseLedger.syncPointerFiles()

  builds = (name: Name) => this.buildStore.list(name)

  record = (name: Name, build: string) => this.buildStore.record(name, build)

  readServableRecord = (name: Name, build: string) =>
    this.buildStore.readServableRecord(name, build)

  /**
   * Copies builds into the site and points to them; several builds are published together or not at all.
   * @throws ReleaseRefusal if a build is incompatible, altered or foreign
   */
  async publish(dists: string | string[], { why = '发布', ...givenNote }: ReleaseNote = {}) {
    const records: ReleaseRecord[] = []
    const resignedRecords = new Set<ReleaseRecord>()
    const addedRecords: ReleaseRecord[] = []
    try {
      for (const dist of [dists].flat()) {
        const record = await readRecord(dist)
        assertOwnScreens(record)
        const { isAdded, isResigned } = await this.buildStore.copy(dist, record)
        if (isAdded) addedRecords.push(record)
        if (isResigned) resignedRecords.add(record)
        records.push(record)
      }
      let pointer = await this.pointer()
      for (const record of records) {
        const { name, build } = record
        const note = { ...givenNote, why, again: resignedRecords.has(record) }
        pointer = await this.updatePointer('publish', name, build, note, records)
      }
      return pointer
    } catch (error) {
      if (error instanceof ReleaseRefusal) await this.removeUnpublished(addedRecords)
      throw error
    }
  }

  /** Removes builds that no ledger entry names; another process may have published one of them meanwhile. */
  private async removeUnpublished(records: ReleaseRecord[]) {
    const ledger = await this.ledger()
    for (const { name, build } of records)
      if (!ledger.some((line) => line.name === name && line.build === build))
        await rm(join(this.folder, getBuildFolder(name, build)), { recursive: true, force: true })
  }

  /**
   * Publishes builds when the platform starts, except those that the last start has already published, so that a
   * restart neither undoes a rollback nor ends a canary. The host belongs to this version of the server, so it is
   * published even if a remote from elsewhere cannot run in it.
   */
  async publishAtStart(dists: string[]) {
    const why = '启动'
    const lastStartBuilds = new Map<string, string>()
    const ledger = await this.ledger()
    for (const line of ledger) if (line.why === why) lastStartBuilds.set(line.name, line.build)
    const pointer = getPointerAfter(ledger)
    const isNew = async (dist: string) => {
      const { name, build } = await readRecord(dist)
      const now = getDeployed(pointer, name)
      return !now || (now.build !== build && lastStartBuilds.get(name) !== build)
    }
    const newDists = await Promise.all(
      dists.map(async (dist) => ((await isNew(dist)) ? [dist] : [])),
    )
    return this.publish(newDists.flat(), { why }).catch((error: unknown) => {
      // A build that an operator rolled back to may be incompatible with the new ones, so all builds that were made
      // together are published.
      if (error instanceof ReleaseRefusal && !(error instanceof UnsignedBuild))
        return this.publish(dists, { why, marksIncompatible: true })
      throw error
    })
  }

  /**
   * Changes the share of browsers that get the canary of a remote; without a share all browsers get it.
   * @throws ReleaseRefusal if there is no canary
   */
  async widenCanary(name: Name, { share, why = '全量启用', ...note }: ReleaseNote = {}) {
    const canary = getDeployed(await this.pointer(), name)?.canary
    if (!canary) throw new ReleaseRefusal(`${name} 没有灰度版本`)
    return this.updatePointer('publish', name, canary.build, { ...note, share, why })
  }

  /**
   * Serves an earlier build again: by default the previous one, or the current one if a canary is running.
   * @throws ReleaseRefusal if there is none
   */
  async rollback(name: Name, to?: string, { who, why = '回退', revision }: ReleaseNote = {}) {
    const now = getDeployed(await this.pointer(), name)
    const build = to ?? (now?.canary ? now.build : now?.previous)
    if (!build) throw new ReleaseRefusal(`${name} 没有可回退的版本`)
    return this.updatePointer('rollback', name, build, { who, why, revision })
  }

  private async updatePointer(
    verb: LedgerEntry['verb'],
    name: Name,
    build: string,
    {
      who = userInfo().username,
      why = '',
      revision: expectedRevision,
      share,
      marksIncompatible = false,
      again: isForced = false,
    }: ReleaseNote & {
      /** Writes a ledger entry even if only the signature of the build is new. */ again?: boolean
    },
    /** These builds are published together and include this one. */
    companionRecords?: ReleaseRecord[],
  ) {
    const { record, hash } = await this.readServableRecord(name, build)
    for (;;) {
      const previousPointer = await this.pointer()
      if (expectedRevision !== undefined && previousPointer.revision !== expectedRevision)
        throw new ReleaseRefusal('发布情况已变化，请看过最新情况再回退')
      const now = getDeployed(previousPointer, name)
      const isSame = share
        ? now?.canary?.build === build && now.canary.share === share
        : now?.build === build && !now.canary
      if (isSame && !isForced) return previousPointer
      if (!marksIncompatible)
        await assertCompatible(previousPointer, companionRecords ?? [record], this.record)
      const nextBuild = {
        build,
        record: hash,
        needs: getPreloadNeeds(
          record,
          previousPointer.host && (await this.record('host', previousPointer.host.build)),
        ),
      }
      const next: DeployedBuild = share
        ? { ...requireCanaryBase(name, build, now), canary: { ...nextBuild, share } }
        : now?.build === build
          ? { ...now, canary: undefined }
          : {
              ...nextBuild,
              ...getTitleFields(record),
              previous: now?.build ?? null,
              ...(now && { previousRecord: now.record }),
            }
      const revision = previousPointer.revision + 1
      const nextPointer: Pointer =
        name === 'host'
          ? {
              revision,
              host: next,
              remotes: await markIncompatible(previousPointer.remotes, record, this.record),
            }
          : { ...previousPointer, revision, remotes: { ...previousPointer.remotes, [name]: next } }
      const entry = {
        time: new Date().toISOString(),
        who,
        why,
        verb,
        name,
        build,
        before: (build !== now?.build ? now?.build : now.canary?.build) ?? null,
        ...(share && { share }),
        pointer: nextPointer,
      }
      if (await this.releaseLedger.append(entry)) return nextPointer
    }
  }

  /**
   * Returns the builds that open pages use, as the server last recorded them in `held.json`; web servers do not need
   * that file.
   */
  readHeldBuilds = async (): Promise<string[]> =>
    z
      .array(z.string())
      .parse(JSON.parse(await readFile(join(this.folder, 'held.json'), 'utf8').catch(() => '[]')))

  async writeHeldBuilds(builds: string[]) {
    await mkdir(this.folder, { recursive: true })
    await rename(
      await writeTemporaryFile(this.folder, JSON.stringify(builds)),
      join(this.folder, 'held.json'),
    )
  }

  /**
   * Deletes unused builds. A build stays if it is served, was served before, is a canary, is among the last `keep`
   * published ones, is used by open pages, or is younger than `minAgeMs` milliseconds.
   * @returns the removed builds
   */
  async removeUnusedBuilds({
    keep = 5,
    held: heldBuilds = [],
    youngest: minAgeMs = 60_000,
  }: { keep?: number; held?: string[]; youngest?: number } = {}) {
    const lines = await this.ledger()
    const pointer = getPointerAfter(lines)
    const buildsInUse = await this.readHeldBuilds()
    const removedBuilds: string[] = []
    for (const name of new Set(lines.map((line) => line.name))) {
      const recent = [
        ...new Set(
          lines
            .filter((line) => line.name === name)
            .map(({ build }) => build)
            .reverse(),
        ),
      ].slice(0, keep)
      const now = getDeployed(pointer, name)
      const servedBuilds = [now?.build, now?.previous, now?.canary?.build]
      const keptBuilds = new Set([...recent, ...heldBuilds, ...buildsInUse, ...servedBuilds])
      for (const build of await this.builds(name)) {
        if (
          keptBuilds.has(build) ||
          (await getAgeMs(join(this.folder, getBuildFolder(name, build)))) < minAgeMs
        )
          continue
        await rm(join(this.folder, getBuildFolder(name, build)), { recursive: true })
        removedBuilds.push(`${name} ${build}`)
      }
    }
    return removedBuilds
  }
}

/** A remote may only add screens below its own address. */
function assertOwnScreens({ name, build, menu }: ReleaseRecord) {
  const foreign = menu.find(
    ({ routeName, path }) =>
      name !== 'host' && (routeName.split('.')[0] !== name || path.split('/')[1] !== name),
  )
  if (foreign)
    throw new ReleaseRefusal(
      `${name} ${build} 的菜单“${foreign.name}”（${foreign.path}）不在 /${name} 之下`,
    )
}
