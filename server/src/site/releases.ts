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
  /** The revision the decision was made on; another one refuses it. */
  revision?: number
  /** Percent of the browsers that get it; missing for all. */
  share?: number
}

export const hashOf = (content: Buffer | string) =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`

/**
 * A folder that a web server serves. Builds are written once. Each change is one file of the ledger, which says who did
 * what and how the pointer stands after it; `pointer.json` is a copy of the last. It and `index.html`, the page of the
 * host, are the only files that change.
 * Everything rests on plain files, so any number of machines may publish.
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

  /** Newest last. */
  ledger = async () => Promise.all((await this.revisions()).map(this.entry))

  record = async (name: Name, build: string) => readRecord(join(this.folder, folderOf(name, build)))

  /** The record of a build that may be served: where the site has a key, only one that was signed with it. */
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

  /** Brings a build in and makes it the one that is served; of several, all or none. */
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
   * What a platform brings at its start: builds that its last start did not bring yet. So a restart undoes no rollback and
   * ends no canary.
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
      // Whatever somebody went back to may not run with the new ones; what was built together does.
      if (error instanceof Refused && !(error instanceof Unsigned))
        return this.publish(dists, { why })
      throw error
    })
  }

  /** Gives the canary of a remote to another share of the browsers; to all of them without one. */
  async widen(name: Name, { share, why = '全量启用', ...note }: Note = {}) {
    const canary = deployedIn(await this.pointer(), name)?.canary
    if (!canary) throw new Refused(`${name} 没有灰度版本`)
    return this.point('publish', name, canary.build, { ...note, share, why })
  }

  /** Every remote must run on the host, as both are once these are served too. */
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

  /** Serves an earlier build again; by default the one before the present, or the present one where a canary is tried. */
  async rollback(name: Name, to?: string, { who, why = '回退', revision }: Note = {}) {
    const now = deployedIn(await this.pointer(), name)
    const build = to ?? (now?.canary ? now.build : now?.previous)
    if (!build) throw new Refused(`${name} 没有可回退的版本`)
    return this.point('rollback', name, build, { who, why, revision })
  }

  /**
   * Copies under another name, checks every byte, then gives it its name: a build is there whole or not at all. Says
   * whether one that was there has another signature now.
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
      // Someone else brought the same build at the same moment.
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
    }: Note & { /** Also where nothing but its signature is new. */ again?: boolean },
    /** What is served together with it, itself included. */
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

  /** Compare-and-swap on the revision: a link to a name that is taken fails, and a linked file is whole. */
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
   * Makes `pointer.json` the last of the ledger and `index.html` the page of its host. Whoever renames looks again, so
   * two at once end at the newest; one that was killed half-way is completed by the next.
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

  /** Builds that open pages use, as the server last heard from them; a name in the folder that no web server needs. */
  held = async (): Promise<string[]> =>
    z
      .array(z.string())
      .parse(JSON.parse(await readFile(join(this.folder, 'held.json'), 'utf8').catch(() => '[]')))

  async hold(builds: string[]) {
    await mkdir(this.folder, { recursive: true })
    await rename(await this.aside(JSON.stringify(builds)), join(this.folder, 'held.json'))
  }

  /** Removes builds nobody needs: never one that is served, was served before it, is among the last `keep`, or is held. */
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

/** A build that the key of the site did not sign. */
export class Unsigned extends Refused {}

const signatureIn = (folder: string) =>
  readFile(join(folder, signatureFile), 'utf8').catch(() => undefined)

export const titleOf = ({ name, menu }: ReleaseRecord) =>
  name !== 'host' && menu[0] ? { title: menu[0].name } : {}

const readRecord = async (dist: string) =>
  ReleaseRecord.parse(JSON.parse(await readFile(join(dist, 'release.json'), 'utf8')))

/** A remote brings screens below its own address only. */
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

/** What a canary of a remote is tried beside. */
function tried(name: Name, build: string, now?: Deployed | null) {
  if (name === 'host') throw new Refused('控制台是同一个页面，不能只给一部分会话')
  if (!now) throw new Refused(`${name} 还没有全量版本，不能灰度`)
  if (now.build === build) throw new Refused(`${name} ${build} 已经全量启用`)
  return now
}

/** The pointer names entry and code of each address, and those shared modules that do not come with the host's shell. */
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

/** How things stand after the last of these entries; nothing is deployed before the first. */
export const pointerAfter = (lines: LedgerEntry[]): Pointer =>
  lines.at(-1)?.pointer ?? { revision: 0, host: null, remotes: {} }

export const deployedIn = (pointer: Pointer, name: Name) =>
  name === 'host' ? pointer.host : pointer.remotes[name]

/** A build that was just brought in may be waiting for its pointer. */
const ageOf = async (path: string) => Date.now() - (await stat(path)).ctimeMs

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
