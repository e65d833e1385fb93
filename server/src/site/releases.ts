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
import { misfit, shellOf } from '@iot/shared/contract/fits'
import {
  LedgerEntry,
  Pointer,
  ReleaseRecord,
  folderOf,
  signatureFile,
  type AreaName as Name,
  type Deployed,
} from '@iot/shared/contract/release'
import { Refused } from './refused.ts'
import { signatureOf, unsigned, type Keys } from './signature.ts'

type Note = {
  who?: string
  why?: string
  /** The revision that the decision was based on; the change is refused if the pointer has another one. */
  revision?: number
  /** Percentage of browsers that get the build as a canary; undefined for all browsers. */
  share?: number
}

export const hashOf = (content: Buffer | string) =>
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
    private readonly keys: Keys = {},
  ) {}

  private revisions = async () =>
    (await readdir(join(this.folder, 'ledger')).catch((): string[] => []))
      .filter((file) => /^\d+\.json$/.test(file))
      .sort()

  private entry = async (file: string) =>
    LedgerEntry.parse(JSON.parse(await readFile(join(this.folder, 'ledger', file), 'utf8')))

  async pointer(): Promise<Pointer> {
    const last = (await this.revisions()).at(-1)
    return pointerAfter(last ? [await this.entry(last)] : [])
  }

  /** Returns all ledger entries, oldest first. */
  ledger = async () => Promise.all((await this.revisions()).map(this.entry))

  record = async (name: Name, build: string) => readRecord(join(this.folder, folderOf(name, build)))

  /**
   * Returns the release record of a build that may be served; if the site has a public key, the record must be signed
   * with its private key.
   * @throws Refused or Unsigned otherwise
   */
  async servable(name: Name, build: string) {
    const folder = join(this.folder, folderOf(name, build))
    const text = await readFile(join(folder, 'release.json')).catch(() => {
      throw new Refused(`${name} 没有版本 ${build}`)
    })
    this.refuseUnsigned(text, await signatureIn(folder), { name, build })
    return { record: ReleaseRecord.parse(JSON.parse(text.toString())), hash: hashOf(text) }
  }

  private refuseUnsigned(
    text: Buffer,
    signature: string | undefined,
    of: Pick<ReleaseRecord, 'name' | 'build'>,
  ) {
    const why = this.keys.publicKey && unsigned(this.keys.publicKey, text, signature, of)
    if (why) throw new Unsigned(`${of.name} ${of.build} ${why}`)
  }

  builds = (name: Name) =>
    readdir(join(this.folder, folderOf(name, '')))
      .then((all) => all.filter((one) => !one.includes('.part')))
      .catch((): string[] => [])

  /**
   * Copies builds into the site and points to them; several builds are published together or not at all.
   * @throws Refused if a build is incompatible, altered or foreign
   */
  async publish(dists: string | string[], { who, why = '发布', share }: Note = {}) {
    const records: ReleaseRecord[] = []
    const signedAnew = new Set<ReleaseRecord>()
    for (const dist of [dists].flat()) {
      const record = await readRecord(dist)
      refuseForeign(record)
      if (await this.bring(dist, record)) signedAnew.add(record)
      records.push(record)
    }
    let after = await this.pointer()
    for (const record of records) {
      const { name, build } = record
      const note = { who, why, share, again: signedAnew.has(record) }
      after = await this.point('publish', name, build, note, records)
    }
    return after
  }

  /**
   * Publishes builds when the platform starts, except those that the last start has already published, so that a
   * restart neither undoes a rollback nor ends a canary.
   */
  async publishAtStart(dists: string[]) {
    const why = '启动'
    const brought = new Map<string, string>()
    const ledger = await this.ledger()
    for (const line of ledger) if (line.why === why) brought.set(line.name, line.build)
    const pointer = pointerAfter(ledger)
    const isNew = async (dist: string) => {
      const { name, build } = await readRecord(dist)
      const now = deployedIn(pointer, name)
      return !now || (now.build !== build && brought.get(name) !== build)
    }
    const coming = await Promise.all(dists.map(async (dist) => ((await isNew(dist)) ? [dist] : [])))
    return this.publish(coming.flat(), { why }).catch((error: unknown) => {
      // A build that an operator rolled back to may be incompatible with the new ones, so all builds that were made
      // together are published.
      if (error instanceof Refused && !(error instanceof Unsigned))
        return this.publish(dists, { why })
      throw error
    })
  }

  /**
   * Changes the share of browsers that get the canary of a remote; without a share all browsers get it.
   * @throws Refused if there is no canary
   */
  async widen(name: Name, { share, why = '全量启用', ...note }: Note = {}) {
    const canary = deployedIn(await this.pointer(), name)?.canary
    if (!canary) throw new Refused(`${name} 没有灰度版本`)
    return this.point('publish', name, canary.build, { ...note, share, why })
  }

  /**
   * Checks that every remote is compatible with the host after the coming builds are served.
   * @throws Refused otherwise
   */
  private async refuseMisfits(pointer: Pointer, coming: ReleaseRecord[]) {
    const soon = async (name: Name) => {
      const now = deployedIn(pointer, name)
      return coming.find((one) => one.name === name) ?? (now && this.record(name, now.build))
    }
    const host = await soon('host')
    if (!host) return
    const isNewHost = coming.includes(host)
    const names = new Set([...Object.keys(pointer.remotes), ...coming.map(({ name }) => name)])
    names.delete('host')
    for (const name of names) {
      const isComing = coming.some((one) => one.name === name)
      const canary = isComing ? undefined : pointer.remotes[name]?.canary
      const remotes = [
        await soon(name),
        isNewHost && canary && (await this.record(name, canary.build)),
      ]
      for (const remote of remotes) {
        if (!remote || (!isNewHost && !coming.includes(remote))) continue
        const why = misfit(remote, shellOf(host))
        if (why)
          throw new Refused(`${name} ${remote.build} 不能与控制台 ${host.build} 一起使用：${why}`)
      }
    }
  }

  /**
   * Serves an earlier build again: by default the previous one, or the current one if a canary is running.
   * @throws Refused if there is none
   */
  async rollback(name: Name, to?: string, { who, why = '回退', revision }: Note = {}) {
    const now = deployedIn(await this.pointer(), name)
    const build = to ?? (now?.canary ? now.build : now?.previous)
    if (!build) throw new Refused(`${name} 没有可回退的版本`)
    return this.point('rollback', name, build, { who, why, revision })
  }

  /**
   * Copies a build under a temporary name, verifies every file and renames it, so that a build exists completely or
   * not at all.
   * @returns true if a build that already existed got a new signature
   */
  private async bring(dist: string, record: ReleaseRecord) {
    const text = await readFile(join(dist, 'release.json'))
    const target = join(this.folder, folderOf(record.name, record.build))
    const there = await readFile(join(target, 'release.json')).catch(() => undefined)
    if (there && !there.equals(text))
      throw new Refused(`${record.name} ${record.build} 已经发布过，内容不同；已发布的版本不能改`)
    const { privateKey } = this.keys
    const former = there && (await signatureIn(target))
    const signature = privateKey
      ? signatureOf(text, privateKey)
      : ((await signatureIn(dist)) ?? former)
    this.refuseUnsigned(text, signature, record)
    if (there) {
      if (!signature || signature === former) return false
      await rename(await this.aside(signature), join(target, signatureFile))
      return true
    }
    const part = `${target}.${randomUUID()}.part`
    await cp(dist, part, { recursive: true })
    if (signature) await writeFile(join(part, signatureFile), signature)
    for (const [file, pinned] of Object.entries(record.files))
      if (hashOf(await readFile(join(part, file))) !== pinned) {
        await rm(part, { recursive: true })
        throw new Refused(`${record.name} ${record.build} 的 ${file} 与发布记录不符`)
      }
    await rename(part, target).catch(async (error: NodeJS.ErrnoException) => {
      await rm(part, { recursive: true, force: true })
      // Another process published the same build at the same moment.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
    return false
  }

  private async point(
    verb: LedgerEntry['verb'],
    name: Name,
    build: string,
    {
      who = userInfo().username,
      why = '',
      revision: expected,
      share,
      again = false,
    }: Note & {
      /** Writes a ledger entry even if only the signature of the build is new. */ again?: boolean
    },
    /** These builds are published together and include this one. */
    together?: ReleaseRecord[],
  ) {
    const { record, hash } = await this.servable(name, build)
    for (;;) {
      const before = await this.pointer()
      if (expected !== undefined && before.revision !== expected)
        throw new Refused('发布情况已变化，请看过最新情况再回退')
      const now = deployedIn(before, name)
      const isSame = share
        ? now?.canary?.build === build && now.canary.share === share
        : now?.build === build && !now.canary
      if (isSame && !again) return before
      await this.refuseMisfits(before, together ?? [record])
      const coming = {
        build,
        record: hash,
        needs: neededSoon(record, before.host && (await this.record('host', before.host.build))),
      }
      const next: Deployed = share
        ? { ...tried(name, build, now), canary: { ...coming, share } }
        : now?.build === build
          ? { ...now, canary: undefined }
          : {
              ...coming,
              ...titleOf(record),
              previous: now?.build ?? null,
              ...(now && { previousRecord: now.record }),
            }
      const revision = before.revision + 1
      const after: Pointer =
        name === 'host'
          ? { ...before, revision, host: next }
          : { ...before, revision, remotes: { ...before.remotes, [name]: next } }
      const entry = {
        time: new Date().toISOString(),
        who,
        why,
        verb,
        name,
        build,
        before: (build !== now?.build ? now?.build : now.canary?.build) ?? null,
        ...(share && { share }),
        pointer: after,
      }
      if (await this.append(entry)) return after
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
    const aside = await this.aside(JSON.stringify(entry))
    const name = `${String(entry.pointer.revision).padStart(8, '0')}.json`
    const won = await link(aside, join(ledger, name)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
        return false
      },
    )
    await rm(aside)
    await syncFolder(ledger)
    await this.settle()
    return won
  }

  /**
   * Updates `pointer.json` and `index.html` from the newest ledger entry. Each writer checks again after its renames,
   * so concurrent writers end at the newest entry, and the next writer completes the work of one that was killed.
   */
  async settle() {
    for (;;) {
      const pointer = await this.pointer()
      const wanted: [string, string][] = [['pointer.json', JSON.stringify(pointer)]]
      const page =
        pointer.host &&
        (await readFile(
          join(this.folder, folderOf('host', pointer.host.build), 'index.html'),
          'utf8',
        ).catch(() => null))
      if (page) wanted.push(['index.html', page])
      const isNow = await Promise.all(
        wanted.map(
          async ([file, text]) =>
            (await readFile(join(this.folder, file), 'utf8').catch(() => '')) === text,
        ),
      )
      if (isNow.every(Boolean)) return
      for (const [file, text] of wanted)
        await rename(await this.aside(text), join(this.folder, file))
      await syncFolder(this.folder)
    }
  }

  private async aside(text: string) {
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
  held = async (): Promise<string[]> =>
    z
      .array(z.string())
      .parse(JSON.parse(await readFile(join(this.folder, 'held.json'), 'utf8').catch(() => '[]')))

  async hold(builds: string[]) {
    await mkdir(this.folder, { recursive: true })
    await rename(await this.aside(JSON.stringify(builds)), join(this.folder, 'held.json'))
  }

  /**
   * Deletes unused builds. A build stays if it is served, was served before, is a canary, is among the last `keep`
   * published ones, is used by open pages, or is younger than `youngest` milliseconds.
   * @returns the removed builds
   */
  async collect({
    keep = 5,
    held = [],
    youngest = 60_000,
  }: { keep?: number; held?: string[]; youngest?: number } = {}) {
    const lines = await this.ledger()
    const pointer = pointerAfter(lines)
    const inUse = await this.held()
    const removed: string[] = []
    for (const name of new Set(lines.map((line) => line.name))) {
      const recent = [
        ...new Set(
          lines
            .filter((line) => line.name === name)
            .map(({ build }) => build)
            .reverse(),
        ),
      ].slice(0, keep)
      const now = deployedIn(pointer, name)
      const served = [now?.build, now?.previous, now?.canary?.build]
      const kept = new Set([...recent, ...held, ...inUse, ...served])
      for (const build of await this.builds(name)) {
        if (kept.has(build) || (await ageOf(join(this.folder, folderOf(name, build)))) < youngest)
          continue
        await rm(join(this.folder, folderOf(name, build)), { recursive: true })
        removed.push(`${name} ${build}`)
      }
    }
    return removed
  }
}

/** The build has no valid signature for the key of the site. */
export class Unsigned extends Refused {}

const signatureIn = (folder: string) =>
  readFile(join(folder, signatureFile), 'utf8').catch(() => undefined)

export const titleOf = ({ name, menu }: ReleaseRecord) =>
  name !== 'host' && menu[0] ? { title: menu[0].name } : {}

const readRecord = async (dist: string) =>
  ReleaseRecord.parse(JSON.parse(await readFile(join(dist, 'release.json'), 'utf8')))

/** A remote may only add screens below its own address. */
function refuseForeign({ name, build, menu }: ReleaseRecord) {
  const foreign = menu.find(
    ({ routeName, path }) =>
      name !== 'host' && (routeName.split('.')[0] !== name || path.split('/')[1] !== name),
  )
  if (foreign)
    throw new Refused(
      `${name} ${build} 的菜单“${foreign.name}”（${foreign.path}）不在 /${name} 之下`,
    )
}

/**
 * Returns the served build that a canary of this remote runs beside.
 * @throws Refused if a canary is not possible
 */
function tried(name: Name, build: string, now?: Deployed | null) {
  if (name === 'host') throw new Refused('控制台是同一个页面，不能只给一部分会话')
  if (!now) throw new Refused(`${name} 还没有全量版本，不能灰度`)
  if (now.build === build) throw new Refused(`${name} ${build} 已经全量启用`)
  return now
}

/**
 * The pointer lists the entry and code of each address, and those shared modules that the host's shell does not
 * contain.
 */
export const neededSoon = (
  { entry, needs }: ReleaseRecord,
  host: ReleaseRecord | null,
): Deployed['needs'] =>
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
export const pointerAfter = (lines: LedgerEntry[]): Pointer =>
  lines.at(-1)?.pointer ?? { revision: 0, host: null, remotes: {} }

export const deployedIn = (pointer: Pointer, name: Name) =>
  name === 'host' ? pointer.host : pointer.remotes[name]

/** A build that was just copied may still wait for its pointer, so its age is checked. */
const ageOf = async (path: string) => Date.now() - (await stat(path)).ctimeMs

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
