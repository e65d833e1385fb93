import { createHash, randomUUID } from 'node:crypto'
import {
  cp,
  link,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { z } from 'zod'
import {
  findIncompatibility,
  getHostInterface,
} from '@iot/shared/contract/release/buildCompatibility'
import { getBuildFolder, signatureFile } from '@iot/shared/contract/release/release'
import {
  LedgerEntry,
  Pointer,
  ReleaseRecord,
  type AppName as Name,
  type DeployedBuild,
} from '@iot/shared/contract/release/release.schema'
import { ReleaseRefusal } from './releaseRefusal.ts'
import { signContent, findSignatureFault, type SiteKeys } from './signature.ts'

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

export const computeHash = (content: Buffer | string) =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`

/**
 * A folder that a web server serves. Builds are written once and never changed. Each release is one file of the
 * ledger with who, what and the resulting pointer; `pointer.json` is a copy of the newest. It and `index.html`, the
 * page of the host, are the only files that change. All state is in plain files, so several machines may publish
 * concurrently.
 */
export class Site {
  constructor(
    readonly folder: string,
    private readonly keys: SiteKeys = {},
  ) {}

  private revisions = async () =>
    (await readdir(join(this.folder, 'ledger')).catch((): string[] => []))
      .filter((file) => /^\d+\.json$/.test(file))
      .sort()

  private entry = async (file: string) =>
    LedgerEntry.parse(JSON.parse(await readFile(join(this.folder, 'ledger', file), 'utf8')))

  async pointer(): Promise<Pointer> {
    const newestFile = (await this.revisions()).at(-1)
    return getPointerAfter(newestFile ? [await this.entry(newestFile)] : [])
  }

  /** Returns all ledger entries, oldest first. */
  ledger = async () => Promise.all((await this.revisions()).map(this.entry))

  record = async (name: Name, build: string) =>
    readRecord(join(this.folder, getBuildFolder(name, build)))

  /**
   * Returns the release record of a build that may be served; if the site has a public key, the record must be signed
   * with its private key.
   * @throws Refused or Unsigned otherwise
   */
  async readServableRecord(name: Name, build: string) {
    const folder = join(this.folder, getBuildFolder(name, build))
    const text = await readFile(join(folder, 'release.json')).catch(() => {
      throw new ReleaseRefusal(`${name} 没有版本 ${build}`)
    })
    this.refuseUnsigned(text, await readSignature(folder), { name, build })
    return { record: ReleaseRecord.parse(JSON.parse(text.toString())), hash: computeHash(text) }
  }

  private refuseUnsigned(
    text: Buffer,
    signature: string | undefined,
    target: Pick<ReleaseRecord, 'name' | 'build'>,
  ) {
    const fault =
      this.keys.publicKey && findSignatureFault(this.keys.publicKey, text, signature, target)
    if (fault) throw new UnsignedBuild(`${target.name} ${target.build} ${fault}`)
  }

  builds = (name: Name) =>
    readdir(join(this.folder, getBuildFolder(name, '')))
      .then((fileNames) => fileNames.filter((buildName) => !buildName.includes('.part')))
      .catch((): string[] => [])

  /**
   * Copies builds into the site and points to them; several builds are published together or not at all.
   * @throws Refused if a build is incompatible, altered or foreign
   */
  async publish(dists: string | string[], { why = '发布', ...givenNote }: ReleaseNote = {}) {
    const records: ReleaseRecord[] = []
    const resignedRecords = new Set<ReleaseRecord>()
    const addedRecords: ReleaseRecord[] = []
    try {
      for (const dist of [dists].flat()) {
        const record = await readRecord(dist)
        assertOwnScreens(record)
        const { isAdded, isResigned } = await this.copyBuild(dist, record)
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
   * @throws Refused if there is no canary
   */
  async widenCanary(name: Name, { share, why = '全量启用', ...note }: ReleaseNote = {}) {
    const canary = getDeployed(await this.pointer(), name)?.canary
    if (!canary) throw new ReleaseRefusal(`${name} 没有灰度版本`)
    return this.updatePointer('publish', name, canary.build, { ...note, share, why })
  }

  /**
   * Checks that every remote is compatible with the host after the coming builds are served.
   * @throws Refused otherwise
   */
  private async assertCompatible(pointer: Pointer, upcomingRecords: ReleaseRecord[]) {
    const getUpcomingRecord = async (name: Name) => {
      const now = getDeployed(pointer, name)
      return (
        upcomingRecords.find((upcoming) => upcoming.name === name) ??
        (now && this.record(name, now.build))
      )
    }
    const host = await getUpcomingRecord('host')
    if (!host) return
    const isNewHost = upcomingRecords.includes(host)
    const names = new Set([
      ...Object.keys(pointer.remotes),
      ...upcomingRecords.map(({ name }) => name),
    ])
    names.delete('host')
    for (const name of names) {
      const isComing = upcomingRecords.some((upcoming) => upcoming.name === name)
      const canary = isComing ? undefined : pointer.remotes[name]?.canary
      const remotes = [
        await getUpcomingRecord(name),
        isNewHost && canary && (await this.record(name, canary.build)),
      ]
      for (const remote of remotes) {
        if (!remote || (!isNewHost && !upcomingRecords.includes(remote))) continue
        const incompatibility = findIncompatibility(remote, getHostInterface(host))
        if (incompatibility)
          throw new ReleaseRefusal(
            `${name} ${remote.build} 不能与控制台 ${host.build} 一起使用：${incompatibility}`,
          )
      }
    }
  }

  /**
   * Returns the remotes of a pointer, each with the reason if a host cannot run it. A canary that it cannot run ends.
   */
  private async markIncompatible(remotes: Pointer['remotes'], host: ReleaseRecord) {
    const findReason = async (name: Name, build: string) =>
      this.record(name, build).then(
        (record) => findIncompatibility(record, getHostInterface(host)),
        () => '读不到它的发布记录',
      )
    const markedRemotes: Pointer['remotes'] = {}
    for (const [name, { incompatibility: _, canary, ...deployed }] of Object.entries(remotes)) {
      const reason = await findReason(name, deployed.build)
      const keepsCanary = canary && !(await findReason(name, canary.build))
      markedRemotes[name] = {
        ...deployed,
        ...(keepsCanary && { canary }),
        ...(reason && { incompatibility: reason }),
      }
    }
    return markedRemotes
  }

  /**
   * Serves an earlier build again: by default the previous one, or the current one if a canary is running.
   * @throws Refused if there is none
   */
  async rollback(name: Name, to?: string, { who, why = '回退', revision }: ReleaseNote = {}) {
    const now = getDeployed(await this.pointer(), name)
    const build = to ?? (now?.canary ? now.build : now?.previous)
    if (!build) throw new ReleaseRefusal(`${name} 没有可回退的版本`)
    return this.updatePointer('rollback', name, build, { who, why, revision })
  }

  /**
   * Copies a build under a temporary name, verifies every file and renames it, so that a build exists completely or
   * not at all.
   * @returns whether the build is new in the site, and whether one that already existed got a new signature
   */
  private async copyBuild(dist: string, record: ReleaseRecord) {
    const text = await readFile(join(dist, 'release.json'))
    const target = join(this.folder, getBuildFolder(record.name, record.build))
    const existingRecord = await readFile(join(target, 'release.json')).catch(() => undefined)
    if (existingRecord && !existingRecord.equals(text))
      throw new ReleaseRefusal(
        `${record.name} ${record.build} 已经发布过，内容不同；已发布的版本不能改`,
      )
    const { privateKey } = this.keys
    const formerSignature = existingRecord && (await readSignature(target))
    const signature = privateKey
      ? signContent(text, privateKey)
      : ((await readSignature(dist)) ?? formerSignature)
    this.refuseUnsigned(text, signature, record)
    if (existingRecord) {
      const isResigned = signature !== undefined && signature !== formerSignature
      if (isResigned)
        await rename(await this.writeTemporaryFile(signature), join(target, signatureFile))
      return { isAdded: false, isResigned }
    }
    const temporaryFolder = `${target}.${randomUUID()}.part`
    try {
      await cp(dist, temporaryFolder, { recursive: true })
      if (signature) await writeFile(join(temporaryFolder, signatureFile), signature)
      for (const [file, expectedHash] of Object.entries(record.files))
        if (computeHash(await readFile(join(temporaryFolder, file))) !== expectedHash)
          throw new ReleaseRefusal(`${record.name} ${record.build} 的 ${file} 与发布记录不符`)
      await rename(temporaryFolder, target)
    } catch (error) {
      await rm(temporaryFolder, { recursive: true, force: true })
      // Another process published the same build at the same moment.
      if (!isNodeError(error, 'ENOTEMPTY', 'EEXIST')) throw error
      return { isAdded: false, isResigned: false }
    }
    return { isAdded: true, isResigned: false }
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
        await this.assertCompatible(previousPointer, companionRecords ?? [record])
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
              remotes: await this.markIncompatible(previousPointer.remotes, record),
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
      if (await this.append(entry)) return nextPointer
    }
  }

  /**
   * Appends a ledger entry by compare-and-swap on the revision: creating a link to an existing name fails, and a
   * linked file is complete.
   * @returns false if another process was faster
   */
  private async append(entry: LedgerEntry): Promise<boolean> {
    const ledger = join(this.folder, 'ledger')
    await mkdir(ledger, { recursive: true })
    const temporaryFile = await this.writeTemporaryFile(JSON.stringify(entry))
    const name = `${String(entry.pointer.revision).padStart(8, '0')}.json`
    const hasAppended = await link(temporaryFile, join(ledger, name)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
        return false
      },
    )
    await rm(temporaryFile)
    await syncFolder(ledger)
    await this.syncPointerFiles()
    return hasAppended
  }

  /**
   * Updates `pointer.json` and `index.html` from the newest ledger entry. Each writer checks again after its renames,
   * so concurrent writers end at the newest entry, and the next writer completes the work of one that was killed.
   */
  async syncPointerFiles() {
    for (;;) {
      const pointer = await this.pointer()
      const pointerFiles: [string, string][] = [['pointer.json', JSON.stringify(pointer)]]
      const page =
        pointer.host &&
        (await readFile(
          join(this.folder, getBuildFolder('host', pointer.host.build), 'index.html'),
          'utf8',
        ).catch(() => null))
      if (page) pointerFiles.push(['index.html', page])
      const areCurrent = await Promise.all(
        pointerFiles.map(
          async ([file, text]) =>
            (await readFile(join(this.folder, file), 'utf8').catch(() => '')) === text,
        ),
      )
      if (areCurrent.every(Boolean)) return
      for (const [file, text] of pointerFiles)
        await rename(await this.writeTemporaryFile(text), join(this.folder, file))
      await syncFolder(this.folder)
    }
  }

  private async writeTemporaryFile(text: string) {
    const path = join(this.folder, `.${randomUUID()}.part`)
    const file = await open(path, 'w')
    await file.writeFile(text)
    await file.sync()
    await file.close()
    return path
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
      await this.writeTemporaryFile(JSON.stringify(builds)),
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

/** The build has no valid signature for the key of the site. */
export class UnsignedBuild extends ReleaseRefusal {}

const readSignature = (folder: string) =>
  readFile(join(folder, signatureFile), 'utf8').catch(() => undefined)

export const getTitleFields = ({ name, menu }: ReleaseRecord) =>
  name !== 'host' && menu[0] ? { title: menu[0].name } : {}

const readRecord = async (dist: string) =>
  ReleaseRecord.parse(JSON.parse(await readFile(join(dist, 'release.json'), 'utf8')))

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

/**
 * Returns the served build that a canary of this remote runs beside.
 * @throws Refused if a canary is not possible
 */
function requireCanaryBase(name: Name, build: string, now?: DeployedBuild | null) {
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

/** A build that was just copied may still wait for its pointer, so its age is checked. */
const getAgeMs = async (path: string) => Date.now() - (await stat(path)).ctimeMs

const isNodeError = (error: unknown, ...codes: string[]) =>
  error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '')

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
