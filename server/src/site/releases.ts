import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { z } from 'zod'
import { getBuildFolder } from '@iot/shared/contract/release/release'
import type { AppName as Name, LedgerEntry } from '@iot/shared/contract/release/release.schema'
import { BuildStore, type CopiedBuild } from './buildStore.ts'
import {
  chooseBuild,
  completePointer,
  getDeployed,
  getPointerAfter,
  type CompletedPointer,
  type PointerChoice,
} from './pointer.ts'
import { ReleaseLedger } from './releaseLedger.ts'
import { ReleaseRefusal } from './releaseRefusal.ts'
import type { SiteKeys } from './signature.ts'
import { replaceFile } from './siteFiles.ts'

type AppBuild = { name: Name; build: string }
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

  record = async (name: Name, build: string) =>
    (await this.buildStore.readPinnedRecord(name, build)).record

  readServableRecord = (name: Name, build: string) =>
    this.buildStore.readServableRecord(name, build)

  /**
   * Copies builds into the site and points to them; several builds are published together or not at all.
   * @throws ReleaseRefusal if a build is incompatible, altered or foreign
   */
  async publish(dists: string | string[], { why = '发布', ...note }: ReleaseNote = {}) {
    const copies: CopiedBuild[] = []
    try {
      for (const dist of [dists].flat()) copies.push(await this.buildStore.copy(dist))
      let pointer = await this.pointer()
      for (const { name, build, change } of copies)
        pointer = await this.updatePointer(
          'publish',
          { name, build },
          { ...note, why, isForced: change === 'signature' },
          copies,
        )
      return pointer
    } catch (error) {
      if (error instanceof ReleaseRefusal) await this.removeUnpublished(copies)
      throw error
    }
  }

  /** Removes copies that no ledger entry names; another process may have published one of them meanwhile. */
  private async removeUnpublished(copies: CopiedBuild[]) {
    const ledger = await this.ledger()
    for (const { name, build, change } of copies)
      if (change === 'files' && !ledger.some((line) => line.name === name && line.build === build))
        await rm(join(this.folder, getBuildFolder(name, build)), { recursive: true, force: true })
  }

  /**
   * Changes the share of browsers that get the canary of a remote; without a share all browsers get it.
   * @throws ReleaseRefusal if there is no canary
   */
  async widenCanary(name: Name, { share, why = '全量启用', ...note }: ReleaseNote = {}) {
    const canary = getDeployed(await this.pointer(), name)?.canary
    if (!canary) throw new ReleaseRefusal(`${name} 没有灰度版本`)
    return this.updatePointer('publish', { name, build: canary.build }, { ...note, share, why })
  }

  /**
   * Serves an earlier build again: by default the previous one, or the current one if a canary is running.
   * @throws ReleaseRefusal if there is none
   */
  async rollback(name: Name, to?: string, { who, why = '回退', revision }: ReleaseNote = {}) {
    const now = getDeployed(await this.pointer(), name)
    const build = to ?? (now?.canary ? now.build : now?.previous)
    if (!build) throw new ReleaseRefusal(`${name} 没有可回退的版本`)
    return this.updatePointer('rollback', { name, build }, { who, why, revision })
  }

  /**
   * @param isForced writes a ledger entry even if only the signature of the build is new
   * @param companions builds that are published together and include this one
   */
  private async updatePointer(
    verb: LedgerEntry['verb'],
    target: AppBuild,
    note: ReleaseNote & { isForced?: boolean },
    companions = [target],
  ) {
    const { name, build } = target
    const { who = userInfo().username, why = '', share } = note
    await this.readServableRecord(name, build)
    const readRecord = this.buildStore.readPinnedRecord
    for (;;) {
      const formerPointer = await this.pointer()
      if (note.revision !== undefined && formerPointer.revision !== note.revision)
        throw new ReleaseRefusal('发布情况已变化，请看过最新情况再回退')
      const now = getDeployed(formerPointer, name)
      const isSame = share
        ? now?.canary?.build === build && now.canary.share === share
        : now?.build === build && !now.canary
      if (isSame && !note.isForced) return formerPointer
      if (!note.marksIncompatible) {
        const goal = companions.reduce<PointerChoice>(
          (choice, companion) => chooseBuild(choice, companion.name, companion.build, share),
          formerPointer,
        )
        assertCompatible(await completePointer(goal, readRecord, formerPointer), companions)
      }
      const choice = chooseBuild(formerPointer, name, build, share)
      const { pointer } = await completePointer(choice, readRecord, formerPointer)
      pointer.revision = formerPointer.revision + 1
      const entry = {
        time: new Date().toISOString(),
        who,
        why,
        verb,
        name,
        build,
        before: (build !== now?.build ? now?.build : now.canary?.build) ?? null,
        ...(share && { share }),
        pointer,
      }
      if (await this.releaseLedger.append(entry)) return pointer
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
    await replaceFile(join(this.folder, 'held.json'), JSON.stringify(builds))
  }

  /**
   * Deletes unused builds. A build stays if it is served, was served before, is a canary, is among the last `keep`
   * published ones, is used by open pages, or is younger than `minAgeMs` milliseconds.
   * @returns the removed builds
   */
  async removeUnusedBuilds({ keep = 5, minAgeMs = 60_000 } = {}) {
    const ledger = await this.ledger()
    const pointer = getPointerAfter(ledger)
    const buildsInUse = await this.readHeldBuilds()
    const removedBuilds: string[] = []
    for (const name of new Set(ledger.map((line) => line.name))) {
      const now = getDeployed(pointer, name)
      const publishedBuilds = new Set(
        ledger
          .filter((line) => line.name === name)
          .map(({ build }) => build)
          .reverse(),
      )
      const keptBuilds = [
        ...[...publishedBuilds].slice(0, keep),
        ...[now?.build, now?.previous, now?.canary?.build],
        ...buildsInUse,
      ]
      for (const build of await this.builds(name)) {
        const folder = join(this.folder, getBuildFolder(name, build))
        // A build that was just copied may still wait for its pointer.
        const isYoung = Date.now() - (await stat(folder)).ctimeMs < minAgeMs
        if (isYoung || keptBuilds.includes(build)) continue
        await rm(folder, { recursive: true })
        removedBuilds.push(`${name} ${build}`)
      }
    }
    return removedBuilds
  }
}

/**
 * A new host must be able to run every remote, and a new remote must run in the served host.
 * @throws ReleaseRefusal otherwise
 */
function assertCompatible(
  { pointer: { host }, unreadableBuilds, incompatibleBuilds }: CompletedPointer,
  upcomingBuilds: AppBuild[],
) {
  const fault = [...unreadableBuilds, ...incompatibleBuilds].find((candidate) =>
    upcomingBuilds.some(
      ({ name, build }) =>
        name === 'host' || (name === candidate.name && build === candidate.build),
    ),
  )
  if (host && fault)
    throw new ReleaseRefusal(
      `${fault.name} ${fault.build} 不能与控制台 ${host.build} 一起使用：${fault.reason}`,
    )
}
