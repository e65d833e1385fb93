import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, link, mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { z } from 'zod'
import { misfit, shellOf } from '@iot/shared/contract/fits'
import {
  LedgerEntry,
  Pointer,
  ReleaseRecord,
  folderOf,
  type AreaName as Name,
  type Deployed,
} from '@iot/shared/contract/release'

type Note = {
  who?: string
  why?: string
  /** The revision the decision was made on; another one refuses it. */
  revision?: number
}

export const hashOf = (content: Buffer | string) =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`

/** A refusal in one sentence, for whoever types the command. */
export class Refused extends Error {}

/**
 * A folder that a web server serves. Builds are written once. Each change is one file of the ledger, which says who did
 * what and how the pointer stands after it; `pointer.json` is a copy of the last. It and `index.html`, the page of the
 * host, are the only files that change.
 * Everything rests on plain files, so any number of machines may publish.
 */
export class Site {
  constructor(readonly folder: string) {}

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

  record = async (name: Name, build: string): Promise<ReleaseRecord> =>
    ReleaseRecord.parse(
      JSON.parse(await readFile(join(this.folder, folderOf(name, build), 'release.json'), 'utf8')),
    )

  builds = (name: Name) =>
    readdir(join(this.folder, folderOf(name, '')))
      .then((all) => all.filter((one) => !one.includes('.part')))
      .catch((): string[] => [])

  /** Brings a build in and makes it the one that is served; of several, all or none. */
  async publish(dists: string | string[], { who, why = '发布' }: Note = {}) {
    const records: ReleaseRecord[] = []
    for (const dist of [dists].flat()) {
      const text = await readFile(join(dist, 'release.json'))
      const record = ReleaseRecord.parse(JSON.parse(text.toString()))
      refuseForeign(record)
      await this.bring(dist, record, hashOf(text))
      records.push(record)
    }
    let after = await this.pointer()
    for (const { name, build } of records)
      after = await this.point('publish', name, build, { who, why }, records)
    return after
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
      const remote = await soon(name)
      if (!remote || (!isNewHost && !coming.includes(remote))) continue
      const why = misfit(remote, shellOf(host))
      if (why)
        throw new Refused(`${name} ${remote.build} 不能与控制台 ${host.build} 一起使用：${why}`)
    }
  }

  /** Serves an earlier build again; by default the one before the present. */
  async rollback(name: Name, to?: string, { who, why = '回退', revision }: Note = {}) {
    const build = to ?? deployedIn(await this.pointer(), name)?.previous
    if (!build) throw new Refused(`${name} 没有可回退的版本`)
    return this.point('rollback', name, build, { who, why, revision })
  }

  /** Copies under another name, checks every byte, then gives it its name: a build is there whole or not at all. */
  private async bring(dist: string, record: ReleaseRecord, hash: string) {
    const target = join(this.folder, folderOf(record.name, record.build))
    if (existsSync(target)) {
      if (hashOf(await readFile(join(target, 'release.json'))) !== hash)
        throw new Refused(`${record.name} ${record.build} 已经发布过，内容不同；已发布的版本不能改`)
      return
    }
    const part = `${target}.${randomUUID()}.part`
    await cp(dist, part, { recursive: true })
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
  }

  private async point(
    verb: LedgerEntry['verb'],
    name: Name,
    build: string,
    { who = userInfo().username, why = '', revision: expected }: Note,
    /** What is served together with it, itself included. */
    together?: ReleaseRecord[],
  ) {
    const text = await readFile(join(this.folder, folderOf(name, build), 'release.json')).catch(
      () => {
        throw new Refused(`${name} 没有版本 ${build}`)
      },
    )
    const record = ReleaseRecord.parse(JSON.parse(text.toString()))
    for (;;) {
      const before = await this.pointer()
      if (expected !== undefined && before.revision !== expected)
        throw new Refused('发布情况已变化，请看过最新情况再回退')
      const now = deployedIn(before, name)
      if (now?.build === build) return before
      await this.refuseMisfits(before, together ?? [record])
      const next: Deployed = {
        build,
        record: hashOf(text),
        ...(record.menu[0] && name !== 'host' && { title: record.menu[0].name }),
        previous: now?.build ?? null,
        ...(now && { previousRecord: now.record }),
        needs: neededSoon(record, before.host && (await this.record('host', before.host.build))),
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
        before: now?.build ?? null,
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
      const kept = new Set([...recent, ...held, ...inUse, now?.build, now?.previous])
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

/** The pointer names entry and code of each address, and those shared modules that do not come with the host's shell. */
const neededSoon = (
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
