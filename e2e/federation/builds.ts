import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReleaseRecord } from '@iot/shared/contract/release'
import { buildIdOf, packages } from '../../scripts/build/packages'

export type Name = ReleaseRecord['name']
type Edit = {
  build?: string
  record?: Partial<ReleaseRecord>
  file?: (name: string, text: string, record: ReleaseRecord) => string
}

const made: string[] = []
process.once('exit', () => made.forEach((folder) => rmSync(folder, { recursive: true })))

export const sha384 = (content: Buffer | string) =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`

/** Returns the folder into which the product's own start has built a package. */
export async function built(name: Name): Promise<string> {
  const one = packages.find((each) => each.name === name)!
  const folder = join(import.meta.dirname, '../..', one.folder, 'dist')
  const wanted = join(folder, await buildIdOf(one))
  if (existsSync(join(wanted, 'release.json'))) return wanted
  throw new Error(`${one.folder} is not built; run pnpm build`)
}

export const recordOf = async (dist: string) =>
  JSON.parse(await readFile(join(dist, 'release.json'), 'utf8')) as ReleaseRecord

/** Creates a variant of a real build with another id and files changed by `file`; the hashes are recomputed. */
export async function variant(
  dist: string,
  { build, record: more, file = (_, text) => text }: Edit,
): Promise<string> {
  const record = await recordOf(dist)
  const folder = await mkdtemp(join(tmpdir(), 'build-'))
  made.push(folder)
  const to = join(folder, build ?? record.build)
  await cp(dist, to, { recursive: true })
  const hashes: Record<string, string> = {}
  const change = async (name: string, make: (text: string) => string) => {
    const text = make(
      (await readFile(join(to, name), 'utf8')).replaceAll(record.build, build ?? record.build),
    )
    await writeFile(join(to, name), text)
    hashes[name] = sha384(text)
  }
  const names = await readdir(to)
  for (const name of names) {
    // The compressed copies are deleted, because they contain the original file.
    if (/\.(br|gz)$/.test(name)) await rm(join(to, name))
    else if (/\.(js|css)$/.test(name)) await change(name, (text) => file(name, text, record))
  }
  // The host's page holds the hashes of the files that load first and of the file with all other hashes.
  for (const name of ['files.json', 'index.html'].filter((one) => names.includes(one)))
    await change(name, (text) =>
      Object.entries(hashes).reduce(
        (page, [name, hash]) => page.replaceAll(record.files[name]!, hash),
        text,
      ),
    )
  const files = Object.fromEntries(
    Object.entries(record.files).map(([name, hash]) => [name, hashes[name] ?? hash]),
  )
  await writeFile(
    join(to, 'release.json'),
    JSON.stringify({ ...record, ...more, build: build ?? record.build, files }),
  )
  return to
}

/** Creates the n-th build after a real one; `shown` is a text of its screens that gets the number appended. */
export const next = (dist: string, n: number, shown?: string, record?: Partial<ReleaseRecord>) =>
  variant(dist, {
    build: `0000000000${String(n).padStart(2, '0')}`,
    record,
    file: (_, text) => (shown ? text.replaceAll(`"${shown}"`, `"${shown}·${n}"`) : text),
  })
